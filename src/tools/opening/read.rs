//! Reads suites of openings: files with one position per line, as FEN or EPD.

use crate::game::{Game, GameError, IgnoredPart, on_stage};
use crate::notation::{EpdRecord, epd_lines};
use crate::rules::Variant;
use crate::setup::{Setup, SetupFenError};

/// A line of a suite that is not an opening, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct OpeningError {
    /// The number of the line, counted from 1.
    pub line: usize,
    pub fault: OpeningFault,
}

/// Why no game can start from the position of a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningFault {
    #[error(transparent)]
    Fen(#[from] GameError),
    #[error("legal turns cannot lead to this setup or cannot finish it: {0}")]
    Unplayable(SetupFenError),
    #[error("the game is already over in this position: the side to move is {}", if *.in_check { "mated" } else { "stalemated" })]
    Over { in_check: bool },
}

/// Reads a suite and returns its positions as complete X-FENs.
///
/// A line is a FEN or an EPD record. An EPD record has four fields and then operations; the operations `hmvc`
/// and `fmvn` set the clocks. In a FEN, the text after the first `;` is a comment. Blank lines and lines that
/// begin with `#` are skipped. In variants with a setup, a FEN may contain pieces in hand. Fails if the game
/// is over in one of the positions, by the rules of the variant. Parts of a FEN that contradict its board are
/// ignored, as described at [`Game::new_lenient`].
pub fn read_openings(text: &str, variant: Variant) -> Result<Vec<String>, OpeningError> {
    read_openings_with(text, variant, &mut |_, _| {})
}

/// Reads openings like [`read_openings`], and passes each ignored part of a FEN to `hear`, with its line
/// number from 1.
pub fn read_openings_with(
    text: &str,
    variant: Variant,
    hear: &mut dyn FnMut(usize, &IgnoredPart),
) -> Result<Vec<String>, OpeningError> {
    let records = epd_lines(text).map(|(line, content)| (line, EpdRecord::parse(content)));
    let fens = records.map(|(line, record)| {
        let fail = |fault| OpeningError { line, fault };
        let read = Game::new_lenient(variant, &record.fen);
        let (game, ignored) = read.map_err(|error| fail(error.into()))?;
        ignored.iter().for_each(|part| hear(line, part));
        check(&game).map_err(fail)?;
        Ok(game.fen())
    });
    fens.collect()
}

/// Checks that the game is not over and that a setup can be completed.
fn check(game: &Game) -> Result<(), OpeningFault> {
    if let Some(defect) = game.setup().and_then(Setup::defect) {
        return Err(OpeningFault::Unplayable(defect));
    }
    match on_stage!(game.stage(), _ => true, game => game.position().has_legal_move()) {
        true => Ok(()),
        false => Err(OpeningFault::Over { in_check: game.in_check() }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::start::Start;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn read(text: &str) -> Vec<String> {
        read_openings(text, Variant::Chess960).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn fen_and_epd_are_read() {
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        for line in [
            START.to_owned(),
            board.to_owned(),
            format!("  {START}  ; ce 12;"),
            format!("{START};anything"),
            format!("{board} ; comment"),
            format!("{board} id \"518\";"),
            format!("{board} hmvc 0; fmvn 1;"),
            format!("{board} bm e4; ce +20"),
            START.replace("KQkq", "HAha"),
        ] {
            assert_eq!(read(&line), [START], "{line}");
        }
        let later = START.replace("0 1", "7 23");
        assert_eq!(read(&later), [&*later]);
        assert_eq!(read(&format!("{board} c9 \"x\"; hmvc 7; fmvn 23;")), [&*later]);
        assert_eq!(read(&format!("{board} fmvn 23; hmvc 7")), [&*later]);
    }

    #[test]
    fn lines_without_positions_are_skipped_but_counted() {
        let text = format!("# a suite\r\n\r\n{START}\r\n   \n{START} ; ce 5;\n# the end");
        assert_eq!(read(&text), [START, START]);
        assert_eq!(read(""), [""; 0]);
        let error = read_openings(&format!("{text}\nnonsense"), Variant::Chess960).unwrap_err();
        assert_eq!(error.line, 7);
        assert!(error.to_string().starts_with("line 7: pieces: expected 8 ranks"), "{error}");
    }

    #[test]
    fn positions_must_fit_the_variant() {
        for &variant in Variant::ALL {
            let fen = Start::standard(variant).fen();
            assert_eq!(read_openings(&fen, variant), Ok(vec![fen.clone()]));
        }
        let fault = |line: &str, variant| read_openings(line, variant).unwrap_err().to_string();
        assert!(fault(START, Variant::Transcendental).contains("no castling"));
        assert!(fault(START, Variant::Jepps).contains("relocation"));
        if let Ok(ifrc) = "ifrc".parse() {
            assert!(fault(START, ifrc).contains("expected 10 ranks"));
        }
        assert!(fault(&format!("{START} 7"), Variant::Chess).contains("six fields"));
    }

    #[test]
    fn parts_that_contradict_the_board_are_ignored_and_reported() {
        let text = format!("{START}\n\n4k3/8/8/8/8/8/8/4K2R w KQkq e6 bm Rh8+;\n");
        let mut heard = Vec::new();
        let fens = read_openings_with(&text, Variant::Chess, &mut |line, part| {
            heard.push((line, part.to_string()));
        });
        assert_eq!(fens.unwrap(), [START, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]);
        assert_eq!(heard.len(), 4);
        assert!(heard.iter().all(|(line, part)| *line == 3 && part.ends_with("; ignored")));
    }

    #[test]
    fn setups_are_openings_where_the_variant_has_them() {
        let fen = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
        assert_eq!(read_openings(fen, Variant::FischerBenko), Ok(vec![fen.to_owned()]));
        let error = read_openings(fen, Variant::Chess960).unwrap_err();
        assert!(error.to_string().contains("no placement phase"), "{error}");
        let not_blacks_turn = fen.replace(" w ", " b ");
        let error = read_openings(&not_blacks_turn, Variant::FischerBenko).unwrap_err();
        assert!(matches!(error.fault, OpeningFault::Unplayable(_)), "{error}");
    }

    #[test]
    fn a_finished_game_is_not_an_opening() {
        for (fen, word) in [
            ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "mated"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemated"),
        ] {
            let error = read_openings(fen, Variant::Chess).unwrap_err();
            assert!(error.to_string().ends_with(word), "{error}");
        }
    }

    fn any_variant() -> impl Strategy<Value = Variant> {
        prop::sample::select(Variant::ALL)
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC{0,200}", variant in any_variant()) {
            let _ = read_openings(&text, variant);
        }

        /// Reads lines that are almost valid: the FEN of a starting position with one character replaced,
        /// followed by operations.
        #[test]
        fn never_panics_on_almost_valid_lines(
            variant in any_variant(),
            place in 0..90_usize,
            letter in prop::sample::select("KQRBNPkqrbnp/[]0189w-;#ab \n".chars().collect::<Vec<_>>()),
            operations in "( |;|hmvc|fmvn|ce|[0-9]|\"){0,8}",
        ) {
            let mut line: Vec<char> = Start::standard(variant).epd().chars().collect();
            if let Some(old) = line.get_mut(place) {
                *old = letter;
            }
            let text: String = line.into_iter().chain(operations.chars()).collect();
            if let Ok(fens) = read_openings(&text, variant) {
                // The openings that were read can be read again.
                prop_assert_eq!(read_openings(&fens.join("\n"), variant), Ok(fens));
            }
        }
    }
}
