//! A game as the page sees it. The names are those of the JSON.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;

use crate::attacks::Board;
use crate::engine::Score;
use crate::game::{Game, GameResult, Turn, on_stage};
use crate::geometry::Geometry;
use crate::notation;
use crate::play::arbiter::{Arbiter, Need};
use crate::play::{Awaited, DiceSource, LiveGame, Note, Player, Strength, Variation};
use crate::position::Position;
use crate::rules::on_board;
use crate::setup::{Placement, Setup};
use crate::start::PartialArray;
use crate::types::{Color, Move, Role, Square};

/// All that a page draws.
#[derive(Serialize)]
pub(super) struct State {
    pub id: String,
    pub version: u64,
    variant: &'static str,
    board: u8,
    phase: &'static str,
    turn: Color,
    fen: Option<String>,
    start_fen: Option<String>,
    awaits: Awaits,
    #[serde(flatten)]
    position: PositionView,
    next: Option<String>,
    dice: Option<DiceView>,
    mediator: Option<MediatorView>,
    last: Option<Vec<String>>,
    turns: Vec<TurnView>,
    players: Sides<PlayerView>,
    clocks: Option<ClocksView>,
    pub thinking: bool,
    pub analysing: bool,
    pub reviewing: bool,
    offer: Option<Color>,
    ending: Option<EndingView>,
}

/// A game at a time that is past.
#[derive(Serialize)]
pub(super) struct Past {
    ply: usize,
    fen: String,
    turn: Color,
    #[serde(flatten)]
    position: PositionView,
    last: Option<Vec<String>>,
    /// The moves of a variation that led here.
    uci: Vec<String>,
    san: Vec<String>,
}

/// What stands where, and what could be played.
#[derive(Serialize)]
struct PositionView {
    squares: BTreeMap<String, String>,
    hands: Sides<Vec<char>>,
    legal: Vec<LegalView>,
    check: Option<String>,
}

#[derive(Serialize)]
struct Sides<T> {
    white: T,
    black: T,
}

#[derive(Serialize)]
struct Awaits {
    kind: &'static str,
    color: Option<Color>,
}

#[derive(Serialize, Default)]
struct LegalView {
    text: String,
    san: String,
    from: Option<String>,
    to: String,
    role: Option<char>,
    promotion: Option<char>,
    castling: bool,
    relocation: bool,
    also: Vec<String>,
    drops: Vec<DropView>,
}

#[derive(Serialize)]
struct DropView {
    role: char,
    to: String,
}

#[derive(Serialize)]
struct DiceView {
    needed: bool,
    count: u8,
    own: bool,
    mediator: bool,
    shows: Vec<u8>,
    offered: Vec<char>,
    again: bool,
    sentence: String,
}

#[derive(Serialize)]
struct MediatorView {
    shows: [u8; 2],
    verdict: String,
    sentence: String,
}

#[derive(Serialize)]
struct TurnView {
    placement: bool,
    #[serde(flatten)]
    note: NoteView,
}

/// As [`Note`], with what is not known as `null`.
#[derive(Serialize)]
struct NoteView {
    uci: String,
    san: String,
    color: Color,
    clock_ms: Option<u64>,
    score: Option<Score>,
    best: Option<String>,
    mark: Option<String>,
    comment: Option<String>,
    variations: Vec<Variation>,
}

#[derive(Serialize)]
struct PlayerView {
    kind: &'static str,
    level: Option<u8>,
    elo: Option<u32>,
}

#[derive(Serialize)]
struct ClocksView {
    white_ms: u64,
    black_ms: u64,
    increment_ms: u64,
    running: Option<Color>,
}

#[derive(Serialize)]
struct EndingView {
    result: GameResult,
    reason: &'static str,
    sentence: String,
}

/// A line in the list of games.
#[derive(Clone, Serialize)]
pub(super) struct Summary {
    pub id: String,
    pub variant: &'static str,
    pub white: String,
    pub black: String,
    pub turns: usize,
    pub result: Option<GameResult>,
    /// In seconds since 1970.
    pub changed: u64,
}

impl State {
    pub fn new(id: &str, version: u64, live: &LiveGame, now: Instant) -> State {
        let (arbiter, settings) = (live.arbiter(), live.settings());
        let ending = live.conclusion();
        let game = live.game();
        let phase = match (ending, game) {
            (Some(_), _) => "over",
            (None, Some(game)) if !game.is_setup() => "board",
            _ => "setup",
        };
        let awaits = Awaits::new(live.awaited());
        let may_choose =
            awaits.kind == "human" && matches!(arbiter.need(), Need::Choice(_) | Need::Nothing);
        let turns = live.turns();
        State {
            id: id.to_owned(),
            version,
            variant: settings.variant.name(),
            board: on_board!(settings.variant.rules().board, |G| <G as Geometry>::FILES),
            phase,
            turn: live.side_to_move(),
            fen: game.map(Game::fen),
            start_fen: game.map(Game::start_fen),
            awaits,
            position: PositionView::new(arbiter, may_choose),
            next: arbiter.state().and_then(Setup::next_square).map(|square| square.to_string()),
            dice: DiceView::new(live),
            mediator: MediatorView::new(arbiter),
            last: turns.last().map(|note| squares_of(&note.uci)),
            turns: turns.into_iter().map(TurnView::new).collect(),
            players: Sides::of(|color| PlayerView::new(live.player(color))),
            clocks: ClocksView::new(live, now),
            thinking: false,
            analysing: false,
            reviewing: false,
            offer: live.offer(),
            ending: ending.map(|ending| EndingView {
                result: ending.result,
                reason: ending.reason(),
                sentence: ending.to_string(),
            }),
        }
    }
}

impl Past {
    /// The game as it was after so many turns, and a variation from there.
    pub fn new(ply: usize, game: &Game, variation: Vec<Turn>) -> Past {
        let last = game.last_turn().map(|turn| squares_of(&turn.uci));
        let (fen, turn) = (game.fen(), game.side_to_move());
        let position = PositionView::new(&Arbiter::from(game.clone()), true);
        let (uci, san) = variation.into_iter().map(|turn| (turn.uci, turn.san)).unzip();
        Past { ply, fen, turn, position, last, uci, san }
    }
}

impl<T> Sides<T> {
    fn of(mut make: impl FnMut(Color) -> T) -> Sides<T> {
        Sides { white: make(Color::White), black: make(Color::Black) }
    }
}

impl Awaits {
    fn new(awaited: Awaited) -> Awaits {
        let (kind, color) = match awaited {
            Awaited::Nobody => ("nobody", None),
            Awaited::Person(color) => ("human", Some(color)),
            Awaited::Engine(color) => ("engine", Some(color)),
        };
        Awaits { kind, color }
    }
}

impl PositionView {
    fn new(arbiter: &Arbiter, may_choose: bool) -> PositionView {
        let Some(game) = arbiter.game().filter(|game| !game.is_setup()) else {
            return PositionView::of_setup(arbiter, may_choose);
        };
        on_stage!(game.stage(), _ => PositionView::of_setup(arbiter, may_choose),
                  game => PositionView::of_board(game.position(), arbiter, may_choose))
    }

    fn of_setup(arbiter: &Arbiter, may_choose: bool) -> PositionView {
        let ranks = arbiter.ranks();
        let mut squares = BTreeMap::new();
        for color in Color::ALL {
            let (home, pawns) = if color == Color::White { (1, 2) } else { (8, 7) };
            for (file, role) in ('a'..='h').zip(ranks[color.index()].squares()) {
                squares.insert(format!("{file}{pawns}"), piece(color, Role::Pawn));
                if let Some(role) = role {
                    squares.insert(format!("{file}{home}"), piece(color, role));
                }
            }
        }
        let game = arbiter.game().filter(|_| may_choose);
        let legal = game.map(Game::placements).unwrap_or_default();
        PositionView {
            squares,
            hands: Sides::of(|color| hand(&ranks[color.index()])),
            legal: legal.into_iter().map(LegalView::of_placement).collect(),
            check: None,
        }
    }

    fn of_board<G: Board>(
        position: &Position<G>,
        arbiter: &Arbiter,
        may_choose: bool,
    ) -> PositionView {
        let on = |square: Square<G>| {
            let piece_there = position.piece_at(square)?;
            Some((square.to_string(), piece(piece_there.color(), piece_there.role())))
        };
        let chess960 = arbiter.game().is_some_and(Game::is_chess960);
        let moves = position.legal_moves();
        let legal = moves.into_iter().map(|mv| LegalView::of_move(position, mv, chess960));
        PositionView {
            squares: Square::<G>::all().filter_map(on).collect(),
            hands: Sides::of(|_| Vec::new()),
            legal: if may_choose { legal.collect() } else { Vec::new() },
            check: position.in_check().then(|| position.king(position.side_to_move()).to_string()),
        }
    }
}

/// Such as `wN`.
fn piece(color: Color, role: Role) -> String {
    format!("{}{}", color.letter(), role.letter())
}

fn hand(rank: &PartialArray) -> Vec<char> {
    rank.pocket().letters(Color::White).chars().collect()
}

impl LegalView {
    fn of_placement(placement: Placement) -> LegalView {
        let text = placement.to_string();
        let drops: Vec<DropView> = placement
            .drops()
            .zip(squares_of(&text))
            .map(|(drop, to)| DropView { role: drop.role.letter(), to })
            .collect();
        let first = drops.first();
        LegalView {
            san: text.clone(),
            to: first.map_or_else(String::new, |drop| drop.to.clone()),
            role: first.map(|drop| drop.role),
            text,
            drops,
            ..LegalView::default()
        }
    }

    fn of_move<G: Board>(position: &Position<G>, mv: Move, chess960: bool) -> LegalView {
        let (from, to) = (mv.from::<G>(), mv.to::<G>());
        let castling = position.is_castling(mv);
        let role = position.moved_piece(mv).role();
        let relocation = role == Role::King && !castling && from.file().abs_diff(to.file()) > 1;
        LegalView {
            text: notation::uci(position, mv, chess960),
            san: notation::san(position, mv),
            from: Some(from.to_string()),
            to: to.to_string(),
            role: Some(role.letter()),
            promotion: position.is_promotion(mv).then(|| mv.promoted().letter()),
            castling,
            relocation,
            also: if castling { also(position, from, to) } else { Vec::new() },
            drops: Vec::new(),
        }
    }
}

/// Where a castling king may be dropped besides on its rook: where it ends, if that is far enough
/// to be no step and nothing else goes there.
fn also<G: Board>(position: &Position<G>, king: Square<G>, rook: Square<G>) -> Vec<String> {
    let (target, _) = Position::castling_targets(king, rook);
    let is_step = king.file().abs_diff(target.file()) < 2;
    let is_free = position.piece_at(target).is_none();
    if is_step || !is_free { Vec::new() } else { vec![target.to_string()] }
}

/// The squares that a turn in UCI notation, or a placement, is about.
fn squares_of(uci: &str) -> Vec<String> {
    if uci.contains('@') {
        return uci
            .split('+')
            .filter_map(|drop| Some(drop.split_once('@')?.1.to_owned()))
            .collect();
    }
    let mut squares: Vec<String> = Vec::new();
    for letter in uci.chars() {
        match squares.last_mut() {
            Some(square) if letter.is_ascii_digit() => square.push(letter),
            _ => squares.push(letter.to_string()),
        }
    }
    squares.truncate(2);
    squares
}

impl DiceView {
    fn new(live: &LiveGame) -> Option<DiceView> {
        let (arbiter, need) = (live.arbiter(), live.arbiter().need());
        let in_order = arbiter.state().is_some_and(|state| state.kind().fills_in_order());
        if !in_order && !matches!(need, Need::Die(_)) {
            return None;
        }
        let (request, shown) = (arbiter.request(), live.shown());
        let mut offered = Vec::new();
        if let Need::Choice(choice) = &need {
            let roles = choice.placements.iter().flat_map(|placement| placement.drops());
            offered.extend(roles.map(|drop| drop.role.letter()));
        }
        Some(DiceView {
            needed: request.is_some(),
            count: if matches!(need, Need::Die(_)) { 1 } else { 2 },
            own: live.settings().dice == DiceSource::Typed,
            mediator: need == Need::MediatorDice,
            shows: shown.map(|shown| shown.dice.clone()).unwrap_or_default(),
            offered,
            again: arbiter.game().is_some_and(Game::may_roll_again),
            sentence: match (request, shown) {
                (Some(request), Some(shown)) => format!("{}. {request}", shown.sentence),
                (Some(request), None) => request,
                (None, shown) => shown.map_or_else(String::new, |shown| shown.sentence.clone()),
            },
        })
    }
}

impl MediatorView {
    fn new(arbiter: &Arbiter) -> Option<MediatorView> {
        let Need::Mediation(mediation) = arbiter.need() else { return None };
        Some(MediatorView {
            shows: mediation.roll.0.map(|die| die.value()),
            verdict: mediation.black.to_string(),
            sentence: mediation.to_string(),
        })
    }
}

impl TurnView {
    fn new(note: &Note) -> TurnView {
        let placement = note.is_placement();
        let Note { color, uci, san, clock_ms, score, best, mark, comment, variations } =
            note.clone();
        let note = NoteView { uci, san, color, clock_ms, score, best, mark, comment, variations };
        TurnView { placement, note }
    }
}

impl PlayerView {
    const fn new(player: Player) -> PlayerView {
        let (kind, level, elo) = match player {
            Player::Person => ("human", None, None),
            Player::Engine(Strength::Level(level)) => ("engine", Some(level), None),
            Player::Engine(Strength::Elo(elo)) => ("engine", None, Some(elo)),
        };
        PlayerView { kind, level, elo }
    }
}

impl ClocksView {
    fn new(live: &LiveGame, now: Instant) -> Option<ClocksView> {
        let clocks = live.clocks()?;
        let left = |color| clocks.left(color, now).as_millis() as u64;
        Some(ClocksView {
            white_ms: left(Color::White),
            black_ms: left(Color::Black),
            increment_ms: clocks.control().increment.as_millis() as u64,
            running: clocks.running(),
        })
    }
}

/// A player in the list of games.
pub(super) fn player_name(player: Player) -> String {
    match player {
        Player::Person => "human".to_owned(),
        Player::Engine(Strength::Level(level)) => format!("level {level}"),
        Player::Engine(Strength::Elo(elo)) => elo.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_name_their_squares() {
        for (uci, squares) in [
            ("e2e4", &["e2", "e4"][..]),
            ("b9b10n", &["b9", "b10"]),
            ("e7e8q", &["e7", "e8"]),
            ("N@a1", &["a1"]),
            ("Q@g1+K@f1", &["g1", "f1"]),
        ] {
            assert_eq!(squares_of(uci), squares, "{uci}");
        }
    }

    #[test]
    fn castling_kings_may_be_dropped_where_nothing_else_goes() {
        use crate::geometry::Board8x8;
        use crate::rules::KingRight;

        let also = |fen: &str| -> Vec<Vec<String>> {
            let position = Position::<Board8x8>::from_fen(fen, KingRight::Castling).unwrap();
            let moves = position.legal_moves().into_iter();
            let views = moves.map(|mv| LegalView::of_move(&position, mv, true));
            let mut also: Vec<_> =
                views.filter(|view| view.castling).map(|view| view.also).collect();
            also.sort();
            also
        };
        assert_eq!(also("1k6/8/8/8/8/8/8/R3K2R w KQ - 0 1").concat(), ["c1", "g1"]);
        assert_eq!(also("k7/8/8/8/8/8/8/5K1R w H - 0 1"), [[""; 0]; 1], "g1 is a step away");
        assert_eq!(also("k7/8/8/8/8/8/8/4K1R1 w G - 0 1"), [[""; 0]; 1], "g1 is the rook's");
    }
}
