//! How a game looks on a terminal.

use std::fmt::Write;
use std::io::IsTerminal;
use std::time::Duration;

use anstyle::{Ansi256Color, AnsiColor, Color as Paint, Style};

use crate::attacks::Board;
use crate::engine::Line;
use crate::game::{TimeControl, on_stage};
use crate::play::arbiter::{Choice, Need};
use crate::play::{LiveGame, Reply};
use crate::position::Position;
use crate::start::PartialArray;
use crate::types::{Color, Piece, Role, Square};

pub(in crate::cli) const HEADING: Style = Style::new().bold();
pub(super) const FAINT: Style = Style::new().dimmed();
pub(super) const ERROR: Style = AnsiColor::Red.on_default();
const WHITE: Style = Style::new().bold();
const BLACK: Style = AnsiColor::Cyan.on_default().bold();

/// How lines of a side look.
pub(super) const fn style(color: Color) -> Style {
    match color {
        Color::White => WHITE,
        Color::Black => BLACK,
    }
}

/// Both back ranks with what is in hand, Black's above.
pub(in crate::cli) fn board_of_ranks(ranks: &[PartialArray; 2]) -> String {
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

/// The squares for each piece: `K@d1 K@f1 | R@a1 ...`.
fn placements(choice: &Choice) -> String {
    let mut text = String::new();
    let mut before: Option<Role> = None;
    for placement in &choice.placements {
        let role = placement.drops().next().map(|drop| drop.role);
        if before.is_some() {
            text += if before == role { " " } else { " | " };
        }
        before = role;
        text += &placement.to_string();
    }
    text
}

/// What can be answered to a question.
pub(super) fn possible(need: &Need) -> String {
    const FACES: &str = "1 king, 2 knight, 3 bishop, 4 rook, 5 queen, 6 any piece";
    match need {
        Need::Die(request) => request.to_string(),
        Need::Dice { roles, .. } => {
            let names: Vec<String> = roles.iter().map(ToString::to_string).collect();
            format!(
                "what two dice show, such as 3 5. A die offers: {FACES}; what fits here is {}",
                names.join(", ")
            )
        }
        Need::MediatorDice => "what two dice show, such as 3 5. Both even: Black mirrors White's \
                               array; both odd: Black reverses it; one of each: Black has its \
                               own dice. After a double Black may let it roll again"
            .to_owned(),
        Need::Choice(choice) if choice.may_roll_again => {
            format!("{}, or again", placements(choice))
        }
        Need::Choice(choice) => placements(choice),
        Need::Mediation(mediation) => format!("keep ({mediation}), or again"),
        Need::Nothing => "Enter, or undo".to_owned(),
    }
}

/// What the terminal can.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct Look {
    /// Pieces as pictures, not as letters.
    pub pictures: bool,
    /// Squares in colours.
    pub squares: bool,
}

impl Look {
    /// What this terminal can, as far as one can tell: its locale says whether it knows pictures.
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

/// Backgrounds of light and dark squares, and of those of the last turn.
const SQUARES: [Ansi256Color; 2] = [Ansi256Color(180), Ansi256Color(137)];
const LAST: [Ansi256Color; 2] = [Ansi256Color(150), Ansi256Color(107)];
const PIECES: [Ansi256Color; 2] = [Ansi256Color(231), Ansi256Color(16)];

/// The filled pictures: on coloured squares the colour tells whose a piece is.
const fn picture(role: Role) -> char {
    match role {
        Role::King => '♚',
        Role::Queen => '♛',
        Role::Rook => '♜',
        Role::Bishop => '♝',
        Role::Knight => '♞',
        _ => '♟',
    }
}

/// The pictures of White's pieces, which are outlines.
const fn outline(role: Role) -> char {
    match role {
        Role::King => '♔',
        Role::Queen => '♕',
        Role::Rook => '♖',
        Role::Bishop => '♗',
        Role::Knight => '♘',
        _ => '♙',
    }
}

fn symbol(piece: Piece, look: Look) -> char {
    match (look.pictures, look.squares, piece.color()) {
        (false, ..) => piece.letter(),
        (true, false, Color::White) => outline(piece.role()),
        (true, ..) => picture(piece.role()),
    }
}

/// The board of a game with its coordinates, from the side of `below`; beside a set-up what is in
/// hand. `last` is the turn made last, whose squares are marked.
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
    let gap = if look.squares { "  " } else { " " };
    let files: Vec<String> =
        turned(G::FILES).iter().map(|file| char::from(b'a' + file).to_string()).collect();
    let indent = if look.squares { "      " } else { "     " };
    let _ = writeln!(text, "{FAINT}{indent}{}{FAINT:#}", files.join(gap));
    text
}

/// A square: with its colour three columns wide, without it two.
/// `K Q R` for `KQR`.
fn spaced(letters: &str) -> String {
    letters.chars().map(String::from).collect::<Vec<_>>().join(" ")
}

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

/// File and rank of the squares in the text of a turn.
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

/// Why the engine chose what it chose in a set-up, by its two best lines.
pub(super) fn reasons(reply: &Reply) -> String {
    let [best, others @ ..] = &reply.lines[..] else { return String::new() };
    let mut text = format!("{} for its side", best.score);
    if let Some(next) = others.first() {
        let _ = write!(
            text,
            ", the next best {} {}",
            next.pv.first().map_or("", String::as_str),
            next.score
        );
    }
    let expected: Vec<&str> = best.san.iter().skip(1).take(4).map(String::as_str).collect();
    if !expected.is_empty() {
        let _ = write!(text, "; it expects {}", expected.join(" "));
    }
    text + &match best.depth {
        0 => "; by the static evaluation of the arrays".to_owned(),
        depth => format!("; searched to depth {depth}"),
    }
}

/// What the engine thinks of a position with this side to move.
pub(super) fn opinion(line: &Line, color: Color) -> String {
    let [win, draw, loss] = line.wdl;
    let [white, black] = if color == Color::White { [win, loss] } else { [loss, win] };
    let percent = |thousandths: u32| format!("{}.{} %", thousandths / 10, thousandths % 10);
    format!(
        "{} for White at depth {} (White wins {}, draw {}, Black wins {}): {}",
        line.score.for_white(color),
        line.depth,
        percent(white),
        percent(draw),
        percent(black),
        line.san.join(" ")
    )
}

/// Minutes and seconds, with tenths below a minute.
pub(super) fn clock(left: Duration) -> String {
    let seconds = left.as_secs();
    if seconds < 60 {
        return format!("0:{:02}.{}", seconds, left.subsec_millis() / 100);
    }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let hours = if hours > 0 { format!("{hours}:{minutes:02}") } else { minutes.to_string() };
    format!("{hours}:{:02}", seconds % 60)
}

/// Clocks in words: `5 minutes for the game and 3 seconds for each move`.
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
    // Who types 5 may mean minutes.
    if base < Duration::from_secs(60) {
        words += &format!(" (--tc {}:00 would be minutes)", base.as_secs_f64());
    }
    words
}

/// `1 minute 30 seconds`.
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

/// The moves of a game with their numbers, as a score sheet has them.
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

/// What can be typed.
pub(super) const HELP: &str = "\
What you can type:
  e4, Nf3, e2e4      a move, in SAN or UCI notation; O-O or king takes rook castles
  R@h1 or Rh1        in a set-up: a piece and a square of your back rank
  3 5, again, keep   in a set-up: what your dice show, and what you do with them
  undo               take back your last turn, in a set-up also what your dice showed
  hint               what the engine would play
  eval               what it thinks of the position
  draw               offer a draw, accept one
  resign             give up; asks first
  moves, pgn         what was played, as PGN too
  board, flip        the board again, from the other side
  fen                the position as text
  save FILE          write the game: as PGN, or, if the name ends in .json, with all that happened
  load FILE          go on with a game that was saved
  quit               leave; 'aleator play --resume' goes on
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
