//! The inventors' own records of placement phases, written and read.
//!
//! | game | record |
//! | --- | --- |
//! | Jepps | `Na1, Bb1, Kc1, ...`, White's whole rank; on the next line `Mirror`, `Reverse` or Black's own rank `Ra8, ...` |
//! | Jepps, Free Play | `1. Na1 Kh8 2. Bb1 Rg8 ...` up to turn 8; the game continues with move 9; the numbers may also be Roman, i to viii |
//! | Fischer-Benko | `1. R@h1 N@e8 2. N@d1 R@a8 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8` |
//! | Half-Random Transcendental, Pre-Chess | likewise, one piece per turn |
//!
//! In the games of the last two rows a record begins with PGN tags. One tag names the variant. If
//! dice placed pieces before the first turn, another tag holds the initial board:
//!
//! ```text
//! [Variant "fischerbenko"]
//! [FEN "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1"]
//! 1. R@h1 N@e8 2. N@d1 R@a8 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8
//! ```
//!
//! Other tags are skipped, and so is `*` at the end of the record, so a record can be part of a PGN.
//! Turn numbers may be omitted, but wrong numbers are errors. The `@` may be omitted everywhere. A
//! record may be incomplete. Several records can follow one another, separated by a blank line or
//! tags.
//!
//! **The canonical record of a start** ([`Record::of_start`]). A starting position shows neither which pieces
//! the dice placed nor in which order the other pieces were placed. The canonical record of Fischer-Benko and
//! Half-Random Transcendental Chess assumes that the dice placed the bishops and each side's rook nearer to
//! the a-file. The sides then place rooks, bishops, knights, queen and king in this order. Of two equal
//! pieces, the piece nearer to the a-file comes first. In Fischer-Benko each side places its last two pieces
//! together. Every turn is legal because all turns together lead to a legal starting position. In Jepps
//! Random Chess the squares are filled in the prescribed order. The second line is `Mirror` or `Reverse` if
//! Black's back rank mirrors or reverses White's.

mod read;
#[cfg(test)]
mod tests;

use std::fmt;

pub use read::{RecordError, RecordFault};

use super::{Placement, Setup, SetupOrGame, SingleDrop};
use crate::geometry::Board8x8;
use crate::position::{FenStyle, Position};
use crate::rules::{SetupKind, Variant};
use crate::start::{BackRank, BlackBackRank, PartialBackRank, SetupRoot, SetupStart, Start};
use crate::types::{Color, Role};

/// The order in which the canonical record places pieces.
const CANONICAL: [Role; 5] = [Role::Rook, Role::Bishop, Role::Knight, Role::Queen, Role::King];

/// The turns of a finished or unfinished placement phase. Every turn of a record is legal.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    beginning: Setup,
    placements: Vec<Placement>,
    /// The mediator's verdict, mirror or reverse, if it gave Black its back rank and so ended the placement
    /// phase.
    verdict: Option<BlackBackRank>,
    phase: SetupOrGame,
}

impl Record {
    /// Returns a record without turns. In Jepps Random Chess `beginning` should be the empty board, because
    /// the notation of Jepps Random Chess has no initial board.
    pub fn new(beginning: Setup) -> Record {
        let phase = SetupOrGame::Setup(beginning);
        Record { beginning, placements: Vec::new(), verdict: None, phase }
    }

    /// Returns a record that leads to `state`, which must have no [defect](Setup::defect). A record of Jepps
    /// Random Chess begins on the empty board; its turns follow from the prescribed order of the squares. In
    /// the other games the record begins with `state` and has no turns.
    pub fn reaching(state: &Setup) -> Record {
        let beginning = match state.kind() {
            kind if kind.fills_in_order() => Setup::empty(kind),
            _ => return Record::new(*state),
        };
        let mut record = Record::new(beginning);
        while let Some(next) = record.state().and_then(|now| next_of(now, state))
            && record.place(next)
        {}
        record
    }

    /// Returns the canonical record that leads to a starting position (see the module documentation), or
    /// `None` for variants without a placement phase.
    pub fn of_start(start: &Start) -> Option<Record> {
        let kind = start.variant().rules().setup?;
        let beginning = canonical_beginning(kind, start)?;
        let mut record = Record::new(beginning);
        let mut queues = Color::ALL.map(|color| canonical_order(&beginning, start, color));
        while let SetupOrGame::Setup(state) = record.phase {
            let color = state.side_to_place();
            let verdict = start.black_back_rank();
            let between = color == Color::Black && state.pocket(color).len() == 8;
            if kind == SetupKind::Jepps && between && verdict != BlackBackRank::Own {
                record.decide(verdict).then_some(())?;
                continue;
            }
            let mut drops = queues[color.index()].drain(..);
            let first = drops.next()?;
            let placement = match drops.as_slice() {
                [second] if kind.ends_with_two() => Placement::double(color, first, *second),
                _ => Placement::single(color, first),
            };
            let rest = drops.skip(placement.drops().count() - 1).collect();
            queues[color.index()] = rest;
            record.place(placement).then_some(())?;
        }
        Some(record)
    }

    /// Returns the state before the first turn.
    pub const fn beginning(&self) -> &Setup {
        &self.beginning
    }

    /// Returns the turns so far.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// Returns the mediator's verdict, mirror or reverse, if it gave Black its back rank and so ended the
    /// placement phase.
    pub const fn verdict(&self) -> Option<BlackBackRank> {
        self.verdict
    }

    /// Returns the state after the last turn, or the game if the placement phase is over.
    pub const fn phase(&self) -> &SetupOrGame {
        &self.phase
    }

    /// Returns the state of the placement phase, or `None` if the placement phase is over.
    pub const fn state(&self) -> Option<&Setup> {
        match &self.phase {
            SetupOrGame::Setup(state) => Some(state),
            SetupOrGame::Game(_) => None,
        }
    }

    /// Returns the game, or `None` if the placement phase is not over.
    pub const fn game(&self) -> Option<&Position<Board8x8>> {
        match &self.phase {
            SetupOrGame::Setup(_) => None,
            SetupOrGame::Game(game) => Some(game),
        }
    }

    /// Returns the variant.
    pub const fn variant(&self) -> Variant {
        self.beginning.kind().variant()
    }

    /// Adds a turn and returns `true`. If the turn is illegal, returns `false` and changes nothing.
    pub fn place(&mut self, placement: Placement) -> bool {
        let SetupOrGame::Setup(state) = self.phase else { return false };
        if !state.is_legal(placement) {
            return false;
        }
        self.phase = state.after(placement);
        self.placements.push(placement);
        true
    }

    /// Switches from Jepps Random Chess to its Free Play if `turn` is possible only in Free Play; see
    /// [`Setup::decided_by`].
    fn decide_order(&mut self, turn: &str) {
        if let SetupOrGame::Setup(state) = &mut self.phase {
            *state = state.decided_by(turn);
            if state.kind() == SetupKind::JeppsFreePlay {
                self.beginning = Setup::empty(SetupKind::JeppsFreePlay);
            }
        }
    }

    /// Applies the mediator's verdict of Jepps Random Chess and returns `true`. If no verdict is possible in
    /// this state, returns `false` and changes nothing. A verdict that lets Black roll dice for its own back
    /// rank is not recorded, because Black's placements follow in the record.
    pub fn decide(&mut self, verdict: BlackBackRank) -> bool {
        let SetupOrGame::Setup(state) = self.phase else { return false };
        let Some(phase) = state.after_verdict(verdict) else { return false };
        self.verdict = (verdict != BlackBackRank::Own).then_some(verdict);
        self.phase = phase;
        true
    }

    /// Returns White's and Black's back ranks after the last turn.
    pub fn ranks(&self) -> [PartialBackRank; 2] {
        let mut ranks = Color::ALL.map(|color| *self.beginning.rank(color));
        for placement in &self.placements {
            let rank = &mut ranks[placement.color().index()];
            *rank = placement.applied_to(rank);
        }
        let black = self.verdict.and_then(|verdict| verdict.of_white(ranks[0].complete()?));
        if let Some(back_rank) = black {
            ranks[1] = back_rank.into();
        }
        ranks
    }

    /// Returns the starting position that the placements led to, or `None` if the placement phase is not
    /// over.
    pub fn start(&self) -> Option<Start> {
        let [white, black] = self.ranks().map(|rank| rank.complete());
        Start::new(self.variant(), white?, black?).ok()
    }

    /// Returns the FEN after the last turn. Castling rights are written as file letters, as in `HEga`. In
    /// Pre-Chess, which has orthodox castling, castling rights are written as `KQkq`.
    pub fn fen(&self) -> String {
        match (&self.phase, self.beginning.kind()) {
            (SetupOrGame::Setup(state), _) => state.fen(),
            (SetupOrGame::Game(game), SetupKind::Placement) => game.fen(FenStyle::XFen),
            (SetupOrGame::Game(game), _) => game.fen(FenStyle::Shredder),
        }
    }

    /// Returns the PGN tags that a reader of the record needs, one per line.
    fn tags(&self) -> String {
        let variant = self.variant();
        // A record without turns is identified by its FEN alone.
        let is_begun = !self.placements.is_empty() || self.verdict.is_some();
        match self.beginning.kind() {
            SetupKind::Jepps | SetupKind::JeppsFreePlay if is_begun => String::new(),
            _ if is_begun && self.beginning.is_empty_board() => {
                format!("[Variant \"{variant}\"]\n")
            }
            _ => format!("[Variant \"{variant}\"]\n[FEN \"{}\"]\n", self.beginning.fen()),
        }
    }

    /// Returns the text of a record of Jepps Random Chess. The first line has White's placements; the second
    /// line has the verdict `Mirror` or `Reverse`, or Black's placements.
    fn two_lines(&self) -> String {
        let string = |color: Color| -> String {
            let of_color = self.placements.iter().filter(|turn| turn.color() == color);
            let texts: Vec<String> =
                of_color.map(|turn| turn.to_string().replace('@', "")).collect();
            texts.join(", ")
        };
        let second = match self.verdict {
            Some(BlackBackRank::Mirror) => "Mirror".to_owned(),
            Some(BlackBackRank::Reverse) => "Reverse".to_owned(),
            _ => string(Color::Black),
        };
        let gap = if second.is_empty() { "" } else { "\n" };
        format!("{}{gap}{second}", string(Color::White))
    }

    /// Returns the turns in one line, with turn numbers such as `1.`.
    fn numbered(&self) -> String {
        let free_play = self.beginning.kind() == SetupKind::JeppsFreePlay;
        let mut number = self.beginning.number();
        let mut words = Vec::new();
        // Without turns, the first turn number shows that the game is Free Play: other records of Jepps
        // Random Chess have no turn numbers.
        if free_play && self.placements.is_empty() {
            words.push(format!("{number}."));
        }
        for (nth, placement) in self.placements.iter().enumerate() {
            match placement.color() {
                Color::White => words.push(format!("{number}.")),
                Color::Black if nth == 0 => words.push(format!("{number}...")),
                Color::Black => {}
            }
            let text = placement.to_string();
            words.push(if free_play { text.replace('@', "") } else { text });
            number += u32::from(placement.color() == Color::Black);
        }
        words.join(" ")
    }
}

impl fmt::Display for Record {
    /// Writes the record in the notation of the game's inventor, without a final line break.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let turns = match self.beginning.kind() {
            SetupKind::Jepps => self.two_lines(),
            _ => self.numbered(),
        };
        f.write_str(format!("{}{turns}", self.tags()).trim_end())
    }
}

/// Returns the next placement of Jepps Random Chess on the way from the state `now` to the state `wanted`.
fn next_of(now: &Setup, wanted: &Setup) -> Option<Placement> {
    let (color, file) = (now.side_to_place(), now.next_square()?.file());
    let role = wanted.rank(color).get(usize::from(file))?;
    Some(Placement::single(color, SingleDrop { role, file }))
}

impl Setup {
    /// Returns whether no piece has been placed yet: both back ranks are empty, and White has turn number 1.
    fn is_empty_board(&self) -> bool {
        self.ranks == [PartialBackRank::EMPTY; 2] && self.side == Color::White && self.number == 1
    }
}

/// Returns the state before the first turn of the canonical record of a starting position.
fn canonical_beginning(kind: SetupKind, start: &Start) -> Option<Setup> {
    let variant = start.variant();
    if !kind.has_random_part() {
        return Some(Setup::empty(kind));
    }
    let root = |back_rank: BackRank| {
        let rook = back_rank.files_of(Role::Rook).next();
        let mut squares = back_rank.roles().map(Some);
        for (file, square) in squares.iter_mut().enumerate() {
            if *square != Some(Role::Bishop) && Some(file) != rook {
                *square = None;
            }
        }
        SetupRoot::of_rank(&PartialBackRank::new(squares).ok()?)
    };
    let roots = [root(start.back_rank(Color::White))?, root(start.back_rank(Color::Black))?];
    Some(Setup::new(&SetupStart::of_roots(variant, roots).ok()?))
}

/// Returns the pieces that a side places in the canonical record of a starting position, in the order of its
/// turns.
fn canonical_order(beginning: &Setup, start: &Start, color: Color) -> Vec<SingleDrop> {
    let back_rank = start.back_rank(color);
    let given = beginning.rank(color);
    let drops = (0_u8..).zip(back_rank.roles()).map(|(file, role)| SingleDrop { role, file });
    let mut drops: Vec<_> = drops.filter(|drop| given.get(drop.file as usize).is_none()).collect();
    if !beginning.kind().fills_in_order() {
        drops.sort_by_key(|drop| CANONICAL.iter().position(|role| *role == drop.role));
    }
    drops
}
