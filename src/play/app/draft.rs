//! Checks positions that people edit or paste: determines the variant, and describes what is wrong.
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::response::{AppResult, Response};
use super::view;
use crate::game::on_stage;
use crate::geometry::Board;
use crate::play::arbiter::Arbiter;
use crate::play::{GameStart, GameStartError};
use crate::position::Position;
use crate::rules::{KingRight, Variant, on_board};
use crate::setup::Record;
use crate::start::{Numbering, PartialBackRank, Rng, Start};
use crate::text::shorten;
use crate::types::{Bitboard, Color, Piece, Role, Square};

/// A position that a person has edited or pasted.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The variant. If the variant is missing, it is guessed from `text`.
    variant: Option<String>,
    /// A pasted text: the record of a setup, or a FEN. Only the first field of the FEN is required.
    text: Option<String>,
    /// The edited position: pieces by square, such as `wK` on `e1`. Without `text` and `squares`, the
    /// position is the standard starting position of the variant or, if `setup` is set, a setup before the
    /// first placement by a player.
    squares: Option<BTreeMap<String, String>>,
    turn: Option<Color>,
    /// The squares of rooks that may still castle, or of kings that may still relocate.
    #[serde(default)]
    rights: Vec<String>,
    /// The en passant square, which is dropped if no pawn can capture there.
    en_passant: Option<String>,
    /// The last two fields of a FEN: halfmove clock and move number.
    clocks: Option<String>,
    /// Whether the position is an unfinished setup, in which pieces that are not on the board are in hand.
    #[serde(default)]
    setup: bool,
}

/// The kind of a pasted text.
#[derive(PartialEq, Eq, Debug)]
enum TextKind {
    Fen,
    /// The record of a setup.
    Record,
    /// Games in PGN, or another text, for which the PGN reader reports an error.
    Games,
}

impl TextKind {
    fn of(text: &str) -> TextKind {
        let word = text.split_whitespace().next().unwrap_or_default();
        let has_tag = || text.lines().any(|line| line.starts_with('[') && line.contains('"'));
        let is_verdict = |line: &str| ["mirror", "reverse"].contains(&line.trim());
        if has_tag() {
            TextKind::Games
        } else if word.matches('/').count() >= 3 {
            TextKind::Fen
        } else if text.contains('@')
            || text.to_ascii_lowercase().lines().any(is_verdict)
            || Record::read(text, None).is_ok()
        {
            TextKind::Record
        } else {
            TextKind::Games
        }
    }
}

/// Adds the side to move to a FEN that contains only the pieces. The side to move is White, unless the
/// position is legal only with Black to move.
pub(super) fn completed(variant: Variant, fen: &str) -> String {
    let fen = fen.trim();
    if fen.split_whitespace().count() != 1 {
        return fen.to_owned();
    }
    let [white, black] = ["w", "b"].map(|side| format!("{fen} {side}"));
    let is_good = |fen: &str| read(variant, fen).is_ok();
    if !is_good(&white) && is_good(&black) { black } else { white }
}

fn read(variant: Variant, fen: &str) -> Result<Arbiter, GameStartError> {
    GameStart::Fen(fen.to_owned()).arbiter(variant)
}

/// Guesses the variant of a FEN: returns the first variant in which the FEN is legal. Chess comes first, but
/// is skipped if the castling rights are possible only from shuffled starting positions.
fn guess(fen: &str) -> Result<(Variant, Arbiter), GameStartError> {
    let pieces = fen.split_whitespace().next().unwrap_or_default();
    let ranks = pieces.split('/').count();
    let has_hand = ranks == 9 || pieces.contains('[');
    let can_be = |variant: &&Variant| {
        let rules = variant.rules();
        let height = on_board!(rules.board, |G| usize::from(G::RANKS));
        if has_hand { rules.setup.is_some() } else { height == ranks }
    };
    // Jepps is tried last, because FENs of its setup can also be legal in the setups of other variants.
    let (last, first): (Vec<Variant>, Vec<Variant>) =
        Variant::ALL.iter().filter(can_be).partition(|variant| **variant == Variant::Jepps);
    let mut first_error = None;
    for variant in first.into_iter().chain(last) {
        match read(variant, &completed(variant, fen)) {
            Ok(arbiter) if variant != Variant::Chess || has_classical_rights(&arbiter) => {
                return Ok((variant, arbiter));
            }
            Ok(_) => {}
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    match first_error {
        Some(error) => Err(error),
        // No variant has a board with this number of ranks. `read` returns an error that says so.
        None => read(Variant::Chess, fen).map(|arbiter| (Variant::Chess, arbiter)),
    }
}

/// Returns whether all castling rights belong to kings on the e-file and rooks on the a- or h-file.
fn has_classical_rights(arbiter: &Arbiter) -> bool {
    let Some(game) = arbiter.game() else { return true };
    on_stage!(game.stage(), _ => true, game => {
        let position = game.position();
        let is_classical = |rook: Square<_>| {
            let king = position.piece_at(rook).map(|rook| position.king(rook.color()).file());
            ['a', 'h'].into_iter().any(|file| rook.to_string().starts_with(file)) && king == Some(4)
        };
        position.rights().into_iter().all(is_classical)
    })
}

fn names<G: Board>(squares: Bitboard<G>) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

fn rights(arbiter: &Arbiter) -> Vec<String> {
    let Some(game) = arbiter.game() else { return Vec::new() };
    on_stage!(game.stage(), _ => Vec::new(), game => names(game.position().rights()))
}

/// Returns the squares of all rooks that could have the right to castle, or of all kings that could have the
/// right to relocate.
fn offers<G: Board>(position: &Position<G>, right: KingRight) -> Bitboard<G> {
    let holder = match right {
        KingRight::Castling => Role::Rook,
        KingRight::Relocation => Role::King,
        KingRight::None => return Bitboard::EMPTY,
    };
    let of_side = |color| {
        let home = Position::<G>::home_rank(color);
        let has_king = !(position.pieces(color, Role::King) & home).is_empty();
        if has_king { position.pieces(color, holder) & home } else { Bitboard::EMPTY }
    };
    of_side(Color::White) | of_side(Color::Black)
}

/// Returns all squares on which a pawn could capture en passant, in the position of a FEN.
fn passants<G: Board>(fen: &str, right: KingRight) -> Vec<String> {
    let start = fen.split(' ').take(3).collect::<Vec<_>>().join(" ");
    let is_possible = |square: &Square<G>| {
        let position = Position::<G>::from_fen(&format!("{start} {square}"), right);
        position.is_ok_and(|position| position.en_passant() == Some(*square))
    };
    Square::all().filter(is_possible).map(|square| square.to_string()).collect()
}

/// Describes a legal position for the editor.
fn described(variant: Variant, arbiter: &Arbiter) -> Value {
    let Some(game) = arbiter.game() else { return json!({}) };
    let right = variant.rules().right;
    let offers =
        on_stage!(game.stage(), _ => Vec::new(), game => names(offers(game.position(), right)));
    let description = json!({
        "kind": "position",
        "variant": variant.name(),
        "board": on_board!(variant.rules().board, |G| G::FILES),
        "fen": game.fen(),
        "turn": game.side_to_move(),
        "setup": game.is_setup(),
        "rights": rights(arbiter),
        "offers": offers,
        "passants": on_board!(variant.rules().board, |G| passants::<G>(&game.fen(), right)),
        "problem": null,
    });
    view::joined(description, view::position(arbiter, false))
}

/// Describes, for the editor, what is wrong with a text.
fn problem(variant: Option<Variant>, sentence: impl ToString) -> Value {
    let variant = variant.map(Variant::name);
    json!({ "kind": "position", "variant": variant, "problem": sentence.to_string() })
}

impl Draft {
    /// Describes the position, or what is wrong with the position.
    pub(super) fn describe(&self, rng: &mut Rng) -> AppResult {
        let variant = self.variant.as_deref().map(str::parse::<Variant>).transpose();
        let variant = variant.map_err(Response::unfit)?;
        if let Some(text) = &self.text {
            return Ok(Response::ok(&of_text(variant, text)));
        }
        let variant = variant.unwrap_or(Variant::Chess);
        let Some(squares) = &self.squares else {
            let start = if self.setup {
                GameStart::usual(Numbering::of(variant), rng)
            } else {
                GameStart::Fen(Start::standard(variant).fen())
            };
            let arbiter = start.arbiter(variant).map_err(Response::unfit)?;
            return Ok(Response::ok(&described(variant, &arbiter)));
        };
        on_board!(variant.rules().board, |G| self.put_together::<G>(variant, squares))
    }

    fn put_together<G: Board>(
        &self,
        variant: Variant,
        squares: &BTreeMap<String, String>,
    ) -> AppResult {
        let (position, right) = (position_of::<G>(squares)?, variant.rules().right);
        let offers = offers(&position, right);
        let is_held = |square: &Square<G>| !self.setup && self.rights.contains(&square.to_string());
        let rights: Vec<Square<G>> = offers.into_iter().filter(is_held).collect();
        let field = rights_field(&position, &rights, right);
        let hand = if self.setup { hand(&position) } else { Ok(String::new()) };
        let turn = self.turn.unwrap_or(Color::White);
        let found = hand.and_then(|hand| {
            let read = |turn: Color| {
                let (pieces, side) = (position.fen_pieces(), turn.letter());
                let start = format!("{pieces}{hand} {side} {field}");
                let is_possible =
                    |square: &&str| passants::<G>(&start, right).iter().any(|one| one == square);
                let passant = self.en_passant.as_deref().filter(is_possible).unwrap_or("-");
                let clocks = self.clocks.as_deref().filter(|_| !self.setup).unwrap_or("0 1");
                read(variant, &format!("{start} {passant} {clocks}"))
                    .map_err(|error| error.to_string())
            };
            // In an unfinished setup, the number of pieces in hand determines the side to move, so both sides
            // are tried.
            let other =
                |error| if self.setup { read(!turn).map_err(|_| error) } else { Err(error) };
            read(turn).or_else(other)
        });
        let problem = match found {
            Ok(arbiter) => return Ok(Response::ok(&described(variant, &arbiter))),
            Err(sentence) => sentence,
        };
        Ok(Response::ok(&json!({
            "kind": "position",
            "variant": variant.name(),
            "board": G::FILES,
            "fen": null,
            "turn": turn,
            "setup": self.setup,
            "rights": rights.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "offers": names(offers),
            "passants": [],
            "problem": problem,
            "squares": squares,
            "hands": { "white": [], "black": [] },
        })))
    }
}

/// Returns the castling field of a FEN.
fn rights_field<G: Board>(
    position: &Position<G>,
    rights: &[Square<G>],
    right: KingRight,
) -> String {
    let letter = |square: &Square<G>| {
        let file = square.to_string().chars().next()?;
        let letter = if right == KingRight::Relocation { 'k' } else { file };
        let is_white = position.piece_at(*square)?.color() == Color::White;
        Some(if is_white { letter.to_ascii_uppercase() } else { letter })
    };
    let field: String = rights.iter().filter_map(letter).collect();
    if field.is_empty() { "-".to_owned() } else { field }
}

fn position_of<G: Board>(squares: &BTreeMap<String, String>) -> Result<Position<G>, Response> {
    let mut position = Position::<G>::empty();
    for (name, code) in squares {
        let square = Square::<G>::parse(name).ok_or_else(|| {
            let (name, board) = (shorten(name), G::NAME);
            Response::unfit(format!("there is no square '{name}' on a board of {board} squares"))
        })?;
        let piece = piece_named(code).ok_or_else(|| {
            let code = shorten(code);
            Response::unfit(format!("'{code}' is not a piece; for example, 'wK' is White's king"))
        })?;
        position.set_piece(piece, square);
    }
    Ok(position)
}

/// Parses a piece such as `wK`.
fn piece_named(code: &str) -> Option<Piece> {
    let mut letters = code.chars();
    let color = match letters.next()? {
        'w' => Color::White,
        'b' => Color::Black,
        _ => return None,
    };
    let role = Role::from_letter(letters.next()?)?;
    letters.next().is_none().then(|| role.of(color))
}

/// Returns the pieces in hand, in brackets as in a FEN. Fails if the back ranks cannot be completed.
fn hand<G: Board>(position: &Position<G>) -> Result<String, String> {
    let of_side = |color: Color| {
        let rank = G::HOME_RANK[color.index()];
        let role = |file: usize| {
            let square = Square::<G>::at(u8::try_from(file).ok()?, rank)?;
            position.piece_at(square).map(Piece::role)
        };
        let rank = PartialBackRank::new(std::array::from_fn(role));
        rank.map(|rank| rank.pocket().letters(color))
            .map_err(|error| format!("{color}'s back rank: {error}"))
    };
    Ok(format!("[{}{}]", of_side(Color::White)?, of_side(Color::Black)?))
}

fn of_text(variant: Option<Variant>, text: &str) -> Value {
    let fen = match TextKind::of(text) {
        TextKind::Games => return json!({ "kind": "games" }),
        TextKind::Fen => text.to_owned(),
        TextKind::Record => match Record::read(text, variant) {
            Ok(record) => {
                let variant = record.variant();
                return match read(variant, &record.fen()) {
                    Ok(arbiter) => described(variant, &arbiter),
                    Err(error) => problem(Some(variant), error),
                };
            }
            Err(error) => return problem(variant, error),
        },
    };
    let found = match variant {
        Some(variant) => read(variant, &completed(variant, &fen)).map(|one| (variant, one)),
        None => guess(&fen),
    };
    match found {
        Ok((variant, arbiter)) => described(variant, &arbiter),
        Err(error) => problem(variant, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::HAS_BOARD_10X10;

    fn describe(draft: Value) -> Value {
        let draft: Draft = serde_json::from_value(draft).unwrap();
        let response = draft.describe(&mut Rng::new(1)).unwrap_or_else(|refusal| refusal);
        serde_json::from_str(&response.body).unwrap()
    }

    #[test]
    fn the_variant_of_a_fen_is_guessed() {
        for (text, variant, turn) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "chess", "white"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "chess", "white"),
            ("4k3/4R3/8/8/8/8/8/4K3", "chess", "black"),
            ("4k3/8/8/8/8/8/4P3/4K3 b", "chess", "black"),
            ("nrbbkqrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKQRN w KQkq - 0 1", "chess960", "white"),
            ("1k6/8/8/8/8/8/8/1K5R w K -", "chess960", "white"),
            ("7k/7p/8/8/8/8/7P/4KB2 w K - 0 1", "jepps", "white"),
            (
                "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1",
                "fischerbenko",
                "white",
            ),
            ("8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1", "placement", "white"),
        ] {
            let found = describe(json!({ "text": text }));
            assert_eq!(found["problem"], Value::Null, "{text}");
            assert_eq!(
                (&found["variant"], &found["turn"]),
                (&json!(variant), &json!(turn)),
                "{text}"
            );
            // The resulting FEN gives the same result, with the variant given.
            let fen = found["fen"].as_str().unwrap();
            assert_eq!(describe(json!({ "text": fen, "variant": variant })), found);
        }
        if HAS_BOARD_10X10 {
            let start = describe(json!({ "variant": "ifrc" }));
            let found = describe(json!({ "text": start["fen"] }));
            assert_eq!((&found["variant"], &found["board"]), (&json!("ifrc"), &json!(10)));
        }
        let broken = describe(json!({ "text": "8/8/8/8/8/8/8/8 w" }));
        assert!(broken["problem"].as_str().unwrap().contains("0 kings"), "{broken}");
        assert_eq!(describe(json!({ "text": "1. e4 e5" }))["kind"], "games");
        assert_eq!(describe(json!({ "text": "[Event \"a\"]\n\n1. R@a1 *" }))["kind"], "games");
    }

    #[test]
    fn edited_positions_are_checked_like_a_fen() {
        for variant in Variant::ALL {
            let usual = describe(json!({ "variant": variant.name() }));
            assert_eq!(usual["problem"], Value::Null, "{usual}");
            let mut draft = json!({ "variant": variant.name() });
            for key in ["squares", "turn", "rights", "setup"] {
                draft[key] = usual[key].clone();
            }
            assert_eq!(describe(draft.clone())["fen"], usual["fen"]);
            // Without White's king, White has no castling rights, and the position is illegal.
            let squares = draft["squares"].as_object_mut().unwrap();
            squares.retain(|_, piece| piece != "wK");
            let broken = describe(draft);
            assert!(broken["problem"].as_str().unwrap().contains("king"), "{broken}");
            assert!(broken["rights"].as_array().unwrap().len() < 3, "{broken}");
        }
        for variant in Variant::ALL.iter().filter(|variant| variant.rules().setup.is_some()) {
            let beginning = describe(json!({ "variant": variant.name(), "setup": true }));
            assert_eq!((&beginning["setup"], &beginning["turn"]), (&json!(true), &json!("white")));
            let mut draft = json!({ "variant": variant.name(), "setup": true, "turn": "black" });
            draft["squares"] = beginning["squares"].clone();
            assert_eq!(
                describe(draft)["fen"],
                beginning["fen"],
                "the pieces in hand determine the side to move"
            );
        }
        // An en passant square stays only as long as a pawn can capture there.
        let text = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 7 30";
        let mut draft = describe(json!({ "text": text, "variant": "chess" }));
        assert_eq!((&draft["passants"], &draft["fen"]), (&json!(["d6"]), &json!(text)));
        let squares = draft["squares"].take();
        for (turn, expected) in [("white", text), ("black", "4k3/8/8/3pP3/8/8/8/4K3 b - - 7 30")] {
            let edited =
                json!({ "squares": squares, "turn": turn, "en_passant": "d6", "clocks": "7 30" });
            assert_eq!(describe(edited)["fen"], expected);
        }
        let wrong = describe(json!({ "squares": squares, "clocks": "7 many" }));
        assert!(wrong["problem"].as_str().unwrap().contains("'many'"), "{wrong}");
        let squares = json!({ "e1": "wK", "h1": "wR", "a1": "wR", "e8": "bK" });
        let draft = json!({ "variant": "chess960", "squares": squares, "rights": ["h1", "a8"] });
        let found = describe(draft);
        assert_eq!(found["fen"], "4k3/8/8/8/8/8/8/R3K2R w K - 0 1");
        assert_eq!((&found["rights"], &found["offers"]), (&json!(["h1"]), &json!(["a1", "h1"])));
        let wrong = describe(json!({ "variant": "chess", "squares": { "k1": "wK" } }));
        assert!(wrong["error"].as_str().unwrap().contains("no square 'k1'"), "{wrong}");
        let three = json!({ "a1": "wN", "b1": "wN", "c1": "wN" });
        let full = describe(json!({ "variant": "placement", "setup": true, "squares": three }));
        assert!(full["problem"].as_str().unwrap().starts_with("White's back rank"), "{full}");
    }
}
