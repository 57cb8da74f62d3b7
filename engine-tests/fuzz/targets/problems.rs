//! Fuzzes EPD suites of problems: the best moves and the moves to avoid must be legal.
#![no_main]

use aleator::tools::epd::read_problems;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((variant, text)) = aleator_fuzz::variant_and_text(data) else { return };
    let (problems, errors) = read_problems(text, variant);
    assert!(problems.len() + errors.len() <= text.lines().count());
    for problem in problems {
        for turn in problem.best.iter().chain(&problem.avoid) {
            assert_eq!(problem.game.read(&turn.uci).as_ref(), Ok(turn), "{}", problem.game.fen());
        }
    }
});
