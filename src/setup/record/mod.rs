//! The inventors' own records of placement phases, written and read.
//!
//! | game | record |
//! | --- | --- |
//! | Jepps | `Na1, Bb1, Kc1, ...`, White's whole rank; on the next line `Mirror`, `Reverse` or Black's own string `Ra8, ...` |
//! | Jepps, Free Play | `1. Na1 Kh8 2. Bb1 Rg8 ...` to 8; the game continues with move 9; numbers i to viii are read too |
//! | Fischer-Benko | `1. R@h1 N@e8 2. N@d1 R@a8 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8` |
//! | Half-Random Transcendental, Pre-Chess | likewise, one piece per turn |
//!
//! A record of the last two rows begins with PGN tags that name the game and, if dice placed pieces
//! before the first turn, the initial board:
//!
//! ```text
//! [Variant "fischerbenko"]
//! [FEN "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1"]
//! 1. R@h1 N@e8 2. N@d1 R@a8 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8
//! ```
//!
//! Other tags, and `*` at the end, are skipped, so that a record can be part of a PGN. Numbers may
//! be omitted, but not be wrong. The `@` may be omitted everywhere. A record may be incomplete.
//! Several records can follow one another, separated by a blank line or tags.
//!
//! **The canonical record of a start** ([`Record::of_start`]). A pair of back ranks does not tell
//! which pieces the dice placed, nor the order of the others. The canonical record of Fischer-Benko
//! and Half-Random Transcendental Chess begins with the bishops and each side's rook nearer to the
//! a-file. Then both sides always place rooks, bishops, knights, queen, king, of equal pieces the
//! one nearer to the a-file first; in Fischer-Benko the last two together. Every prefix is legal
//! because it leads to a legal start. In Jepps Random Chess the squares come in their order, and
//! the second line is `Mirror` or `Reverse` if Black's back rank is one of these.

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

/// A placement phase from its beginning, finished or not. Every turn in it is legal.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    beginning: Setup,
    placements: Vec<Placement>,
    /// The mediator's verdict, if it ended the placement phase: mirror or reverse.
    verdict: Option<BlackBackRank>,
    phase: SetupOrGame,
}

impl Record {
    /// Returns a record without turns. In Jepps Random Chess the board should be empty, because its
    /// records cannot express any other beginning.
    pub fn new(beginning: Setup) -> Record {
        let phase = SetupOrGame::Setup(beginning);
        Record { beginning, placements: Vec::new(), verdict: None, phase }
    }

    /// Returns a record that leads to a state without defects. The records of Jepps Random Chess
    /// can only begin on the empty board, but its squares are filled in order, so the turns are
    /// known. In the other games the record begins with the state.
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

    /// Returns the canonical record that leads to a start (see the module documentation), or `None`
    /// for variants without a placement phase.
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

    /// Returns the mediator's verdict if it ended the placement phase: mirror or reverse.
    pub const fn verdict(&self) -> Option<BlackBackRank> {
        self.verdict
    }

    /// Returns the state or game after the last turn.
    pub const fn phase(&self) -> &SetupOrGame {
        &self.phase
    }

    /// Returns the state of the placement phase, unless it is over.
    pub const fn state(&self) -> Option<&Setup> {
        match &self.phase {
            SetupOrGame::Setup(state) => Some(state),
            SetupOrGame::Game(_) => None,
        }
    }

    /// Returns the game, once the placement phase is over.
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

    /// Adds a turn. Returns whether it was legal; if not, nothing changes.
    pub fn place(&mut self, placement: Placement) -> bool {
        let SetupOrGame::Setup(state) = self.phase else { return false };
        if !state.is_legal(placement) {
            return false;
        }
        self.phase = state.after(placement);
        self.placements.push(placement);
        true
    }

    /// Switches to Free Play if the next turn shows that it is being played; see
    /// [`Setup::decided_by`].
    fn decide_order(&mut self, turn: &str) {
        if let SetupOrGame::Setup(state) = &mut self.phase {
            *state = state.decided_by(turn);
            if state.kind() == SetupKind::JeppsFreePlay {
                self.beginning = Setup::empty(SetupKind::JeppsFreePlay);
            }
        }
    }

    /// Applies the mediator's verdict of Jepps Random Chess. Returns whether a verdict is possible
    /// now; if not, nothing changes. `Own` is not recorded, because Black's placements follow.
    pub fn decide(&mut self, verdict: BlackBackRank) -> bool {
        let SetupOrGame::Setup(state) = self.phase else { return false };
        let Some(phase) = state.after_verdict(verdict) else { return false };
        self.verdict = (verdict != BlackBackRank::Own).then_some(verdict);
        self.phase = phase;
        true
    }

    /// Returns the back ranks, White's first.
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

    /// Returns the start, once the placement phase is over.
    pub fn start(&self) -> Option<Start> {
        let [white, black] = self.ranks().map(|rank| rank.complete());
        Start::new(self.variant(), white?, black?).ok()
    }

    /// Returns the FEN after the last turn. Castling rights are written by file (`HEga`), except in
    /// Pre-Chess, which has orthodox castling and `KQkq`.
    pub fn fen(&self) -> String {
        match (&self.phase, self.beginning.kind()) {
            (SetupOrGame::Setup(state), _) => state.fen(),
            (SetupOrGame::Game(game), SetupKind::Placement) => game.fen(FenStyle::XFen),
            (SetupOrGame::Game(game), _) => game.fen(FenStyle::Shredder),
        }
    }

    /// Returns the tags that the record needs, one per line.
    fn tags(&self) -> String {
        let variant = self.variant();
        // Without turns, only the FEN identifies a record.
        let is_begun = !self.placements.is_empty() || self.verdict.is_some();
        match self.beginning.kind() {
            SetupKind::Jepps | SetupKind::JeppsFreePlay if is_begun => String::new(),
            _ if is_begun && self.beginning.is_empty_board() => {
                format!("[Variant \"{variant}\"]\n")
            }
            _ => format!("[Variant \"{variant}\"]\n[FEN \"{}\"]\n", self.beginning.fen()),
        }
    }

    /// Returns White's string, and the verdict or Black's string.
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

    /// Returns the turns with their numbers, in one line.
    fn numbered(&self) -> String {
        let free_play = self.beginning.kind() == SetupKind::JeppsFreePlay;
        let mut number = self.beginning.number();
        let mut words = Vec::new();
        // Without turns, the number distinguishes Free Play.
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
    /// Writes the record as its inventor does, without a line break at the end.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let turns = match self.beginning.kind() {
            SetupKind::Jepps => self.two_lines(),
            _ => self.numbered(),
        };
        f.write_str(format!("{}{turns}", self.tags()).trim_end())
    }
}

/// Returns the placement that leads from one state of Jepps Random Chess towards another.
fn next_of(now: &Setup, wanted: &Setup) -> Option<Placement> {
    let (color, file) = (now.side_to_place(), now.next_square()?.file());
    let role = wanted.rank(color).get(usize::from(file))?;
    Some(Placement::single(color, SingleDrop { role, file }))
}

impl Setup {
    /// Whether nothing has been placed, by dice or by players, and the first turn is number 1.
    fn is_empty_board(&self) -> bool {
        self.ranks == [PartialBackRank::EMPTY; 2] && self.side == Color::White && self.number == 1
    }
}

/// Returns the state in which the canonical record of a start begins.
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

/// Returns the pieces that a side places, in order.
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
