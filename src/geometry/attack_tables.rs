//! The functions that compute the attack tables at compile time.
//!
//! The functions use `u128` for both boards, because trait methods cannot run at compile time. The 8x8 board
//! converts the results to `u64`. `N` is the length of a `PerSquare` array, which is 64 or 128. `SIZE` is the
//! number of files, which equals the number of ranks. A step is a pair: the number of files and the number of
//! ranks to move.

/// The steps of the king, the knight, and the captures of a white pawn and of a black pawn.
const STEPS: [&[(i32, i32)]; 4] = [
    &[(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)],
    &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
    &[(-1, 1), (1, 1)],
    &[(-1, -1), (1, -1)],
];

/// The steps along the four lines through a square, in one direction: rank, file, diagonal and antidiagonal.
const LINES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// Returns the index of the square one step away from a square, or -1 if that square is off the board.
const fn next<const SIZE: i32>(square: i32, (files, ranks): (i32, i32)) -> i32 {
    let (file, rank) = (square % SIZE + files, square / SIZE + ranks);
    if file < 0 || rank < 0 || file >= SIZE || rank >= SIZE { -1 } else { rank * SIZE + file }
}

/// Computes the attacks of king, knight, white pawn and black pawn from each square.
pub(super) const fn leapers<const N: usize, const SIZE: i32>() -> [[u128; N]; 4] {
    let mut tables = [[0; N]; 4];
    let mut leaper = 0;
    while leaper < 4 {
        let (steps, mut i) = (STEPS[leaper], 0);
        while i < steps.len() * (SIZE * SIZE) as usize {
            let square = i / steps.len();
            let target = next::<SIZE>(square as i32, steps[i % steps.len()]);
            if target >= 0 {
                tables[leaper][square] |= 1 << target;
            }
            i += 1;
        }
        leaper += 1;
    }
    tables
}

/// Returns the squares from a square to the edge in one direction, without the square itself.
const fn ray<const SIZE: i32>(mut square: i32, step: (i32, i32)) -> u128 {
    let mut ray = 0;
    loop {
        square = next::<SIZE>(square, step);
        if square < 0 {
            return ray;
        }
        ray |= 1 << square;
    }
}

/// Returns the line through a square in a direction and the opposite direction, without the square itself.
const fn line_of<const SIZE: i32>(square: i32, step: (i32, i32)) -> u128 {
    ray::<SIZE>(square, step) | ray::<SIZE>(square, (-step.0, -step.1))
}

/// Computes the rank, file, diagonal and antidiagonal through each square, without the square itself.
pub(super) const fn lines<const N: usize, const SIZE: i32>() -> [[u128; N]; 4] {
    let mut tables = [[0; N]; 4];
    let mut i = 0;
    while i < 4 * SIZE * SIZE {
        let (line, square) = ((i % 4) as usize, i / 4);
        tables[line][square as usize] = line_of::<SIZE>(square, LINES[line]);
        i += 1;
    }
    tables
}

/// Computes for each pair of squares the squares strictly between them, or the whole line through them if
/// `whole_line` is true.
pub(super) const fn pairs<const N: usize, const SIZE: i32>(whole_line: bool) -> [[u128; N]; N] {
    let mut table = [[0; N]; N];
    let mut i = 0;
    while i < 8 * SIZE * SIZE {
        let (step, square) = (STEPS[0][(i % 8) as usize], i / 8);
        let line = line_of::<SIZE>(square, step) | 1 << square;
        let (mut passed, mut target) = (0, next::<SIZE>(square, step));
        while target >= 0 {
            table[square as usize][target as usize] = if whole_line { line } else { passed };
            passed |= 1 << target;
            target = next::<SIZE>(target, step);
        }
        i += 1;
    }
    table
}
