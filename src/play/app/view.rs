//! Converts games to JSON for the page.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::remark::{self, squares_of};
use crate::analysis::review::{ReviewedTurn, accuracies};
use crate::engine::Strength;
use crate::game::{Game, Outcome, Turn, on_stage};
use crate::geometry::Board;
use crate::host::Instant;
use crate::notation;
use crate::play::arbiter::{Arbiter, Need};
use crate::play::{Awaited, DiceRoll, DiceSource, LiveGame, Note, Player};
use crate::position::Position;
use crate::rules::{Variant, on_board};
use crate::setup::{Placement, Setup};
use crate::start::{BlackBackRank, Numbering, PartialBackRank, Start};
use crate::types::{Color, Move, Role, Square};

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
    drops: Vec<Value>,
}

/// An entry in the list of games.
#[derive(Clone, Serialize)]
pub(super) struct Summary {
    pub id: String,
    pub variant: &'static str,
    pub white: String,
    pub black: String,
    /// The tag `Event` of a game from a PGN file.
    pub event: Option<String>,
    pub date: Option<String>,
    /// The name of the PGN file, if the file contains several games.
    pub collection: Option<String>,
    pub number: Option<usize>,
    pub turns: usize,
    pub result: Option<Outcome>,
    /// The time of the last change, in seconds since 1970.
    pub changed: u64,
    /// Whether the last attempt to save the game failed.
    pub unsaved: bool,
    /// Whether the list of games contains the game.
    #[serde(skip)]
    pub is_listed: bool,
}

/// Returns everything that the page shows about a game.
pub(super) fn state(id: &str, version: u64, live: &LiveGame, now: Instant) -> Value {
    let (arbiter, settings, game) = (live.arbiter(), live.settings(), live.game());
    let ending = live.termination();
    let phase = match (ending, game) {
        (Some(_), _) => "over",
        (None, Some(game)) if !game.is_setup() => "board",
        _ => "setup",
    };
    let may_choose = matches!(live.awaited(), Awaited::Person(_))
        && matches!(arbiter.need(), Need::Choice(_) | Need::Nothing);
    let turns = live.turns();
    let state = json!({
        "id": id,
        "version": version,
        "variant": live.game_name(),
        "board": on_board!(settings.variant.rules().board, |G| G::FILES),
        "phase": phase,
        "turn": live.side_to_move(),
        "fen": game.map(Game::fen),
        "start_fen": game.map(Game::start_fen),
        "start": start_sentence(live),
        "number": start_number(live),
        "awaits": awaits(live.awaited()),
        "next": arbiter.state().and_then(Setup::next_square).map(|square| square.to_string()),
        "dice": dice(live),
        "mediator": mediator(arbiter),
        "last": turns.last().map(|note| squares_of(&note.uci)),
        "turns": turns.into_iter().map(turn).collect::<Vec<Value>>(),
        "tail": tail(live),
        "accuracy": accuracy(live),
        "rolls": dice_rolls(live.rolls()),
        "can_take_back": live.can_undo(),
        "foreword": live.origin().foreword.as_deref().map(|text| remark::divided(text).0),
        "tags": tags(live),
        "analysis": live.is_analysis(),
        "players": sides(|color| player(live, color)),
        "clocks": clocks(live, now),
        "habits": settings.habits,
        "offer": live.offer(),
        "ending": ending.map(|ending| json!({
            "result": ending.outcome(), "reason": ending.reason(), "sentence": ending.sentence(),
        })),
    });
    joined(state, position(arbiter, may_choose))
}

/// Returns the current position of `game`, which is an earlier position of a live game or a position of a
/// variation.
pub(super) fn past(ply: usize, game: &Game, variation: &[Turn]) -> Value {
    let texts = |text: fn(&Turn) -> &String| variation.iter().map(text).collect::<Vec<_>>();
    let past = json!({
        "ply": ply,
        "fen": game.fen(),
        "turn": game.side_to_move(),
        "last": game.last_turn().map(|turn| squares_of(&turn.uci)),
        "uci": texts(|turn| &turn.uci),
        "san": texts(|turn| &turn.san),
    });
    joined(past, position(&Arbiter::from(game.clone()), true))
}

/// Merges two JSON objects. Fields of the second object replace fields of the first.
pub(super) fn joined(mut one: Value, other: Value) -> Value {
    if let (Value::Object(fields), Value::Object(others)) = (&mut one, other) {
        fields.extend(others);
    }
    one
}

fn sides(view: impl Fn(Color) -> Value) -> Value {
    json!({ "white": view(Color::White), "black": view(Color::Black) })
}

/// Describes the starting position, such as `Start 518: RNBQKBNR`. If the back ranks are different, describes
/// both, each with its number.
fn start_sentence(live: &LiveGame) -> Option<String> {
    let start = live.start()?;
    let numbering = Numbering::of(start.variant());
    let numbered = |color| {
        let back_rank = start.back_rank(color);
        let number = numbering.number(&Start::mirrored(start.variant(), back_rank).ok()?)?;
        Some(format!("{number}: {back_rank}"))
    };
    let white = numbered(Color::White)?;
    if start.black_back_rank() == BlackBackRank::Mirror {
        return Some(format!("Start {white}"));
    }
    Some(format!("White {white}; Black {}", numbered(Color::Black)?))
}

/// Returns the number of the starting position, if both sides have the same back rank.
fn start_number(live: &LiveGame) -> Option<u64> {
    let numbering = match live.settings().variant {
        Variant::Chess => Numbering::of(Variant::Chess960),
        variant if variant.rules().setup.is_none() => Numbering::of(variant),
        _ => return None,
    };
    numbering.number_of_fen(&live.game()?.start_fen())
}

/// Returns the accuracy of both sides, from 0 to 100. Returns `None` until the whole game is reviewed.
fn accuracy(live: &LiveGame) -> Option<Value> {
    let turns = live.turns().into_iter().filter(|note| !note.is_placement());
    let reviewed = turns.map(|note| {
        let (lost, points) = (f64::from(note.lost?), f64::from(note.points?));
        Some(ReviewedTurn { color: note.color, lost, points })
    });
    let reviewed: Vec<ReviewedTurn> = reviewed.collect::<Option<_>>()?;
    let accuracies = accuracies(&reviewed);
    (!reviewed.is_empty()).then(|| sides(|color| json!(accuracies[color.index()])))
}

/// Returns the rolls of a game as JSON.
fn dice_rolls(rolls: &[DiceRoll]) -> Vec<Value> {
    let mut is_reroll = false;
    let view = |roll: &DiceRoll| {
        let was_reroll = std::mem::replace(&mut is_reroll, roll.is_discarded);
        json!({
            "purpose": roll.purpose,
            "color": roll.color,
            "shows": roll.dice,
            "sentence": roll.sentence,
            "short": roll.short,
            "turns": roll.turns,
            "reroll": was_reroll,
            "again": roll.is_discarded,
        })
    };
    rolls.iter().map(view).collect()
}

/// Returns the tags of a game from a PGN file, except players, start and result, which the page shows
/// elsewhere.
fn tags(live: &LiveGame) -> Vec<(&str, &str)> {
    let said = ["White", "Black", "Result", "FEN", "SetUp", "Variant", "Game"];
    let is_news = |(name, value): &(&str, &str)| {
        !said.contains(name)
            && !value.is_empty()
            && value.chars().any(|letter| !"?.".contains(letter))
    };
    live.origin().tags.iter().filter(is_news).collect()
}

fn turn(note: &Note) -> Value {
    let is_relocation = is_relocation(&note.san, &note.uci);
    let view = json!({ "placement": note.is_placement(), "relocation": is_relocation });
    let mut turn = joined(json!(note), view);
    remark::tidy(&mut turn);
    turn
}

/// Returns whether a turn is a relocation: a king's move by more than one file that is not castling.
fn is_relocation(san: &str, uci: &str) -> bool {
    let files: Vec<u8> = squares_of(uci).iter().map(|square| square.as_bytes()[0]).collect();
    matches!(files[..], [from, to] if san.starts_with('K') && from.abs_diff(to) > 1)
}

fn tail(live: &LiveGame) -> Value {
    let mut tail = json!(live.tail());
    tail.as_array_mut().into_iter().flatten().for_each(remark::tidy_line);
    tail
}

fn awaits(awaited: Awaited) -> Value {
    let (kind, color) = match awaited {
        Awaited::Nobody => ("nobody", None),
        Awaited::Person(color) => ("human", Some(color)),
        Awaited::Engine(color) => ("engine", Some(color)),
    };
    json!({ "kind": kind, "color": color })
}

/// Describes the current position for the page: the pieces on the board and in hand, and the legal turns.
pub(super) fn position(arbiter: &Arbiter, may_choose: bool) -> Value {
    let Some(game) = arbiter.game().filter(|game| !game.is_setup()) else {
        return setup(arbiter, may_choose);
    };
    on_stage!(game.stage(), _ => setup(arbiter, may_choose),
              game => board(game.position(), arbiter, may_choose))
}

fn setup(arbiter: &Arbiter, may_choose: bool) -> Value {
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
    let legal: Vec<LegalView> = legal.into_iter().map(LegalView::of_placement).collect();
    let hands = sides(|color| json!(hand(&ranks[color.index()])));
    json!({ "squares": squares, "hands": hands, "legal": legal, "check": null })
}

fn board<G: Board>(position: &Position<G>, arbiter: &Arbiter, may_choose: bool) -> Value {
    let on = |square: Square<G>| {
        let piece_there = position.piece_at(square)?;
        Some((square.to_string(), piece(piece_there.color(), piece_there.role())))
    };
    let squares: BTreeMap<String, String> = Square::<G>::all().filter_map(on).collect();
    let chess960 = arbiter.game().is_some_and(Game::is_chess960);
    let moves = position.legal_moves().into_iter().filter(|_| may_choose);
    let legal: Vec<LegalView> =
        moves.map(|mv| LegalView::of_move(position, mv, chess960)).collect();
    let check = position.in_check().then(|| position.king(position.side_to_move()).to_string());
    json!({ "squares": squares, "hands": sides(|_| json!([])), "legal": legal, "check": check })
}

/// Returns the name of a piece for the page, such as `wN`.
fn piece(color: Color, role: Role) -> String {
    format!("{}{}", color.letter(), role.letter())
}

fn hand(rank: &PartialBackRank) -> Vec<char> {
    rank.pocket().letters(Color::White).chars().collect()
}

impl LegalView {
    fn of_placement(placement: Placement) -> LegalView {
        let text = placement.to_string();
        let squares = squares_of(&text);
        let roles = || placement.drops().map(|drop| drop.role.letter());
        let drops = roles().zip(&squares).map(|(role, to)| json!({ "role": role, "to": to }));
        LegalView {
            san: text.clone(),
            role: roles().next(),
            drops: drops.collect(),
            to: squares.into_iter().next().unwrap_or_default(),
            text,
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

/// Returns further squares on which a person may drop the king to castle, apart from the square of the rook.
/// The king's target square is such a square if it is empty and at least two files away from the king.
fn also<G: Board>(position: &Position<G>, king: Square<G>, rook: Square<G>) -> Vec<String> {
    let (target, _) = Position::castling_targets(king, rook);
    let is_step = king.file().abs_diff(target.file()) < 2;
    let is_free = position.piece_at(target).is_none();
    if is_step || !is_free { Vec::new() } else { vec![target.to_string()] }
}

fn dice(live: &LiveGame) -> Option<Value> {
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
    let meaning = shown.map_or("", |shown| &shown.sentence);
    Some(json!({
        "needed": request.is_some(),
        "count": if matches!(need, Need::Die(_)) { 1 } else { 2 },
        "own": live.settings().dice == DiceSource::Own,
        "mediator": need == Need::MediatorDice,
        "shows": shown.map(|shown| &shown.dice[..]).unwrap_or_default(),
        "offered": offered,
        "again": arbiter.game().is_some_and(Game::may_roll_again),
        "sentence": match request {
            Some(request) if shown.is_some() => format!("{meaning}. {request}"),
            Some(request) => request,
            None => meaning.to_owned(),
        },
    }))
}

fn mediator(arbiter: &Arbiter) -> Option<Value> {
    let Need::Mediation(mediation) = arbiter.need() else { return None };
    Some(json!({
        "shows": mediation.roll.0.map(|die| die.value()),
        "verdict": mediation.black.to_string(),
        "sentence": mediation.to_string(),
    }))
}

fn player(live: &LiveGame, color: Color) -> Value {
    let name = player_name(live, color);
    match live.player(color) {
        Player::Person => {
            let rating = live.origin().tags.get(&format!("{color}Elo"));
            let rating = rating.and_then(|rating| rating.parse::<u32>().ok());
            json!({ "kind": "human", "name": name, "rating": rating })
        }
        Player::Engine(Strength::Level(level)) => {
            json!({ "kind": "engine", "level": level, "name": name })
        }
        Player::Engine(Strength::Elo(elo)) => json!({ "kind": "engine", "elo": elo, "name": name }),
    }
}

fn clocks(live: &LiveGame, now: Instant) -> Option<Value> {
    let clocks = live.clocks()?;
    let left = |color| clocks.left(color, now).as_millis() as u64;
    Some(json!({
        "white_ms": left(Color::White),
        "black_ms": left(Color::Black),
        "increment_ms": clocks.control().increment.as_millis() as u64,
        "running": clocks.running(),
    }))
}

/// Returns a player's name for the clocks and the list of games.
pub(super) fn player_name(live: &LiveGame, color: Color) -> String {
    match live.player(color) {
        Player::Engine(Strength::Level(level)) => format!("Aleator, level {level}"),
        Player::Engine(Strength::Elo(elo)) => format!("Aleator, {elo} Elo"),
        Player::Person => match live.name(color) {
            Some(name) => name.to_owned(),
            None if live.player(!color).is_engine() => "You".to_owned(),
            None => color.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relocations_are_distinguished_from_steps_and_castling() {
        for (san, uci, expected) in [
            ("Kg1", "e1g1", true),
            ("Ka1+", "e1a1", true),
            ("Kf1", "e1f1", false),
            ("Kxf10", "e9f10", false),
            ("O-O", "e1g1", false),
            ("Rg1", "e1g1", false),
            ("K@c1", "K@c1", false),
        ] {
            assert_eq!(is_relocation(san, uci), expected, "{san} {uci}");
        }
    }

    #[test]
    fn castling_kings_may_be_dropped_on_a_free_target() {
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
