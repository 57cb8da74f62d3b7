// The names of openings of orthodox chess: openings.txt, a selection of github.com/lichess-org/chess-openings
// (CC0), written by src/web/openings.py, which says how its rows are to be read.

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

/** A move in SAN without the signs of check and mate. */
const plain = (san) => san.replace(/[+#]/g, "");

/** The name of what these moves in SAN, from the usual array, have become; null where they have none. */
export async function openingOf(moves) {
  names ??= fetch(new URL("openings.txt", import.meta.url)).then((reply) => reply.text()).then(read);
  const known = await names.catch(() => new Map());
  // After a lost connection the names are asked for once more.
  if (known.size === 0) names = null;
  const played = moves.slice(0, LONGEST).map(plain);
  for (let length = played.length; length > 0; length -= 1) {
    const name = known.get(played.slice(0, length).join(" "));
    if (name) return name;
  }
  return null;
}
