//! The functions that compute the attack tables at compile time.
//!
//! They use `u128` for both boards, because trait methods cannot run at compile time; the 8x8 board
//! narrows the results. `N` is the length of a `PerSquare` array (64 or 128), `FILES` and `RANKS` are the
//! size of the board.

// Some functions are only used for PEXT tables.
#![cfg_attr(not(all(target_arch = "x86_64", target_feature = "bmi2")), allow(dead_code))]

/// The king's steps to the eight neighbours, as (files, ranks).
pub(super) const KING_STEPS: [(i32, i32); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
pub(super) const KNIGHT_STEPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
pub(super) const WHITE_PAWN_STEPS: [(i32, i32); 2] = [(-1, 1), (1, 1)];
pub(super) const BLACK_PAWN_STEPS: [(i32, i32); 2] = [(-1, -1), (1, -1)];

/// One direction of each of the four lines through a square: rank, file, diagonal and antidiagonal.
pub(super) const LINES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// The index of a square, or -1 off the board.
const fn index<const FILES: i32, const RANKS: i32>(file: i32, rank: i32) -> i32 {
    if file < 0 || rank < 0 || file >= FILES || rank >= RANKS { -1 } else { rank * FILES + file }
}

/// Computes the attacks of a leaper with these steps.
pub(super) const fn leaper<const N: usize, const FILES: i32, const RANKS: i32>(
    steps: &[(i32, i32)],
) -> [u128; N] {
    let mut table = [0; N];
    let mut square = 0;
    while square < FILES * RANKS {
        let mut i = 0;
        while i < steps.len() {
            let (df, dr) = steps[i];
            let target = index::<FILES, RANKS>(square % FILES + df, square / FILES + dr);
            if target >= 0 {
                table[square as usize] |= 1 << target;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// The squares from `square` (not included) to the edge in one direction.
pub(super) const fn ray<const FILES: i32, const RANKS: i32>(square: i32, step: (i32, i32)) -> u128 {
    let mut ray = 0;
    let (mut file, mut rank) = (square % FILES + step.0, square / FILES + step.1);
    while index::<FILES, RANKS>(file, rank) >= 0 {
        ray |= 1 << index::<FILES, RANKS>(file, rank);
        file += step.0;
        rank += step.1;
    }
    ray
}

/// The line through a square in a direction and its opposite, without the square itself.
pub(super) const fn line_of<const FILES: i32, const RANKS: i32>(
    square: i32,
    step: (i32, i32),
) -> u128 {
    ray::<FILES, RANKS>(square, step) | ray::<FILES, RANKS>(square, (-step.0, -step.1))
}

/// Computes for each pair of squares the line through them, or the squares strictly between them.
pub(super) const fn pairs<const N: usize, const FILES: i32, const RANKS: i32>(
    whole_line: bool,
) -> [[u128; N]; N] {
    let mut table = [[0; N]; N];
    let mut square = 0;
    while square < FILES * RANKS {
        let mut i = 0;
        while i < KING_STEPS.len() {
            let step = KING_STEPS[i];
            let line = line_of::<FILES, RANKS>(square, step) | 1 << square;
            let mut passed = 0;
            let (mut file, mut rank) = (square % FILES + step.0, square / FILES + step.1);
            while index::<FILES, RANKS>(file, rank) >= 0 {
                let target = index::<FILES, RANKS>(file, rank);
                table[square as usize][target as usize] = if whole_line { line } else { passed };
                passed |= 1 << target;
                file += step.0;
                rank += step.1;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// The squares that a slider attacks along one line, which is given without the slider's square: all
/// up to and including the nearest occupied square on each side.
///
/// Obstruction difference, Michael Hoffmann: <https://www.chessprogramming.org/Obstruction_Difference>.
pub(super) const fn slide(square: i32, line: u128, occupied: u128) -> u128 {
    let below = (1u128 << square) - 1;
    let lower = line & below & occupied;
    let upper = line & !below & occupied;
    let nearest_below = (1u128 << 127) >> (lower | 1).leading_zeros();
    line & (upper ^ upper.wrapping_sub(nearest_below))
}

/// Truncates the elements of a table.
pub(super) const fn narrow<const N: usize>(wide: [u128; N]) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = wide[i] as u64;
        i += 1;
    }
    table
}

/// Truncates the elements of a table of tables.
pub(super) const fn narrow_pairs<const N: usize>(wide: [[u128; N]; N]) -> [[u64; N]; N] {
    let mut table = [[0; N]; N];
    let mut i = 0;
    while i < N {
        table[i] = narrow(wide[i]);
        i += 1;
    }
    table
}
