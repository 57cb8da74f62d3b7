//! Set-ups at the table: dice, the mediator's word and placements, a line each, from the first roll on.
#![no_main]

use aleator::game::Game;
use aleator::play::umpire::{Need, Umpire};
use aleator::setup::Record;
use aleator::start::dice::Die;
use aleator::start::jepps::Roll;
use libfuzzer_sys::fuzz_target;

/// All that can be seen of it.
fn seen(umpire: &Umpire) -> impl PartialEq + std::fmt::Debug + use<> {
    (umpire.ranks(), umpire.game().map(Game::fen), umpire.request(), umpire.forced())
}

/// Does what a line says; whether that was taken.
fn obey(umpire: &mut Umpire, line: &str) -> bool {
    match (line, umpire.need()) {
        ("again", _) => umpire.roll_again().is_ok(),
        ("keep", _) => umpire.accept().is_ok(),
        ("undo", _) => umpire.undo(),
        (_, Need::Die(_)) => line.parse::<Die>().is_ok_and(|die| umpire.roll_die(die).is_ok()),
        (_, Need::Dice { .. } | Need::MediatorDice) => line.parse().is_ok_and(|roll: Roll| {
            assert_eq!(roll.to_string().parse(), Ok(roll));
            umpire.roll_dice(roll).is_ok()
        }),
        _ => umpire.play(line).is_ok(),
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((variant, text)) = aleator_fuzz::variant_and_text(data) else { return };
    let (kind, text) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    let Ok(mut umpire) = Umpire::new(variant, kind == "f") else { return };
    for line in text.lines() {
        let before = seen(&umpire);
        if !obey(&mut umpire, line) {
            assert_eq!(seen(&umpire), before, "{line}");
        }
        if let Need::Choice(choice) = umpire.need() {
            for placement in choice.placements {
                umpire.clone().place(placement).expect("it was offered");
            }
        }
    }
    let Some(game) = umpire.game() else { return };
    let fen = game.fen();
    // No FEN tells of Free Play.
    if kind != "f" || !game.is_setup() {
        let again = Game::new(variant, &fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(again.fen(), fen);
    }
    if let Some(record) = umpire.record().filter(|record| !record.placements().is_empty()) {
        let text = record.to_string();
        let again = Record::read(&text, Some(variant));
        assert_eq!(again.unwrap_or_else(|error| panic!("{error}\n{text}")), record, "{text}");
    }
});
