// The names of openings of orthodox chess: openings.txt, a selection of github.com/lichess-org/chess-openings (CC0),
// written by src/web/openings.py, which documents its format.

const LONGEST = 10;

let names = null;

function read(text) {
  const found = new Map();
  let moves = [], name = "";
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

/** Returns a move in SAN without the signs of check and mate. */
const plain = (san) => san.replace(/[+#]/g, "");

/** Returns the name of the opening that these moves in SAN reach from the usual starting position, or null. */
export async function openingOf(moves) {
  names ??= fetch(new URL("openings.txt", import.meta.url)).then((reply) => reply.text()).then(read);
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
