//! The UCI frontend: turns lines of input into commands to a session, and events of the session into lines
//! of output.

use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use super::command::{COMMANDS, CommandForm, UciCommand};
use super::output::{Output, remark};
use super::{NAME, ProtocolError};
use crate::engine::{SearchInfo, SearchListener, SearchResult};
use crate::game::Game;
use crate::geometry::Board;
use crate::rules::{Variant, on_board};
use crate::session::{
    self, Event, Frontend, Handle, NOTHING, OptionError, OptionKind, OptionValues, SessionError,
    SessionOption,
};
use crate::system;
use crate::text::{Excerpt, LineReader};
use crate::types::{Bound, Score};

const AUTHOR: &str = "the Aleator developers";

/// Executes UCI commands and the program's `extra` commands from the input until `quit` or the end of the
/// input. Returns an error if a position was rejected.
pub fn run_uci(
    input: impl BufRead + Send + 'static,
    output: Output,
    extra: &'static [CommandForm],
) -> Result<(), ProtocolError> {
    let frontend = Arc::new(UciFrontend::new(output, extra));
    session::run(frontend.clone(), |handle| {
        let abandoned = handle.clone();
        frontend.output.on_failure(move || abandoned.abandon());
        let reader = frontend.clone();
        let reading = thread::Builder::new().name("input".to_owned());
        reading.spawn(move || reader.read(input, &handle)).map(drop)
    })?;
    frontend.output.finish()?;
    if frontend.has_rejected.load(Relaxed) { Err(ProtocolError::Position) } else { Ok(()) }
}

/// A UCI conversation like [`run_uci`], but on the caller's thread.
pub struct UciInPlace {
    frontend: Arc<UciFrontend>,
    session: Handle,
}

impl UciInPlace {
    /// Starts a session.
    pub fn new(output: Output, extra: &'static [CommandForm]) -> Result<UciInPlace, ProtocolError> {
        let frontend = Arc::new(UciFrontend::new(output, extra));
        let session = session::in_place(frontend.clone())?;
        Ok(UciInPlace { frontend, session })
    }

    /// Executes a line, including a search that the line starts. Returns `false` after `quit`. This method
    /// may be called while a search is running.
    pub fn line(&self, line: &str) -> bool {
        self.frontend.pass_on(line, &self.session)
    }

    /// Reports the end of the input to the session. Returns `true` if a search is still running that will end
    /// by itself.
    pub fn end(&self) -> bool {
        self.session.send(session::Command::EndOfInput)
    }
}

/// The frontend of a session that reads and writes lines of UCI.
struct UciFrontend {
    output: Output,
    extra: &'static [CommandForm],
    debug: AtomicBool,
    show_wdl: AtomicBool,
    /// Whether a position was rejected.
    has_rejected: AtomicBool,
}

impl UciFrontend {
    const fn new(output: Output, extra: &'static [CommandForm]) -> UciFrontend {
        let [debug, show_wdl, has_rejected] = [const { AtomicBool::new(false) }; 3];
        UciFrontend { output, extra, debug, show_wdl, has_rejected }
    }

    fn read(&self, input: impl BufRead, session: &Handle) {
        for line in LineReader::new(input) {
            let is_heard = match line {
                Ok(line) => self.pass_on(&line, session),
                Err(error) => session.send(session::Command::Say(remark(&error))),
            };
            if !is_heard {
                return;
            }
        }
        session.send(session::Command::EndOfInput);
        // If nobody reads the output any more, the running search must not continue.
        self.output.watch_reader();
    }

    /// Parses a line and sends the command to the session. Returns `false` if the session is over. Answers
    /// that do not need the session are sent through the session too, so that all answers stay in order.
    fn pass_on(&self, line: &str, session: &Handle) -> bool {
        let command = match UciCommand::parse_with(self.extra, line) {
            Ok(None) => return true,
            Ok(Some(UciCommand::Session(command))) => command,
            Ok(Some(UciCommand::Go(go))) => {
                for error in &go.errors {
                    session.send(session::Command::Say(remark(error)));
                }
                if go.errors.is_empty() && !go.ignored.is_empty() {
                    let words = Excerpt::new(&go.ignored.join(" "));
                    let text = remark(&format_args!("go: ignored {words}"));
                    session.send(session::Command::Say(text));
                }
                let search = || session::Command::Go(go.request);
                go.perft.map_or_else(search, session::Command::Perft)
            }
            Ok(Some(UciCommand::Debug(on))) => {
                self.debug.store(on, Relaxed);
                return true;
            }
            Ok(Some(UciCommand::Uci)) => session::Command::Say(identity()),
            Ok(Some(UciCommand::Compiler)) => {
                session::Command::Say(format!("Aleator {}", system::build_description()))
            }
            Ok(Some(UciCommand::Help)) => session::Command::Say(help(self.extra)),
            Err(error) if error.is_position() => {
                session::Command::RejectPosition(error.to_string())
            }
            Err(error) => session::Command::Say(remark(&error)),
        };
        session.send(command)
    }
}

impl SearchListener for UciFrontend {
    fn info(&self, info: &SearchInfo) {
        self.output.line_soon(info_line(info, self.show_wdl.load(Relaxed)));
    }

    fn current_move(&self, depth: i32, mv: &str, number: usize) {
        let text = format_args!("info depth {depth} currmove {mv} currmovenumber {number}");
        self.output.line(text);
    }
}

impl Frontend for UciFrontend {
    fn hear(&self, event: Event) {
        let output = &self.output;
        match event {
            Event::Ready => output.line("readyok"),
            Event::BestMove(answer) => output.line(best_move_line(answer)),
            Event::Perft { counts, total } => {
                let lines = counts.iter().map(|(mv, count)| format!("{mv}: {count}\n"));
                let lines: String = lines.collect();
                output.line(format_args!("{lines}\nNodes searched: {total}\n"));
            }
            Event::Text(text) => output.line(text),
            Event::Remark(text) => output.line(remark(&text)),
            Event::Variant(variant) => output.line(remark(&variant_line(variant))),
            Event::ShowWdl(on) => self.show_wdl.store(on, Relaxed),
            // A `stop` may arrive just after the search has ended. This is reported only after `debug on`.
            Event::Error(SessionError::Idle(_)) if !self.debug.load(Relaxed) => {}
            Event::Error(error) => {
                if matches!(error, SessionError::Position(_)) {
                    self.has_rejected.store(true, Relaxed);
                }
                output.line(remark(&in_uci_words(error)));
            }
        }
    }
}

/// Describes an error, with advice in terms of UCI commands.
fn in_uci_words(error: &SessionError) -> String {
    match error {
        SessionError::Busy(_) => format!("{error}; send 'stop' first and wait for 'bestmove'"),
        SessionError::Option(OptionError::NoValue { option, .. }) => {
            format!("{error}; write 'setoption name {option} value <value>'")
        }
        _ => error.to_string(),
    }
}

fn identity() -> String {
    let options = session::options();
    let declared = options.iter().filter(|option| option.is_declared);
    let lines: String = declared.map(|option| declaration(option) + "\n").collect();
    format!("id name {NAME}\nid author {AUTHOR}\n\n{lines}uciok")
}

fn help(extra: &[CommandForm]) -> String {
    let text =
        |form: &CommandForm| format!("{} {}\n    {}", form.name, form.arguments, form.purpose);
    COMMANDS.iter().chain(extra).map(text).collect::<Vec<_>>().join("\n")
}

/// Describes a variant in the format of Fairy-Stockfish. Adapters to other protocols, such as uci2wb, use
/// this line.
fn variant_line(variant: Variant) -> String {
    let rules = variant.rules();
    let (files, ranks) = on_board!(rules.board, |G| (G::FILES, G::RANKS));
    let pocket = if rules.setup.is_some() { 8 } else { 0 };
    let is_chess = matches!(variant, Variant::Chess | Variant::Chess960);
    let template = if is_chess { "chess" } else { "fairy" };
    let start = Game::standard(variant).map(|game| game.fen()).unwrap_or_default();
    format!(
        "variant {} files {files} ranks {ranks} pocket {pocket} template {template} \
         startpos {start}",
        variant.name()
    )
}

fn best_move_line(answer: &SearchResult) -> String {
    match (&answer.best, &answer.ponder) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(best), None) => format!("bestmove {best}"),
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
    }
}

fn info_line(line: &SearchInfo, show_wdl: bool) -> String {
    let score = match line.score {
        Score::Centipawns(value) => format!("cp {value}"),
        Score::Mate(moves) => format!("mate {moves}"),
    };
    if line.pv.is_empty() {
        return format!("info depth 0 score {score}");
    }
    let bound = match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let wdl = if show_wdl {
        let [win, draw, loss] = line.wdl;
        format!(" wdl {win} {draw} {loss}")
    } else {
        String::new()
    };
    format!(
        "info depth {} seldepth {} multipv {} score {score}{bound}{wdl} nodes {} nps {} \
         hashfull {} tbhits {} time {} pv {}",
        line.depth,
        line.selective_depth,
        line.multi_pv,
        line.nodes,
        line.nodes_per_second(),
        line.hash_full,
        line.tablebase_hits,
        line.time.as_millis(),
        line.pv.join(" ")
    )
}

/// Returns the line that declares an option to a GUI.
pub fn declaration(option: &SessionOption) -> String {
    let kind = match &option.kind {
        OptionKind::Check(field) => {
            format!("check default {}", field(&mut OptionValues::default()))
        }
        OptionKind::Spin(range, number) => {
            let (default, min, max) = (number.default(), range.start(), range.end());
            format!("spin default {default} min {min} max {max}")
        }
        OptionKind::Variant => {
            let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
            let default = OptionValues::default().variant.name();
            format!("combo default {default} var {}", names.join(" var "))
        }
        OptionKind::Network(_) | OptionKind::Book | OptionKind::Tablebase => {
            format!("string default {NOTHING}")
        }
        OptionKind::Button(_) => "button".to_owned(),
        OptionKind::Text(text) => format!("string default {text}"),
    };
    format!("option name {} type {kind}", option.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::options;

    #[test]
    fn declarations() {
        let lines: Vec<String> = options().iter().map(declaration).collect();
        let hash = lines[0].strip_prefix("option name Hash type spin default 16 min 1 max ");
        assert!(hash.and_then(|most| most.parse::<u64>().ok()).is_some_and(|most| most >= 16));
        let variants: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
        assert_eq!(
            lines[1..14],
            [
                "option name Clear Hash type button",
                "option name Threads type spin default 1 min 1 max 1024",
                "option name Ponder type check default false",
                "option name MultiPV type spin default 1 min 1 max 256",
                "option name UCI_Chess960 type check default false",
                &format!(
                    "option name UCI_Variant type combo default chess var {}",
                    variants.join(" var ")
                ),
                "option name UCI_ShowWDL type check default false",
                "option name UCI_AnalyseMode type check default false",
                "option name UCI_LimitStrength type check default false",
                "option name UCI_Elo type spin default 2600 min 400 max 2600",
                "option name Move Overhead type spin default 10 min 0 max 5000",
                "option name Nodes Time type spin default 0 min 0 max 1000000",
                concat!(
                    "option name UCI_EngineAbout type string default Aleator ",
                    env!("CARGO_PKG_VERSION"),
                    ", a chess engine for every shuffled start; GPL-3.0-or-later"
                ),
            ]
        );
        assert_eq!(
            lines[14..18],
            [
                "option name OwnBook type check default false",
                "option name Book File type string default <empty>",
                "option name Book Depth type spin default 1000 min 1 max 1000",
                "option name EvalFile type string default <empty>",
            ]
        );
        for alias in ["standard", "normal", "fischerandom"] {
            assert!(!lines[6].contains(alias), "GUIs misbehave on a listed alias: {}", lines[6]);
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn tunable_search_parameters_are_declared() {
        let lines: Vec<String> = options().iter().map(declaration).collect();
        let wanted = "option name reverse_futility_margin type spin default ";
        let line = lines.iter().find(|line| line.starts_with(wanted)).unwrap();
        assert!(line.ends_with(" min 30 max 160"), "{line}");
    }
}
