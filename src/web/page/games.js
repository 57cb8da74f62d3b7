// @ts-check
// The rules of each variant in a few sentences, and the picture on its card.

/** @typedef {{ art: string, dice?: number[], noCastling?: boolean, ten?: boolean, rules: string[] }} Rules */

/** By the server's id. `art` is White's back rank, with dots for empty squares. @type {Record<string, Rules>} */
export const GAMES = {
  chess: {
    art: "RNBQKBNR",
    rules: ["Orthodox chess, from its usual starting position or from any FEN."],
  },
  chess960: {
    art: "NRBBKQRN",
    rules: [
      "The pieces of the back rank are shuffled: bishops on opposite colours, the king between the rooks, and "
        + "Black mirrors White (or, in double Fischer random, has its own back rank).",
      "Castling ends as in chess: king on g and rook on f, or king on c and rook on d. To castle, drag the "
        + "king onto its own rook, or to its final square unless an ordinary move goes there.",
    ],
  },
  dfrc: {
    art: "QNBBNRKR",
    rules: [
      "Double Fischer random: like Chess960, but White and Black have independent back ranks, 921\u202f600 "
        + "pairs of them. Each side castles as in Chess960, by its own back rank.",
    ],
  },
  ifrc: {
    art: "BQNRKBRN",
    ten: true,
    rules: [
      "Chess960 on ten files and ten ranks. The pieces start on files b to i of ranks 2 and 9, with the pawns "
        + "in front of them, so there is room all around.",
      "Pawns may step two squares from ranks 3 and 8, and promote on ranks 10 and 1. Castling ends with the "
        + "king on h and the rook on g, or the king on d and the rook on e. To castle, drag the king onto its rook.",
    ],
  },
  fischerbenko: {
    art: ".BBR.N..",
    dice: [3, 5],
    rules: [
      "A die places two bishops (on opposite colours) and a rook of each side on its back rank. Then White and "
        + "Black in turn place king, queen, rook and knights, one per turn, the last two together.",
      "The king must end up between the rooks; a placement that makes this impossible is illegal. Then the "
        + "game continues as Chess960, castling included.",
    ],
  },
  transcendental: {
    art: "BN.R.B.Q",
    dice: [2, 6],
    noCastling: true,
    rules: [
      "A die places two bishops (on opposite colours) and a rook of each side on its back rank. The players "
        + "place the other five pieces in turn, one per turn, wherever they like.",
      "There is no castling, and the king may stand anywhere.",
    ],
  },
  jepps: {
    art: "KNB.....",
    dice: [4, 6],
    noCastling: true,
    rules: [
      "White fills a1 to h1 by rolling two dice for each square, which offer pieces: 1 king, 2 knight, 3 "
        + "bishop, 4 rook, 5 queen, 6 any piece left. Then the mediator rolls: both even, Black mirrors; both odd, "
        + "Black reverses; one of each, Black rolls its own dice. In Free Play both sides fill their ranks in turn.",
      "There is no castling. As its first move a king may relocate to a vacant square of its rank, two, four "
        + "or six files away. It must not be in check, land on an attacked square or cross a vacant square "
        + "that is attacked; pieces in between do not matter.",
    ],
  },
  placement: {
    art: "R.N...K.",
    rules: [
      "Pal Benko's Pre-Chess: the back ranks start empty, and the players place all eight pieces in turn, "
        + "bishops on opposite colours.",
      "Then they play chess. A king and rook on their usual squares may castle.",
    ],
  },
};

/** @param {string} variant */
export const gameOf = (variant) => GAMES[variant] ?? { art: "RNBQKBNR", rules: [] };
