// @ts-check
// The names of openings of orthodox chess: openings.gz, a selection of github.com/lichess-org/chess-openings (CC0),
// written by src/web/openings.py, which documents its format.

const LONGEST = 10;

/** The names by moves. @type {Promise<Map<string, string>> | null} */
let names = null;

/** @param {string} text */
function read(text) {
  /** @type {Map<string, string>} */
  const found = new Map();
  /** @type {string[]} */
  let moves = [];
  let name = "";
  for (const row of text.trim().split("\n")) {
    const [line, letters] = row.split("|");
    const [same, ...others] = line.split(" ");
    const blank = letters.indexOf(" ");
    moves = [...moves.slice(0, Number(same)), ...others];
    name = name.slice(0, Number(letters.slice(0, blank))) + letters.slice(blank + 1);
    found.set(moves.map(plain).join(" "), name);
  }
  return found;
}

async function load() {
  const { body } = await fetch(new URL("openings.gz", import.meta.url));
  if (!body) return new Map();
  return read(await new Response(body.pipeThrough(new DecompressionStream("gzip"))).text());
}

/** Returns a move in SAN without the signs of check and mate. @param {string} san */
const plain = (san) => san.replace(/[+#]/g, "");

/**
 * Returns the name of the opening that these moves in SAN reach from the usual starting position, or null.
 * @param {string[]} moves
 */
export async function openingOf(moves) {
  names ??= load();
  const known = await names.catch(() => new Map());
  // After a lost connection the names are requested again.
  if (known.size === 0) names = null;
  const played = moves.slice(0, LONGEST).map(plain);
  for (let length = played.length; length > 0; length -= 1) {
    const name = known.get(played.slice(0, length).join(" "));
    if (name) return name;
  }
  return null;
}
