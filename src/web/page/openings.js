// @ts-check
// The names of openings of orthodox chess, in openings.gz. src/web/openings.py writes and describes the file.

const LONGEST = 10;

/** The names by moves. @type {Promise<Map<string, string>> | null} */
let names = null;

/** @param {string} text */
function read(text) {
  /** @type {Map<string, string>} */
  const found = new Map();
  /** @type {string[]} */
  let moves = [];
  const [lines, names] = text.split("\n\n").map((block) => block.split("\n"));
  lines.forEach((line, index) => {
    const [same, ...others] = line.split(" ");
    moves = [...moves.slice(0, Number(same)), ...others];
    found.set(moves.map(plain).join(" "), names[index]);
  });
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
