// What each game is about, in a few sentences, and the picture on its card.

/** By the server's id. `art` is White's back rank: a dot is a square still to be filled. */
export const GAMES = {
  chess: {
    art: "RNBQKBNR",
    rules: ["Orthodox chess, from its usual array or from any position by FEN."],
  },
  chess960: {
    art: "NRBBKQRN",
    rules: [
      "The pieces of the back rank are shuffled: bishops on opposite colours, the king between the rooks, and Black mirrors White (or, in double Fischer random, has an array of its own).",
      "Castling ends as in chess: king on g and rook on f, or king on c and rook on d. To castle, drag the king onto its own rook, or two squares where that cannot mean anything else.",
    ],
  },
  dfrc: {
    art: "QNBBNRKR",
    rules: [
      "Double Fischer random: as Chess960, but White and Black have different arrays, 921\u202f600 pairs of them. The rules of castling are those of Chess960, for each side by its own array.",
    ],
  },
  ifrc: {
    art: "BQNRKRBN",
    ten: true,
    rules: [
      "Chess960 on ten files and ten ranks. The pieces stand on b to i of ranks 2 and 9, the pawns before them: there is room all around.",
      "Pawns step two squares from ranks 3 and 8, and become pieces on ranks 10 and 1. Castling ends with the king on h and the rook on g, or on d and e. To castle, drag the king onto its rook.",
    ],
  },
  fischerbenko: {
    art: ".BBR.N..",
    dice: [3, 5],
    rules: [
      "A die puts two bishops (on opposite colours) and a rook of each side on its back rank. Then White and Black in turn place king, queen, rook and knights, one a turn, the last two together.",
      "The king has to stand between the rooks at the end; a placement that makes this impossible is illegal. Then the game goes on as Chess960, castling included.",
    ],
  },
  transcendental: {
    art: "BN.R..BQ",
    dice: [2, 6],
    rules: [
      "A die puts two bishops (on opposite colours) and a rook of each side on its back rank. The players place the other five pieces in turn, one a turn, wherever they like.",
      "There is no castling, and the king may stand anywhere.",
    ],
  },
  jepps: {
    art: "KNB.....",
    dice: [4, 6],
    rules: [
      "White fills a1 to h1 by two dice a square, which offer pieces: 1 king, 2 knight, 3 bishop, 4 rook, 5 queen, 6 any piece left. Then the mediator rolls: both even, Black mirrors; both odd, Black reverses; one of each, Black throws dice of its own. In Free Play both sides fill their ranks in turn.",
      "There is no castling. As its first move a king may relocate: to a vacant square of its rank two, four or six files away. It must not be in check, nor arrive on an attacked square or pass over a vacant one that is attacked; pieces between do not matter.",
    ],
  },
  placement: {
    art: "R.N...K.",
    rules: [
      "Pal Benko's Pre-Chess: the back ranks are empty, and the players place all eight pieces in turn, bishops on opposite colours.",
      "Then chess; one may castle if king and rook stand where they stand in chess.",
    ],
  },
};

export const gameOf = (variant) => GAMES[variant] ?? { art: "RNBQKBNR", rules: [] };
