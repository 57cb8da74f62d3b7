//! Helper functions of several integration tests: data files, a seeded random number generator, and random
//! positions. These functions do not use `aleator::start`, so that tests can compare starting positions
//! independently.

// Each test crate that includes this file uses only some of the functions.
#![allow(dead_code)]

use aleator::geometry::Board;
use aleator::position::Position;
use aleator::random::Rng;
use aleator::rules::KingRight;
use aleator::types::Move;

/// A random number generator with a fixed seed.
pub struct Random(Rng);

impl Random {
    pub const fn new(seed: u64) -> Random {
        Random(Rng::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub fn choose<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }
}

/// Reads a file of `engine-tests/data`.
pub fn read(file: &str) -> String {
    let path = format!("{}/engine-tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the king right of a variant, and whether the variant is played on 10x10. `name` is the name in the
/// data files.
pub fn variant(name: &str) -> (KingRight, bool) {
    match name {
        // After the placement phase, the rules of Fischer-Benko are those of Chess960.
        "chess960" | "fischer-benko" => (KingRight::Castling, false),
        "ifrc" => (KingRight::Castling, true),
        "jepps" => (KingRight::Relocation, false),
        "transcendental" => (KingRight::None, false),
        _ => panic!("unknown variant '{name}'"),
    }
}

/// Returns all FENs of the data files with their variants, except FENs of placement phases.
pub fn data_fens() -> Vec<(String, String)> {
    let mut fens = Vec::new();
    let suites = [
        ("frc.epd", "chess960"),
        ("ifrc.epd", "ifrc"),
        ("jepps.epd", "jepps"),
        ("transcendental.epd", "transcendental"),
    ];
    for (file, variant) in suites {
        for line in read(&format!("perft/{file}")).lines() {
            let fen = line.split(';').next().unwrap().trim();
            fens.push((variant.to_owned(), fen.to_owned()));
        }
    }
    for line in read("edge-cases.tsv").lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        fens.push((columns[1].to_owned(), columns[2].to_owned()));
    }
    for line in read("perft/edge-cases.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let variant = row["variant"].as_str().unwrap();
        for key in ["fen", "fen_after"] {
            // Skip placement phases, whose FENs have pieces in hand in brackets.
            if let Some(fen) = row[key].as_str().filter(|fen| !fen.contains('[')) {
                fens.push((variant.to_owned(), fen.to_owned()));
            }
        }
    }
    fens
}

/// A board on which each square has a FEN letter, or '.' if the square is empty. Rank 0 is White's first
/// rank.
struct Diagram {
    ranks: Vec<Vec<char>>,
}

impl Diagram {
    fn empty<G: Board>() -> Diagram {
        Diagram { ranks: vec![vec!['.'; G::FILES as usize]; G::RANKS as usize] }
    }

    /// Writes the first field of a FEN.
    fn text(&self) -> String {
        let rank_text = |rank: &Vec<char>| {
            let mut text = String::new();
            let mut empty = 0;
            for &letter in rank.iter().chain(&['$']) {
                if letter == '.' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                if letter != '$' {
                    text.push(letter);
                }
            }
            text
        };
        self.ranks.iter().rev().map(rank_text).collect::<Vec<_>>().join("/")
    }

    /// Writes the castling field with all rights that the kings and rooks on their home ranks allow.
    fn rights<G: Board>(&self, kind: KingRight) -> String {
        let mut text = String::new();
        for color in 0..2 {
            let rank = &self.ranks[G::HOME_RANK[color] as usize];
            let (king, rook) = [('K', 'R'), ('k', 'r')][color];
            let Some(file) = rank.iter().position(|&letter| letter == king) else { continue };
            let letter_of = |rook: usize| {
                let letter = (b'A' + rook as u8) as char;
                if color == 0 { letter } else { letter.to_ascii_lowercase() }
            };
            match kind {
                KingRight::Castling => {
                    let left = rank[..file].iter().position(|&letter| letter == rook);
                    let right = rank[file..].iter().rposition(|&letter| letter == rook);
                    text.extend(right.map(|at| letter_of(file + at)));
                    text.extend(left.map(letter_of));
                }
                KingRight::Relocation => text.push(king),
                KingRight::None => {}
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }
}

/// Returns a random back rank with bishops on opposite colours and the king between the rooks.
fn back_rank(random: &mut Random) -> [char; 8] {
    let mut rank = ['.'; 8];
    rank[2 * random.below(4)] = 'B';
    rank[2 * random.below(4) + 1] = 'B';
    let put = |rank: &mut [char; 8], letter: char, number: usize| {
        let free: Vec<usize> = (0..8).filter(|&file| rank[file] == '.').collect();
        rank[free[number]] = letter;
    };
    put(&mut rank, 'Q', random.below(6));
    put(&mut rank, 'N', random.below(5));
    put(&mut rank, 'N', random.below(4));
    for letter in ['R', 'K', 'R'] {
        put(&mut rank, letter, 0);
    }
    rank
}

/// Returns a random starting position with independent back ranks and all rights. Each piece and pawn except
/// the kings and rooks is missing with a probability of `removed` per cent.
pub fn random_start<G: Board>(random: &mut Random, kind: KingRight, removed: usize) -> Position<G> {
    loop {
        let mut diagram = Diagram::empty::<G>();
        for color in 0..2 {
            for (i, piece) in back_rank(random).into_iter().enumerate() {
                let file = G::FIRST_START_FILE as usize + i;
                for (rank, letter) in [(G::HOME_RANK[color], piece), (G::PAWN_RANK[color], 'P')] {
                    if matches!(letter, 'K' | 'R') || !random.percent(removed) {
                        let letter = if color == 0 { letter } else { letter.to_ascii_lowercase() };
                        diagram.ranks[rank as usize][file] = letter;
                    }
                }
            }
        }
        let fen = format!("{} w {} - 0 1", diagram.text(), diagram.rights::<G>(kind));
        match Position::from_fen(&fen, kind) {
            Ok(position) => return position,
            // If pieces are missing, Black may be in check, which makes the position illegal.
            Err(error) => assert!(removed > 0, "{fen}: {error}"),
        }
    }
}

/// Returns the FEN of randomly placed pieces, often with castling rights or an en passant square. Random
/// placements contain far more exchanges, pins, checks and promotions than games. Many random placements are
/// illegal; [`random_position`] returns only legal positions.
pub fn random_placement<G: Board>(random: &mut Random, kind: KingRight) -> String {
    let mut diagram = Diagram::empty::<G>();
    let side = random.below(2);
    let put = |diagram: &mut Diagram, random: &mut Random, letter: char, rank: Option<u8>| {
        let lowest = if letter.eq_ignore_ascii_case(&'p') { 1 } else { 0 };
        let ranks = G::RANKS as usize - 2 * lowest;
        let rank = rank.map_or_else(|| lowest + random.below(ranks), usize::from);
        let file = random.below(G::FILES as usize);
        if diagram.ranks[rank][file] == '.' {
            diagram.ranks[rank][file] = letter;
        }
    };
    let pieces = random.below(15);
    for (color, king) in ['K', 'k'].into_iter().enumerate() {
        let home = random.percent(60).then_some(G::HOME_RANK[color]);
        put(&mut diagram, random, king, home);
        for _ in 0..pieces {
            let letter = random.choose(&['P', 'P', 'P', 'P', 'N', 'N', 'B', 'B', 'R', 'R', 'Q']);
            let home = (letter == 'R' && home.is_some() && random.percent(60)).then_some(home);
            let letter = if color == 0 { letter } else { letter.to_ascii_lowercase() };
            put(&mut diagram, random, letter, home.flatten());
        }
    }
    let en_passant = double_step::<G>(&mut diagram, random, side);
    let rights = diagram.rights::<G>(kind);
    let side = ['w', 'b'][side];
    format!("{} {side} {rights} {en_passant} {} 40", diagram.text(), random.below(120))
}

/// Sometimes places a pawn as after a double step, next to an enemy pawn. Returns the en passant field of the
/// FEN.
fn double_step<G: Board>(diagram: &mut Diagram, random: &mut Random, side: usize) -> String {
    if random.percent(70) {
        return "-".to_owned();
    }
    let start = G::PAWN_RANK[1 - side] as usize;
    let (passed, landed) = if side == 1 { (start + 1, start + 2) } else { (start - 1, start - 2) };
    let file = random.below(G::FILES as usize);
    let capturer_file = if file == 0 { 1 } else { file - 1 };
    let kings = |letter: char| letter.eq_ignore_ascii_case(&'k');
    let cells = [(start, file), (passed, file), (landed, file), (landed, capturer_file)];
    if cells.iter().any(|&(rank, file)| kings(diagram.ranks[rank][file])) {
        return "-".to_owned();
    }
    let pawns = [['p', 'P'], ['P', 'p']][side];
    for ((rank, file), letter) in cells.into_iter().zip(['.', '.', pawns[0], pawns[1]]) {
        diagram.ranks[rank][file] = letter;
    }
    format!("{}{}", (b'a' + file as u8) as char, passed + 1)
}

/// Returns a random legal position made by [`random_placement`].
pub fn random_position<G: Board>(random: &mut Random, kind: KingRight) -> Position<G> {
    loop {
        if let Ok(position) = Position::from_fen(&random_placement::<G>(random, kind), kind) {
            return position;
        }
    }
}

/// Returns a random legal position with the given pieces (FEN letters) and White to move.
pub fn random_ending<G: Board>(random: &mut Random, pieces: &str) -> Position<G> {
    loop {
        let mut diagram = Diagram::empty::<G>();
        for letter in pieces.chars() {
            let free = loop {
                let rank = random.below(G::RANKS as usize);
                let cell = &mut diagram.ranks[rank][random.below(G::FILES as usize)];
                if *cell == '.' {
                    break cell;
                }
            };
            *free = letter;
        }
        let fen = format!("{} w - - 0 1", diagram.text());
        if let Ok(position) = Position::from_fen(&fen, KingRight::Castling) {
            return position;
        }
    }
}

/// Returns a random legal move. Castling and en passant are preferred, because these moves are rare and prone
/// to bugs.
pub fn random_move<G: Board>(random: &mut Random, position: &Position<G>) -> Option<Move> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return None;
    }
    if random.percent(30)
        && let Some(&rare) =
            moves.iter().find(|&&mv| position.is_castling(mv) || position.is_en_passant(mv))
    {
        return Some(rare);
    }
    Some(random.choose(&moves))
}

/// Plays a random game of at most `plies` plies. Calls `visit` for each position with the move made in this
/// position.
pub fn play<G: Board>(
    random: &mut Random,
    mut position: Position<G>,
    plies: usize,
    mut visit: impl FnMut(&Position<G>, Option<Move>),
) {
    for _ in 0..plies {
        let mv = random_move(random, &position);
        visit(&position, mv);
        let Some(mv) = mv else { return };
        position.make(mv);
    }
    visit(&position, None);
}
