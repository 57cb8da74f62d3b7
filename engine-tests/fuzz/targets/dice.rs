//! Fuzzes setup games with dice. Each line of an input is a roll, a decision about a roll, or a placement.
#![no_main]

use aleator::game::Game;
use aleator::play::arbiter::{Arbiter, Need};
use aleator::setup::Record;
use aleator::start::die::Die;
use aleator::start::jepps::Roll;
use libfuzzer_sys::fuzz_target;

/// Returns the state that the players see.
fn state(arbiter: &Arbiter) -> impl PartialEq + std::fmt::Debug + use<> {
    (arbiter.ranks(), arbiter.game().map(Game::fen), arbiter.request(), arbiter.forced())
}

/// Executes a line. Returns whether the line was accepted.
fn obey(arbiter: &mut Arbiter, line: &str) -> bool {
    match (line, arbiter.need()) {
        ("again", _) => arbiter.roll_again().is_ok(),
        ("keep", _) => arbiter.accept().is_ok(),
        ("undo", _) => arbiter.undo(),
        (_, Need::Die(_)) => line.parse::<Die>().is_ok_and(|die| arbiter.roll_die(die).is_ok()),
        (_, Need::Dice { .. } | Need::MediatorDice) => line.parse().is_ok_and(|roll: Roll| {
            assert_eq!(roll.to_string().parse(), Ok(roll));
            arbiter.roll_dice(roll).is_ok()
        }),
        _ => arbiter.play(line).is_ok(),
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((variant, text)) = aleator_fuzz::variant_and_text(data) else { return };
    let (kind, text) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    let Ok(mut arbiter) = Arbiter::new(variant, kind == "f") else { return };
    for line in text.lines() {
        let before = state(&arbiter);
        if !obey(&mut arbiter, line) {
            assert_eq!(state(&arbiter), before, "{line}");
        }
        if let Need::Choice(choice) = arbiter.need() {
            for placement in choice.placements {
                arbiter.clone().play(&placement.to_string()).expect("the placement is legal");
            }
        }
    }
    let Some(game) = arbiter.game() else { return };
    let fen = game.fen();
    // A FEN of the placement phase may not show whether the game is Free Play.
    if kind != "f" || !game.is_setup() {
        let again = Game::new(variant, &fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(again.fen(), fen);
    }
    if let Some(record) = arbiter.record().filter(|record| !record.placements().is_empty()) {
        let text = record.to_string();
        let again = Record::read(&text, Some(variant));
        assert_eq!(again.unwrap_or_else(|error| panic!("{error}\n{text}")), record, "{text}");
    }
});
