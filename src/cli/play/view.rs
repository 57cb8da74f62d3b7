//! Formats a game for the terminal: board, pieces in hand, clocks, evaluations and help.

use std::fmt::Write;
use std::io::IsTerminal;
use std::time::Duration;

use anstyle::{Ansi256Color, AnsiColor, Color as Paint, Style};

use crate::engine::{SearchInfo, SearchResult};
use crate::game::{TimeControl, on_stage};
use crate::geometry::Board;
use crate::play::LiveGame;
use crate::play::arbiter::{Choice, Need};
use crate::position::Position;
use crate::setup::Placement;
use crate::start::PartialBackRank;
use crate::types::{Color, Piece, Square};

pub(in crate::cli) const HEADING: Style = Style::new().bold();
pub(super) const FAINT: Style = Style::new().dimmed();
pub(super) const ERROR: Style = AnsiColor::Red.on_default();

/// Returns the text style for lines of a side.
pub(super) const fn style(color: Color) -> Style {
    [Style::new().bold(), AnsiColor::Cyan.on_default().bold()][color.index()]
}

/// Formats both back ranks with the pieces in hand, Black's rank above White's.
pub(in crate::cli) fn board_of_ranks(ranks: &[PartialBackRank; 2]) -> String {
    let mut text = format!("{FAINT}    a b c d e f g h{FAINT:#}\n");
    for color in [Color::Black, Color::White] {
        let rank = &ranks[color.index()];
        let style = style(color);
        let number = if color == Color::White { 1 } else { 8 };
        let _ = write!(text, "  {number}");
        for square in rank.squares() {
            let _ = match square {
                None => write!(text, " {FAINT}.{FAINT:#}"),
                Some(role) => write!(text, " {style}{}{style:#}", role.of(color).letter()),
            };
        }
        let hand = spaced(&rank.pocket().letters(color));
        if !hand.is_empty() {
            let _ = write!(text, "   in hand: {hand}");
        }
        text.push('\n');
    }
    text
}

/// Formats the possible placements, grouped by piece: `K@d1 K@f1 | R@a1 ...`.
fn placements(choice: &Choice) -> String {
    let role = |placement: &Placement| placement.drops().next().map(|drop| drop.role);
    let of_role = |placements: &[Placement]| {
        placements.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let by_role = choice.placements.chunk_by(|one, other| role(one) == role(other));
    by_role.map(of_role).collect::<Vec<_>>().join(" | ")
}

/// Describes the answers that the person can type.
pub(super) fn possible(need: &Need) -> String {
    const FACES: &str = "1 king, 2 knight, 3 bishop, 4 rook, 5 queen, 6 any piece";
    match need {
        Need::Die(request) => request.to_string(),
        Need::Dice { roles, .. } => {
            let names: Vec<String> = roles.iter().map(ToString::to_string).collect();
            format!(
                "what two dice show, such as 3 5. Meaning of the numbers: {FACES}; possible here: {}",
                names.join(", ")
            )
        }
        Need::MediatorDice => "what two dice show, such as 3 5. Both even: Black mirrors White's \
                               back rank; both odd: Black reverses it; one of each: Black rolls \
                               its own dice. After a double Black may reroll"
            .to_owned(),
        Need::Choice(choice) if choice.may_roll_again => {
            format!("{}, or again", placements(choice))
        }
        Need::Choice(choice) => placements(choice),
        Need::Mediation(mediation) => format!("keep ({mediation}), or again"),
        Need::Nothing => "Enter to end the setup, or undo".to_owned(),
    }
}

/// The way pieces and squares are shown in the terminal.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct Look {
    /// Whether pieces are shown as Unicode chess symbols instead of letters.
    pub pictures: bool,
    /// Whether light and dark squares are shown with different background colours.
    pub squares: bool,
}

impl Look {
    /// Returns the best look that the terminal supports. Pictures need a locale with UTF-8, or Windows.
    pub fn of_terminal() -> Look {
        let is_terminal = std::io::stdout().is_terminal();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
        let utf8 = locale.is_some_and(|name| {
            let name = name.to_ascii_lowercase();
            name.contains("utf-8") || name.contains("utf8")
        });
        let colours = anstream::stdout().current_choice() != anstream::ColorChoice::Never;
        Look { pictures: is_terminal && (utf8 || cfg!(windows)), squares: is_terminal && colours }
    }
}

/// The colours of light and dark squares.
const SQUARES: [Ansi256Color; 2] = [Ansi256Color(180), Ansi256Color(137)];
/// The highlight colours of light and dark squares, for the squares of the last turn.
const LAST: [Ansi256Color; 2] = [Ansi256Color(150), Ansi256Color(107)];
/// The colours of White's and Black's pieces on coloured squares.
const PIECES: [Ansi256Color; 2] = [Ansi256Color(231), Ansi256Color(16)];

/// The outlined pictures, by role. They show White's pieces if squares are not coloured. All other pieces are
/// shown by filled pictures.
const OUTLINED: [char; 6] = ['♙', '♘', '♗', '♖', '♕', '♔'];
const FILLED: [char; 6] = ['♟', '♞', '♝', '♜', '♛', '♚'];

fn symbol(piece: Piece, look: Look) -> char {
    let role = piece.role().index();
    match (look.pictures, look.squares, piece.color()) {
        (false, ..) => piece.letter(),
        (true, false, Color::White) => OUTLINED[role],
        (true, ..) => FILLED[role],
    }
}

/// Formats the board with coordinates, with the side `below` at the bottom, and with the squares of the
/// last turn marked. In a setup, the pieces in hand follow.
pub(super) fn board(live: &LiveGame, look: Look, below: Color) -> String {
    let Some(game) = live.game() else {
        return board_of_ranks(&live.arbiter().ranks());
    };
    let turns = live.turns();
    let last = turns.last().map_or("", |note| note.uci.as_str());
    let mut text = on_stage!(game.stage(),
        state => squares(&state.board(), last, look, below),
        game => squares(game.position(), last, look, below));
    if let Some(state) = game.setup() {
        for color in [!below, below] {
            let hand = spaced(&state.pocket(color).letters(color));
            let style = style(color);
            let _ = writeln!(text, "    {style}{color}{style:#} has in hand: {hand}");
        }
    }
    text
}

fn squares<G: Board>(position: &Position<G>, last: &str, look: Look, below: Color) -> String {
    let marked = squares_of::<G>(last);
    let turned = |count: u8| -> Vec<u8> {
        let all = 0..count;
        if below == Color::White { all.collect() } else { all.rev().collect() }
    };
    let mut text = String::new();
    for rank in turned(G::RANKS).into_iter().rev() {
        let _ = write!(text, "{FAINT}{:>4}{FAINT:#} ", rank + 1);
        for file in turned(G::FILES) {
            let piece =
                Square::at(file, rank).and_then(|square: Square<G>| position.piece_at(square));
            let is_marked = marked.contains(&(file, rank));
            text += &cell(piece, (file + rank) % 2 == 0, is_marked, look);
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    let (indent, gap) = if look.squares { ("      ", "  ") } else { ("     ", " ") };
    let files: Vec<String> =
        turned(G::FILES).iter().map(|file| char::from(b'a' + file).to_string()).collect();
    let _ = writeln!(text, "{FAINT}{indent}{}{FAINT:#}", files.join(gap));
    text
}

/// Puts spaces between letters: `KQR` becomes `K Q R`.
fn spaced(letters: &str) -> String {
    letters.chars().map(String::from).collect::<Vec<_>>().join(" ")
}

/// Formats a square: three columns wide if squares are coloured, otherwise two columns.
fn cell(piece: Option<Piece>, is_dark: bool, is_marked: bool, look: Look) -> String {
    if !look.squares {
        return format!("{} ", piece.map_or('.', |piece| symbol(piece, look)));
    }
    let ground = if is_marked { LAST } else { SQUARES }[usize::from(is_dark)];
    let ground = Style::new().bg_color(Some(Paint::Ansi256(ground)));
    let Some(piece) = piece else { return format!("{ground}   {ground:#}") };
    let paint = PIECES[piece.color().index()];
    let style = ground.fg_color(Some(Paint::Ansi256(paint))).bold();
    format!("{style} {} {style:#}", symbol(piece, look))
}

/// Returns file and rank of each square that occurs in the text of a turn.
fn squares_of<G: Board>(turn: &str) -> Vec<(u8, u8)> {
    let mut found = Vec::new();
    let mut rest = turn;
    while let Some(letter) = rest.chars().next() {
        rest = match Square::<G>::parse_prefix(rest) {
            Some((square, behind)) => {
                found.push((square.file(), square.rank()));
                behind
            }
            None => &rest[letter.len_utf8()..],
        };
    }
    found
}

/// Explains the engine's choice in a setup by the scores of the engine's two best lines.
pub(super) fn reasons(reply: &SearchResult) -> String {
    let [best, others @ ..] = &reply.lines[..] else { return String::new() };
    let mut text = format!("{} for its side", best.score);
    if let Some(next) = others.first() {
        let turn = next.pv.first().map_or("", String::as_str);
        let _ = write!(text, ", the next best {turn} scores {}", next.score);
    }
    let expected: Vec<&str> = best.san.iter().skip(1).take(4).map(String::as_str).collect();
    if !expected.is_empty() {
        let _ = write!(text, "; it expects {}", expected.join(" "));
    }
    text + &match best.depth {
        0 => "; by the static evaluation of the starting positions".to_owned(),
        depth => format!("; searched to depth {depth}"),
    }
}

/// Describes the engine's evaluation of a position in which `color` is to move.
pub(super) fn evaluation(line: &SearchInfo, color: Color) -> String {
    let mut wdl =
        line.wdl.map(|thousandths| format!("{}.{} %", thousandths / 10, thousandths % 10));
    if color == Color::Black {
        wdl.reverse();
    }
    let [white, draw, black] = wdl;
    let (score, depth, moves) = (line.score.for_white(color), line.depth, line.san.join(" "));
    format!(
        "{score} for White at depth {depth} (White wins {white}, draw {draw}, Black wins {black}): {moves}"
    )
}

/// Formats the time left on a clock, with tenths of a second below one minute.
pub(super) fn clock(left: Duration) -> String {
    let seconds = left.as_secs();
    if seconds < 60 {
        return format!("0:{:02}.{}", seconds, left.subsec_millis() / 100);
    }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let hours = if hours > 0 { format!("{hours}:{minutes:02}") } else { minutes.to_string() };
    format!("{hours}:{:02}", seconds % 60)
}

/// Describes a time control, such as `5 minutes for the game and 3 seconds for each move`.
pub(super) fn control(control: TimeControl) -> String {
    let TimeControl { moves, base, increment } = control;
    let span = match moves {
        Some(moves) => format!("each {moves} moves"),
        None => "the game".to_owned(),
    };
    let mut words = format!("{} for {span}", time(base));
    if !increment.is_zero() {
        words += &format!(" and {} for each move", time(increment));
    }
    // A single number is seconds, but the user may have meant minutes.
    if base < Duration::from_secs(60) {
        words += &format!(" (for minutes, write --tc {}:00)", base.as_secs_f64());
    }
    words
}

/// Formats a duration, such as `1 minute 30 seconds`.
fn time(time: Duration) -> String {
    let counted = |count: f64, unit: &str| {
        let plural = if count == 1.0 { "" } else { "s" };
        (count > 0.0).then(|| format!("{count} {unit}{plural}"))
    };
    let minutes = time.as_secs() / 60;
    let seconds = (time - Duration::from_secs(60 * minutes)).as_secs_f64();
    let parts = [counted(minutes as f64, "minute"), counted(seconds, "second")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Returns the numbered moves of a game, as on a score sheet.
pub(super) fn score_sheet(live: &LiveGame) -> Option<String> {
    let mut bare = live.pgn("")?;
    for node in &mut bare.line.turns {
        node.notes = Default::default();
        node.nags.clear();
        node.variations.clear();
    }
    let text = bare.to_string();
    let moves = text.rsplit("\n\n").nth(1).unwrap_or_default();
    Some(format!("{HEADING}{}{HEADING:#}\n{moves}", live.game_name()))
}

/// The text that the command `help` prints during a game.
pub(super) const HELP: &str = "\
Commands:
  e4, Nf3, e2e4      a move, in SAN or UCI notation; O-O or king takes rook castles
  R@h1 or Rh1        in a setup: a piece and a square of your back rank
  3 5, again, keep   in a setup: what your dice show, reroll, accept the mediator's verdict
  undo               take back your last turn, in a setup also your dice
  hint               show the move that the engine would play
  eval               show the engine's evaluation of the position
  draw               offer or accept a draw
  resign             resign, after a confirmation
  moves, pgn         show the moves played, as a list or as PGN
  board, flip        show the board, turn the board round
  fen                show the position as FEN
  save FILE          save the game: as PGN, or with dice and clocks if FILE ends in .json
  load FILE          continue a saved game
  quit               quit; 'aleator play --resume' continues the game
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_ranks() {
        let ranks = ["1BB1R3", "2b2br1"].map(|text| text.parse().unwrap());
        let plain = anstream::adapter::strip_str(&board_of_ranks(&ranks)).to_string();
        assert_eq!(
            plain,
            "    a b c d e f g h\n  8 . . b . . b r .   in hand: k q r n n\n  1 . B B . R . . .   in hand: K Q R N N\n"
        );
    }
}
