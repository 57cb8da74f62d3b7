//! Generates `data/mates.epd`, the problems of the mate tests.
//!
//! The positions come from games between two weak players and from random placements. The first positions
//! whose shortest mate has the wanted length according to the prover are chosen. Positions too complex for
//! the prover's budget are skipped. The engine's evaluation does not affect the choice. But because the
//! engine plays the games, different versions of the engine generate different data.

use aleator::position::FenStyle;
use aleator::rules::KingRight;
use aleator::search::{Limits, Searcher};
use aleator::start::{Numbering, Rng};
use rayon::prelude::*;

use super::prover::Prover;
use super::*;

/// The source of a problem.
#[derive(Clone, Copy)]
enum Source {
    /// A game between two weak players that ended in mate. The problem is a position shortly before the mate.
    Game,
    /// A few pieces on random squares.
    Placement,
    /// A placement with a king's right. Without the right the shortest mate would have another length.
    Right,
}

/// Returns the source of each problem for a variant and a length of the mate.
fn sources(variant: Variant, moves: u32) -> Vec<Source> {
    let mut sources = vec![Source::Game; 3];
    // Longer mates that depend on a right are too rare.
    if variant.rules().right != KingRight::None && moves <= 3 {
        sources.push(Source::Right);
    }
    // Without rights a placement does not depend on the variant, so one variant per board suffices.
    if ["chess", "ifrc"].contains(&variant.name()) {
        sources.push(Source::Placement);
    }
    sources
}

/// Regenerates `data/mates.epd`: `cargo test --test search compose -- --ignored --nocapture`.
#[test]
#[ignore = "makes the data, takes minutes"]
fn compose() {
    let orders: Vec<_> = Variant::ALL
        .iter()
        .flat_map(|&variant| (1..=5).map(move |moves| (variant, moves)))
        .collect();
    let compose = |&(variant, moves): &(Variant, u32)| {
        on_board!(variant.rules().board, |G| compose_for::<G>(variant, moves))
    };
    let lines: Vec<String> = orders.par_iter().with_max_len(1).flat_map_iter(compose).collect();
    std::fs::write(DATA, lines.join("\n") + "\n").unwrap();
}

/// Returns the problems of a variant with mates of the given length, as lines of EPD.
fn compose_for<G: Board>(variant: Variant, moves: u32) -> Vec<String> {
    let mut rng = Rng::new((variant as u64) << 8 | u64::from(moves));
    let mut searcher = Searcher::new(2).unwrap();
    let mut lines: Vec<String> = Vec::new();
    for source in sources(variant, moves) {
        let line = loop {
            let position = match source {
                Source::Game => from_game::<G>(&mut rng, &mut searcher, variant, moves),
                Source::Placement => from_placement(&mut rng, variant, false),
                Source::Right => from_placement(&mut rng, variant, true),
            };
            let Some(position) = position.filter(|position| is_mate_in(position, moves)) else {
                continue;
            };
            let fen = position.fen(FenStyle::XFen);
            let depends = || !is_mate_in::<G>(&without_rights(variant, &fen), moves);
            let fields: Vec<&str> = fen.split(' ').collect();
            let [board @ .., plies, number] = &fields[..] else { panic!("{fen}") };
            let board = board.join(" ");
            let line =
                format!("{board} hmvc {plies}; fmvn {number}; dm {moves}; variant {variant};");
            if !lines.contains(&line) && (!matches!(source, Source::Right) || depends()) {
                break line;
            }
        };
        println!("{line}");
        lines.push(line);
    }
    lines
}

/// Whether the prover finds that the shortest mate takes exactly `moves` moves.
fn is_mate_in<G: Board>(position: &Position<G>, moves: u32) -> bool {
    let length = Prover::with_budget(5_000_000).shortest_mate(position, moves);
    matches!(length, Ok(Some(length)) if length == moves)
}

/// Returns the position `moves` moves before the mate at the end of a game. Returns `None` if the game had no
/// mate or was too short.
fn from_game<G: Board>(
    rng: &mut Rng,
    searcher: &mut Searcher<G>,
    variant: Variant,
    moves: u32,
) -> Option<Position<G>> {
    let positions = decided_game(rng, searcher, variant)?;
    let index = positions.len().checked_sub(2 * moves as usize)?;
    positions.into_iter().nth(index).filter(|position| position.halfmove_clock() < 80)
}

/// Plays a game between players that search 300 nodes per move, but also make random moves: from every second
/// to every seventh move, depending on the game. Returns the positions if the game ended in mate.
fn decided_game<G: Board>(
    rng: &mut Rng,
    searcher: &mut Searcher<G>,
    variant: Variant,
) -> Option<Vec<Position<G>>> {
    let start = Numbering::of(variant).drawn().random(rng).fen();
    let mut position = Position::<G>::from_fen(&start, variant.rules().right).ok()?;
    let (mut positions, mut keys) = (vec![position.clone()], Vec::new());
    searcher.clear();
    let steadiness = 2 + rng.below(6);
    while positions.len() < 250 && !position.is_fifty_moves() {
        let legal = position.legal_moves();
        if legal.is_empty() {
            return position.in_check().then_some(positions);
        }
        let mv = if rng.below(steadiness) == 0 {
            legal[rng.below(legal.len() as u64) as usize]
        } else {
            searcher.search(&position, &keys, &Limits::nodes(300)).best()?
        };
        keys.push(position.key());
        position.make(mv);
        positions.push(position.clone());
    }
    None
}

/// Returns a random position in which White has two to four pieces and Black up to four pieces, mostly
/// weaker, besides the kings. If `with_right` is set, one king is on its back rank and has a right; for
/// castling a rook is there too.
fn from_placement<G: Board>(
    rng: &mut Rng,
    variant: Variant,
    with_right: bool,
) -> Option<Position<G>> {
    let mut board = vec![' '; G::SQUARES];
    let letters = |rng: &mut Rng, most: u64, among: &[char]| -> Vec<char> {
        (0..most).map(|_| among[rng.below(among.len() as u64) as usize]).collect()
    };
    let (strong, weak) = (2 + rng.below(3), rng.below(5));
    let white = letters(rng, strong, &['Q', 'R', 'B', 'N', 'R', 'P']);
    let black = letters(rng, weak, &['q', 'r', 'b', 'n', 'p', 'p', 'p']);
    for piece in ['K', 'k'].into_iter().chain(white).chain(black) {
        board[rng.below(G::SQUARES as u64) as usize] = piece;
    }
    let right = if with_right { place_right::<G>(rng, variant, &mut board)? } else { '-' };
    let rows: Vec<_> = board.chunks(usize::from(G::FILES)).rev().map(row).collect();
    let side = ['w', 'b'][rng.below(2) as usize];
    Position::from_fen(&format!("{} {side} {right} - 0 1", rows.join("/")), variant.rules().right)
        .ok()
}

/// Moves one king to its back rank. Adds a rook if the king's right is castling. Returns the letter of the
/// right.
fn place_right<G: Board>(rng: &mut Rng, variant: Variant, board: &mut [char]) -> Option<char> {
    let black = rng.below(2) == 1;
    let of_side = |letter: char| if black { letter.to_ascii_lowercase() } else { letter };
    let home = usize::from(G::HOME_RANK[usize::from(black)]) * usize::from(G::FILES);
    let first = home + usize::from(G::FIRST_START_FILE);
    let (king, rook) = match variant {
        Variant::Chess => (4, 7 * rng.below(2) as usize),
        _ => (rng.below(8) as usize, rng.below(8) as usize),
    };
    board.iter_mut().filter(|piece| **piece == of_side('K')).for_each(|piece| *piece = ' ');
    if variant.rules().right == KingRight::Castling {
        board[first + rook] = of_side('R');
    }
    board[first + king] = of_side('K');
    let long = variant.rules().right == KingRight::Castling && rook < king;
    Some(of_side(if long { 'Q' } else { 'K' }))
}

/// Returns a rank as in FEN.
fn row(pieces: &[char]) -> String {
    let runs = pieces.chunk_by(|one, other| (*one == ' ') == (*other == ' '));
    runs.map(|run| match run[0] {
        ' ' => run.len().to_string(),
        _ => run.iter().collect(),
    })
    .collect()
}
