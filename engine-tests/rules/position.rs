//! Tests of positions: incrementally updated keys, checkers and pins, the legality of single moves, the
//! stages of the generator, and static exchange evaluation.

use std::collections::{HashMap, HashSet};

use crate::common::{self, Random};
use aleator::geometry::{Board, Board8x8, Board10x10};
use aleator::position::{FenStyle, Position, piece_value};
use aleator::rules::KingRight;
use aleator::types::{Color, Move, MoveList, Piece, Role, Square};

const KINDS: [KingRight; 3] = [KingRight::Castling, KingRight::Relocation, KingRight::None];

/// Makes two tests of each generic function: one for the 8x8 board and one for the 10x10 board.
macro_rules! on_both_boards {
    ($($name:ident),+ $(,)?) => {
        $(mod $name {
            #[test]
            fn on_8x8() {
                super::$name::<super::Board8x8>(8);
            }
            #[test]
            fn on_10x10() {
                super::$name::<super::Board10x10>(10);
            }
        })+
    };
}

on_both_boards!(
    incremental_state_equals_that_of_a_position_read_from_its_fen,
    has_pieces_ignores_king_and_pawns,
    keys_distinguish_positions,
    is_legal_accepts_exactly_the_generated_moves,
    noisy_and_quiet_moves_make_up_all_moves,
    null_moves_change_only_the_side_to_move_and_the_clocks,
    keys_are_predicted_for_ordinary_moves,
    see_agrees_with_a_slow_evaluation,
);

/// Returns, for each kind of right, `count` positions of random games (some with missing pieces) and `count`
/// random placements.
fn sample<G: Board>(seed: u64, count: usize) -> Vec<(KingRight, Position<G>)> {
    let mut random = Random::new(seed);
    let mut positions = Vec::new();
    for kind in KINDS {
        let end = positions.len() + count;
        while positions.len() < end {
            let removed = random.choose(&[0, 60]);
            let start = common::random_start::<G>(&mut random, kind, removed);
            let skip = random.below(8) + 1;
            let mut ply = 0;
            common::play(&mut random, start, 120, |position, _| {
                ply += 1;
                if ply % skip == 0 && positions.len() < end {
                    positions.push((kind, position.clone()));
                }
            });
        }
        for _ in 0..count {
            positions.push((kind, common::random_position(&mut random, kind)));
        }
    }
    positions
}

/// Returns the parts of a position that are updated incrementally.
fn derived<G: Board>(position: &Position<G>) -> impl PartialEq + std::fmt::Debug {
    (
        position.key(),
        position.pawn_key(),
        Color::ALL.map(|color| position.non_pawn_key(color)),
        (position.checkers(), position.pinned(), position.rights()),
        position.en_passant(),
        Square::all().map(|square| position.piece_at(square)).collect::<Vec<_>>(),
    )
}

fn has_pieces_ignores_king_and_pawns<G: Board>(seed: u64) {
    let mut bare = 0;
    for (_, position) in sample::<G>(seed, 500) {
        for color in Color::ALL {
            let is_piece = |piece: Piece| {
                piece.color() == color && !matches!(piece.role(), Role::King | Role::Pawn)
            };
            let found = Square::all().filter_map(|square| position.piece_at(square)).any(is_piece);
            assert_eq!(position.has_pieces(color), found, "{position:?}");
            bare += usize::from(!found);
        }
    }
    assert!(bare > 20, "{bare}");
}

fn incremental_state_equals_that_of_a_position_read_from_its_fen<G: Board>(seed: u64) {
    let mut random = Random::new(seed);
    let (mut castlings, mut en_passants, mut promotions, mut relocations) = (0, 0, 0, 0);
    for game in 0..300 {
        let kind = KINDS[game % 3];
        let start = match game % 2 {
            0 => common::random_start::<G>(&mut random, kind, 30 * (game % 4)),
            _ => common::random_position::<G>(&mut random, kind),
        };
        common::play(&mut random, start, 80, |position, mv| {
            for style in [FenStyle::XFen, FenStyle::Shredder] {
                let fen = position.fen(style);
                let fresh = Position::<G>::from_fen(&fen, kind).unwrap();
                assert_eq!(derived(position), derived(&fresh), "{fen}");
                assert_eq!(position, &fresh, "{fen}");
            }
            let Some(mv) = mv else { return };
            castlings += usize::from(position.is_castling(mv));
            en_passants += usize::from(position.is_en_passant(mv));
            promotions += usize::from(position.is_promotion(mv));
            let (from, to) = (mv.from::<G>(), mv.to::<G>());
            relocations += usize::from(
                kind == KingRight::Relocation
                    && from == position.king(position.side_to_move())
                    && from.file().abs_diff(to.file()) > 1,
            );
        });
    }
    let met = [castlings, en_passants, promotions, relocations];
    assert!(met.iter().all(|&count| count > 10), "{met:?}");
}

/// Two positions must have the same key exactly if the first four fields of their FENs are equal. The keys of
/// pawns and of pieces must be the same exactly if these pawns or pieces stand on the same squares.
fn keys_distinguish_positions<G: Board>(seed: u64) {
    /// Checks that equal texts have equal keys and different texts have different keys.
    #[derive(Default)]
    struct Pairs {
        keys: HashMap<String, u64>,
        seen: HashSet<u64>,
    }
    impl Pairs {
        fn add(&mut self, text: String, key: u64) {
            match self.keys.get(&text) {
                Some(&known) => assert_eq!(known, key, "{text}"),
                None => {
                    assert!(self.seen.insert(key), "{text} has the key of another text");
                    self.keys.insert(text, key);
                }
            }
        }
    }
    let [mut whole, mut pawns, mut white, mut black] = [(); 4].map(|()| Pairs::default());
    let only = |position: &Position<G>, wanted: &dyn Fn(Piece) -> bool| -> String {
        Square::all()
            .map(|square| position.piece_at(square).filter(|&piece| wanted(piece)))
            .map(|piece| piece.map_or('.', Piece::letter))
            .collect()
    };
    let mut positions = 0;
    for (kind, position) in sample::<G>(seed, 150) {
        // Include the positions after each move, so that similar positions are compared.
        let next = position.legal_moves().into_iter().map(|mv| position.after(mv));
        for position in next.chain([position.clone()]) {
            // The letter `K` means a rook's right in some variants and a king's right in others, so include
            // the kind of right.
            let fen = position.fen(FenStyle::Shredder);
            let fields: Vec<&str> = fen.split(' ').take(4).collect();
            let no_rights = position.rights().is_empty();
            let kind = if no_rights { KingRight::None } else { kind };
            whole.add(format!("{kind:?} {}", fields.join(" ")), position.key());
            let is_pawn = |piece: Piece| piece.role() == Role::Pawn;
            let of = |color| move |piece: Piece| !is_pawn(piece) && piece.color() == color;
            pawns.add(only(&position, &is_pawn), position.pawn_key());
            white.add(only(&position, &of(Color::White)), position.non_pawn_key(Color::White));
            black.add(only(&position, &of(Color::Black)), position.non_pawn_key(Color::Black));
            positions += 1;
        }
    }
    assert!(positions > 10_000 && whole.keys.len() > 9_000, "{positions}");
}

/// `is_legal` must be right for any 16 bits, such as those of a corrupt transposition table entry.
fn is_legal_accepts_exactly_the_generated_moves<G: Board>(seed: u64) {
    let mut patterns = 0;
    for (_, position) in sample::<G>(seed, 50) {
        let generated: HashSet<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
        let mut legal = 0;
        for bits in 0..=u16::MAX {
            let Some(mv) = Move::from_bits::<G>(bits) else {
                assert!(!generated.contains(&bits));
                continue;
            };
            patterns += 1;
            let expected = generated.contains(&bits);
            assert_eq!(position.is_legal(mv), expected, "{mv:?} in {position:?}");
            legal += usize::from(expected);
        }
        assert_eq!(legal, position.legal_moves().len(), "a duplicate move in {position:?}");
    }
    assert!(patterns > 4_000_000, "{patterns}");
}

fn noisy_and_quiet_moves_make_up_all_moves<G: Board>(seed: u64) {
    let mut moves = 0;
    for (_, position) in sample::<G>(seed, 1_000) {
        let [mut noisy, mut quiet] = [MoveList::new(), MoveList::new()];
        position.add_noisy_moves(&mut noisy);
        position.add_quiet_moves(&mut quiet);
        for &mv in &noisy {
            let loud = position.is_capture(mv) || position.is_promotion(mv);
            assert!(loud, "{mv:?} is noisy in {position:?}");
            assert_eq!(position.is_capture(mv), position.captured(mv).is_some(), "{mv:?}");
        }
        for &mv in &quiet {
            let loud = position.is_capture(mv) || position.is_promotion(mv);
            assert!(!loud, "{mv:?} is quiet in {position:?}");
            assert_eq!(position.captured(mv), None);
        }
        let all: HashSet<Move> = position.legal_moves().into_iter().collect();
        let stages: HashSet<Move> = noisy.iter().chain(&quiet).copied().collect();
        assert_eq!(all, stages, "{position:?}");
        assert_eq!(stages.len(), noisy.len() + quiet.len(), "a duplicate move in {position:?}");
        assert_eq!(position.legal_moves().len(), all.len(), "a duplicate move in {position:?}");
        assert_eq!(position.count_legal_moves() as usize, all.len());
        assert_eq!(position.has_legal_move(), !all.is_empty());
        moves += all.len();
        // Generating another stage appends to the list.
        position.add_noisy_moves(&mut quiet);
        assert_eq!(quiet.len(), all.len());
    }
    assert!(moves > 50_000, "{moves}");
}

/// An ordinary move changes only the origin and the target square. It does not change the rights and does not
/// create an en passant square.
fn keys_are_predicted_for_ordinary_moves<G: Board>(seed: u64) {
    let (mut ordinary, mut captures, mut passed) = (0, 0, 0);
    for (_, position) in sample::<G>(seed, 300) {
        for mv in position.legal_moves() {
            let after = position.after(mv);
            let is_special = position.is_castling(mv)
                || position.is_promotion(mv)
                || position.is_en_passant(mv)
                || after.en_passant().is_some()
                || after.rights() != position.rights();
            if !is_special {
                assert_eq!(position.key_after(mv), after.key(), "{mv:?} in {position:?}");
                ordinary += 1;
                captures += usize::from(position.is_capture(mv));
                passed += usize::from(position.en_passant().is_some());
                let (from, to) = (mv.from::<G>(), mv.to::<G>());
                if position.captured(mv).is_none() && position.en_passant().is_none() {
                    let shift = Position::key_of_shift(position.moved_piece(mv), from, to);
                    assert_eq!(position.key() ^ shift, after.key());
                }
            }
        }
    }
    assert!(
        ordinary > 10_000 && captures > 1_000 && passed > 100,
        "{ordinary} {captures} {passed}"
    );
}

fn null_moves_change_only_the_side_to_move_and_the_clocks<G: Board>(seed: u64) {
    let mut passed = 0;
    for (kind, position) in sample::<G>(seed, 1_000) {
        if position.in_check() {
            continue;
        }
        let mut next = position.clone();
        next.make_null();
        // The FEN must be the same, but with the other side to move, without en passant square, and with the
        // clocks of the next ply.
        let fen = position.fen(FenStyle::Shredder);
        let fields: Vec<&str> = fen.split(' ').collect();
        let black = position.side_to_move() == Color::Black;
        let expected = format!(
            "{} {} {} - {} {}",
            fields[0],
            if black { "w" } else { "b" },
            fields[2],
            position.halfmove_clock() + 1,
            position.fullmove_number() + u32::from(black),
        );
        assert_eq!(next.fen(FenStyle::Shredder), expected);
        let fresh = Position::<G>::from_fen(&expected, kind).unwrap();
        assert_eq!(derived(&next), derived(&fresh), "{expected}");
        passed += 1;
    }
    assert!(passed > 3_000, "{passed}");
}

/// Pairs of squares: the square of a pinned piece, and the square of the piece that pins it.
type Pins = Vec<((i32, i32), (i32, i32))>;

/// A slow mailbox board that does not use Aleator's attack tables.
#[derive(Clone)]
struct Mailbox {
    files: i32,
    ranks: i32,
    pieces: HashMap<(i32, i32), (Color, Role)>,
}

impl Mailbox {
    fn of<G: Board>(position: &Position<G>) -> Mailbox {
        let pieces = Square::<G>::all().filter_map(|square| {
            let piece = position.piece_at(square)?;
            Some((Self::place(square), (piece.color(), piece.role())))
        });
        Mailbox { files: G::FILES.into(), ranks: G::RANKS.into(), pieces: pieces.collect() }
    }

    fn place<G: Board>(square: Square<G>) -> (i32, i32) {
        (i32::from(square.file()), i32::from(square.rank()))
    }

    /// Whether the piece on `from` attacks `to`.
    fn attacks(&self, from: (i32, i32), to: (i32, i32)) -> bool {
        let Some(&(color, role)) = self.pieces.get(&from) else { return false };
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (wide, high) = (dx.abs(), dy.abs());
        let straight = (wide == 0) != (high == 0);
        let diagonal = wide == high && wide > 0;
        match role {
            Role::Pawn => wide == 1 && dy == if color == Color::White { 1 } else { -1 },
            Role::Knight => wide * high == 2,
            Role::King => wide.max(high) == 1,
            Role::Bishop => diagonal && self.is_open(from, to),
            Role::Rook => straight && self.is_open(from, to),
            Role::Queen => (straight || diagonal) && self.is_open(from, to),
        }
    }

    /// Whether all squares between two squares on a line are empty.
    fn is_open(&self, from: (i32, i32), to: (i32, i32)) -> bool {
        let step = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
        let mut at = (from.0 + step.0, from.1 + step.1);
        while at != to {
            if self.pieces.contains_key(&at) {
                return false;
            }
            at = (at.0 + step.0, at.1 + step.1);
        }
        true
    }

    /// Returns the squares of a side's pieces that attack a square. The least valuable piece comes first;
    /// pieces of equal value are in the order of their squares.
    fn attackers(&self, color: Color, to: (i32, i32)) -> Vec<(i32, i32)> {
        let mut found = Vec::new();
        for rank in 0..self.ranks {
            for file in 0..self.files {
                let from = (file, rank);
                let is_own = self.pieces.get(&from).is_some_and(|piece| piece.0 == color);
                if is_own && self.attacks(from, to) {
                    found.push(from);
                }
            }
        }
        found.sort_by_key(|from| self.pieces[from].1); // stable
        found
    }

    /// Returns the pins against a side. A piece is pinned if its removal uncovers an attack on its king.
    fn pins(&self, color: Color) -> Pins {
        let pieces = |color| self.pieces.iter().filter(move |(_, piece)| piece.0 == color);
        let (&king, _) = pieces(color).find(|(_, piece)| piece.1 == Role::King).unwrap();
        let mut found = Vec::new();
        for (&from, _) in pieces(color).filter(|&(&from, _)| from != king) {
            let mut without = self.clone();
            without.pieces.remove(&from);
            for (&enemy, _) in pieces(!color) {
                if without.attacks(enemy, king) && !self.attacks(enemy, king) {
                    found.push((from, enemy));
                }
            }
        }
        found
    }

    /// Returns the value of the better choice of a side: to capture on the square `on` with its least
    /// valuable piece, or not to capture. Pieces that were pinned before the move do not capture while a
    /// pinning piece remains.
    fn exchange(&self, color: Color, on: (i32, i32), pins: &[Pins; 2]) -> i32 {
        let pins_of = &pins[usize::from(color == Color::Black)];
        let pinning = pins_of.iter().any(|&(_, by)| by != on && self.pieces.contains_key(&by));
        let pinned = |from| pinning && pins_of.iter().any(|&(piece, _)| piece == from);
        let mut attackers = self.attackers(color, on);
        attackers.retain(|&from| !pinned(from));
        let Some(&from) = attackers.first() else { return 0 };
        let piece = self.pieces[&from];
        if piece.1 == Role::King && !self.attackers(!color, on).is_empty() {
            return 0; // the king cannot capture a defended piece
        }
        let captured = piece_value(self.pieces[&on].1);
        let mut next = self.clone();
        next.pieces.remove(&from);
        next.pieces.insert(on, piece);
        (captured - next.exchange(!color, on, pins)).max(0)
    }
}

/// Returns the static exchange evaluation of a legal move. This function follows the definition by recursion.
fn slow_exchange<G: Board>(position: &Position<G>, mv: Move) -> i32 {
    if position.is_castling(mv) {
        return 0;
    }
    let us = position.side_to_move();
    let mut board = Mailbox::of(position);
    let pins = [Color::White, Color::Black].map(|color| board.pins(color));
    let (from, to) = (Mailbox::place(mv.from::<G>()), Mailbox::place(mv.to::<G>()));
    let (_, mut role) = board.pieces.remove(&from).unwrap();
    let mut gain = board.pieces.get(&to).map_or(0, |&(_, role)| piece_value(role));
    if role == Role::Pawn && from.0 != to.0 && !board.pieces.contains_key(&to) {
        // The move is en passant: remove the captured pawn, which stands next to the origin.
        board.pieces.remove(&(to.0, from.1)).unwrap();
        gain += piece_value(Role::Pawn);
    }
    if role == Role::Pawn && (to.1 == 0 || to.1 == board.ranks - 1) {
        role = mv.promoted();
        gain += piece_value(role) - piece_value(Role::Pawn);
    }
    board.pieces.insert(to, (us, role));
    gain - board.exchange(!us, to, &pins)
}

fn see_agrees_with_a_slow_evaluation<G: Board>(seed: u64) {
    let mut random = Random::new(seed);
    let (mut winning, mut losing, mut even) = (0, 0, 0);
    for (_, position) in sample::<G>(seed, 100) {
        for mv in position.legal_moves() {
            let value = slow_exchange(&position, mv);
            winning += usize::from(value > 0);
            losing += usize::from(value < 0);
            even += usize::from(value == 0);
            // The move must reach every threshold up to its value, and no higher threshold.
            let far = random.below(4_000) as i32 - 2_000;
            for threshold in [value - 1, value, value + 1, far, 0, 1, -1, -5_000, 5_000] {
                let found = position.see_at_least(mv, threshold);
                let what = format!("{mv:?} has value {value}, threshold {threshold}: {position:?}");
                assert_eq!(found, value >= threshold, "{what}");
            }
        }
    }
    let met = [winning, losing, even];
    assert!(met.iter().all(|&count| count > 500), "{met:?}");
}
