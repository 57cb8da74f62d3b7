//! The inventors' own records of a set-up, written and read.
//!
//! | game | record |
//! | --- | --- |
//! | Jepps | `Na1, Bb1, Kc1, ...`, White's whole rank; on the next line `Mirror`, `Reverse` or Black's own string `Ra8, ...` |
//! | Jepps, Free Play | `1. Na1 Kh8 2. Bb1 Rg8 ...` to 8, the game goes on with move 9; read also with i to viii |
//! | Fischer-Benko | `1. R@h1 N@e8 2. N@d1 R@a8 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8` |
//! | Half-Random Transcendental, Pre-Chess | likewise, one piece a turn |
//!
//! A record of the last two lines says before, in tags as PGN has them, which game it is and, if
//! chance placed pieces before the first turn, on which board it began:
//!
//! ```text
//! [Variant "fischerbenko"]
//! [FEN "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1"]
//! 1. R@h1 N@e8 2. N@d1 R@a8 3. N@a1 N@h8 4. Q@g1+K@f1 Q@b8+K@d8
//! ```
//!
//! Other tags, and `*` at the end, are passed over, so that a record may stand in a PGN. Numbers
//! may be left out, but not be wrong. The `@` may be left out everywhere. A record need not be
//! finished. Several may follow one another with a blank line or tags between them.
//!
//! **The canonical record of an array pair** ([`Record::of_start`]). An array does not say which
//! pieces chance placed nor in which order the others came. The canonical record of Fischer-Benko
//! and Half-Random Transcendental Chess begins with the bishops and of each side's rooks the one
//! nearer to the a-file. Then both sides place, always, rooks, bishops, knights, queen, king, of
//! equal pieces the one nearer to the a-file first; in Fischer-Benko the last two together. Every
//! prefix of it is legal, because what it leads to is. In Jepps Random Chess the squares come in
//! their order, and the second line is `Mirror` or `Reverse` if that is what Black has.

mod read;
#[cfg(test)]
mod tests;

use std::fmt;

pub use read::{RecordError, RecordFault};

use super::{Placement, Setup, SetupOrGame, SingleDrop};
use crate::geometry::Board8x8;
use crate::position::{FenStyle, Position};
use crate::rules::{SetupKind, Variant};
use crate::start::{Array, BlackArray, PartialArray, SetupRoot, SetupStart, Start};
use crate::types::{Color, Role};

/// The order in which the canonical record places pieces.
const CANONICAL: [Role; 5] = [Role::Rook, Role::Bishop, Role::Knight, Role::Queen, Role::King];

/// A set-up from its beginning on, finished or not. Every turn in it is legal.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    beginning: Setup,
    placements: Vec<Placement>,
    /// The mediator's, if it finished the set-up: mirror or reverse.
    verdict: Option<BlackArray>,
    phase: SetupOrGame,
}

impl Record {
    /// A record without turns. In Jepps Random Chess the board should be empty, because its
    /// records have no room for another beginning.
    pub fn new(beginning: Setup) -> Record {
        let phase = SetupOrGame::Setup(beginning);
        Record { beginning, placements: Vec::new(), verdict: None, phase }
    }

    /// A record that has come to a state without defects. The records of Jepps Random Chess have no
    /// room for another beginning than the empty board, but its squares come in their order, so
    /// that the turns are known; in the other games the state is the beginning.
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

    /// The canonical record that leads to a start (see the head of this file); nothing for
    /// variants without a set-up.
    pub fn of_start(start: &Start) -> Option<Record> {
        let kind = start.variant().rules().setup?;
        let beginning = canonical_beginning(kind, start)?;
        let mut record = Record::new(beginning);
        let mut queues = Color::ALL.map(|color| canonical_order(&beginning, start, color));
        while let SetupOrGame::Setup(state) = record.phase {
            let color = state.side_to_place();
            let verdict = start.black_array();
            let between = color == Color::Black && state.pocket(color).len() == 8;
            if kind == SetupKind::Jepps && between && verdict != BlackArray::Own {
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

    /// Where the set-up began.
    pub const fn beginning(&self) -> &Setup {
        &self.beginning
    }

    /// The turns so far.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// What the mediator said, if that finished the set-up: mirror or reverse.
    pub const fn verdict(&self) -> Option<BlackArray> {
        self.verdict
    }

    /// Where the turns have led.
    pub const fn phase(&self) -> &SetupOrGame {
        &self.phase
    }

    /// The set-up, unless it is over.
    pub const fn state(&self) -> Option<&Setup> {
        match &self.phase {
            SetupOrGame::Setup(state) => Some(state),
            SetupOrGame::Game(_) => None,
        }
    }

    /// The game, once the set-up is over.
    pub const fn game(&self) -> Option<&Position<Board8x8>> {
        match &self.phase {
            SetupOrGame::Setup(_) => None,
            SetupOrGame::Game(game) => Some(game),
        }
    }

    /// The game whose set-up it is.
    pub const fn variant(&self) -> Variant {
        self.beginning.kind().variant()
    }

    /// Adds a turn and says whether that was legal; if not, nothing happens.
    pub fn place(&mut self, placement: Placement) -> bool {
        let SetupOrGame::Setup(state) = self.phase else { return false };
        if !state.is_legal(placement) {
            return false;
        }
        self.phase = state.after(placement);
        self.placements.push(placement);
        true
    }

    /// Goes over to Free Play if the turn to come says so; see [`Setup::decided_by`].
    fn decide_order(&mut self, turn: &str) {
        if let SetupOrGame::Setup(state) = &mut self.phase {
            *state = state.decided_by(turn);
            if state.kind() == SetupKind::JeppsFreePlay {
                self.beginning = Setup::empty(SetupKind::JeppsFreePlay);
            }
        }
    }

    /// Adds the mediator's verdict of Jepps Random Chess and says whether there is one to be given
    /// now; if not, nothing happens. `Own` leaves no trace but Black's placements.
    pub fn decide(&mut self, verdict: BlackArray) -> bool {
        let SetupOrGame::Setup(state) = self.phase else { return false };
        let Some(phase) = state.after_verdict(verdict) else { return false };
        self.verdict = (verdict != BlackArray::Own).then_some(verdict);
        self.phase = phase;
        true
    }

    /// What stands on the back ranks, White's first.
    pub fn ranks(&self) -> [PartialArray; 2] {
        let mut ranks = Color::ALL.map(|color| *self.beginning.rank(color));
        for placement in &self.placements {
            let rank = &mut ranks[placement.color().index()];
            *rank = placement.applied_to(rank);
        }
        let black = self.verdict.and_then(|verdict| verdict.of_white(ranks[0].complete()?));
        if let Some(array) = black {
            ranks[1] = array.into();
        }
        ranks
    }

    /// Both arrays, once the set-up is over.
    pub fn start(&self) -> Option<Start> {
        let [white, black] = self.ranks().map(|rank| rank.complete());
        Start::new(self.variant(), white?, black?).ok()
    }

    /// The FEN of where the turns have led. Castling rights stand by file (`HEga`), save in
    /// Pre-Chess, which castles as chess does and has `KQkq`.
    pub fn fen(&self) -> String {
        match (&self.phase, self.beginning.kind()) {
            (SetupOrGame::Setup(state), _) => state.fen(),
            (SetupOrGame::Game(game), SetupKind::Placement) => game.fen(FenStyle::XFen),
            (SetupOrGame::Game(game), _) => game.fen(FenStyle::Shredder),
        }
    }

    /// The tags that the record needs, a line each.
    fn tags(&self) -> String {
        let variant = self.variant();
        // Without a turn there is nothing but the FEN to know a record by.
        let is_begun = !self.placements.is_empty() || self.verdict.is_some();
        match self.beginning.kind() {
            SetupKind::Jepps | SetupKind::JeppsFreePlay if is_begun => String::new(),
            _ if is_begun && self.beginning.is_empty_board() => {
                format!("[Variant \"{variant}\"]\n")
            }
            _ => format!("[Variant \"{variant}\"]\n[FEN \"{}\"]\n", self.beginning.fen()),
        }
    }

    /// White's string, and the verdict or Black's.
    fn two_lines(&self) -> String {
        let string = |color: Color| -> String {
            let of_color = self.placements.iter().filter(|turn| turn.color() == color);
            let texts: Vec<String> =
                of_color.map(|turn| turn.to_string().replace('@', "")).collect();
            texts.join(", ")
        };
        let second = match self.verdict {
            Some(BlackArray::Mirror) => "Mirror".to_owned(),
            Some(BlackArray::Reverse) => "Reverse".to_owned(),
            _ => string(Color::Black),
        };
        let gap = if second.is_empty() { "" } else { "\n" };
        format!("{}{gap}{second}", string(Color::White))
    }

    /// The turns with their numbers, in one line.
    fn numbered(&self) -> String {
        let free_play = self.beginning.kind() == SetupKind::JeppsFreePlay;
        let mut number = self.beginning.number();
        let mut words = Vec::new();
        // The number alone tells Free Play where there is no turn.
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
    /// As its inventor writes it, with no line break at the end.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let turns = match self.beginning.kind() {
            SetupKind::Jepps => self.two_lines(),
            _ => self.numbered(),
        };
        f.write_str(format!("{}{turns}", self.tags()).trim_end())
    }
}

/// The placement that leads from one state of Jepps Random Chess towards another.
fn next_of(now: &Setup, wanted: &Setup) -> Option<Placement> {
    let (color, file) = (now.side_to_place(), now.next_square()?.file());
    let role = wanted.rank(color).get(usize::from(file))?;
    Some(Placement::single(color, SingleDrop { role, file }))
}

impl Setup {
    /// Whether nothing has been placed, by chance or by players, and the first turn is the first.
    fn is_empty_board(&self) -> bool {
        self.ranks == [PartialArray::EMPTY; 2] && self.side == Color::White && self.number == 1
    }
}

/// Where the canonical record of a start begins.
fn canonical_beginning(kind: SetupKind, start: &Start) -> Option<Setup> {
    let variant = start.variant();
    if !kind.has_random_part() {
        return Some(Setup::empty(kind));
    }
    let root = |array: Array| {
        let rook = array.files_of(Role::Rook).next();
        let mut squares = array.roles().map(Some);
        for (file, square) in squares.iter_mut().enumerate() {
            if *square != Some(Role::Bishop) && Some(file) != rook {
                *square = None;
            }
        }
        SetupRoot::of_rank(&PartialArray::new(squares).ok()?)
    };
    let roots = [root(start.array(Color::White))?, root(start.array(Color::Black))?];
    Some(Setup::new(&SetupStart::of_roots(variant, roots).ok()?))
}

/// What a side places, first things first.
fn canonical_order(beginning: &Setup, start: &Start, color: Color) -> Vec<SingleDrop> {
    let array = start.array(color);
    let given = beginning.rank(color);
    let drops = (0_u8..).zip(array.roles()).map(|(file, role)| SingleDrop { role, file });
    let mut drops: Vec<_> = drops.filter(|drop| given.get(drop.file as usize).is_none()).collect();
    if !beginning.kind().fills_in_order() {
        drops.sort_by_key(|drop| CANONICAL.iter().position(|role| *role == drop.role));
    }
    drops
}
