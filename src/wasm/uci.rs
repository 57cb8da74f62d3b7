//! The functions of the WebAssembly module with a UCI engine.

use std::cell::OnceCell;
use std::io::{self, Write};

use super::{DONE, fail_with, missing, say, take_input};
use crate::protocol::{BENCH, CommandForm, Output, UciCommand, UciInPlace};
use crate::rules::{BoardSize, Variant};
use crate::session::Command;

/// The return value of [`uci`] and [`end`] if the engine has quit.
const OVER: i32 = -2;

thread_local! {
    static ENGINE: OnceCell<UciInPlace> = const { OnceCell::new() };
}

/// A writer that passes the output of the engine to the host.
struct Host;

impl Write for Host {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        say(bytes.as_ptr(), bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Carries out a line of UCI. If a network is missing, returns the board of the network instead.
#[unsafe(no_mangle)]
extern "C" fn uci() -> i32 {
    let line = String::from_utf8_lossy(&take_input()).into_owned();
    if let Some(board) = missing(boards_of(&line)) {
        return board;
    }
    ENGINE.with(|engine| {
        let uci = engine.get_or_init(|| match UciInPlace::new(Output::new(Host), &EXTRA) {
            Ok(uci) => uci,
            Err(error) => fail_with(&error.to_string()),
        });
        if uci.line(&line) { DONE } else { OVER }
    })
}

/// Tells the engine that the input has ended.
#[unsafe(no_mangle)]
extern "C" fn end() -> i32 {
    let is_on = ENGINE.with(|engine| engine.get().is_some_and(UciInPlace::end));
    if is_on { DONE } else { OVER }
}

static EXTRA: [CommandForm; 1] = [BENCH];

/// Returns the boards whose networks a line of UCI needs. The 8x8 board is always included.
fn boards_of(line: &str) -> Vec<BoardSize> {
    let mut boards = vec![BoardSize::Eight];
    match UciCommand::parse_with(&EXTRA, line) {
        Ok(Some(UciCommand::Session(Command::SetOption { name, value: Some(value) }))) => {
            let variant = value.parse().ok().filter(|_| name.eq_ignore_ascii_case("UCI_Variant"));
            boards.extend(variant.map(|variant: Variant| variant.rules().board));
        }
        Ok(Some(UciCommand::Session(Command::Extra(_)))) => boards.extend(BoardSize::ALL),
        _ => {}
    }
    boards
}
