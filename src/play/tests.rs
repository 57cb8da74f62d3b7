//! Tests of live games: setup, dice, turns, clocks, draw offers, saved files and PGN.

use std::time::{Duration, Instant};

use super::arbiter::Need;
use super::*;
use crate::engine::{Habits, LEVELS, SearchInfo, SearchRequest, SearchResult, Strength};
use crate::game::{Clocks, Outcome, Termination};
use crate::rules::Variant;
use crate::start::die::Die;
use crate::start::{Numbering, Rng};
use crate::types::{Bound, Color, Score};

const PEOPLE: [Player; 2] = [Player::Person; 2];
const ENGINE: Player = Player::Engine(Strength::Level(3));

fn live(variant: Variant, fen: &str, players: [Player; 2]) -> LiveGame {
    LiveGame::new(GameSettings::new(variant, GameStart::Fen(fen.to_owned()), players)).unwrap()
}

fn chess(players: [Player; 2]) -> LiveGame {
    live(Variant::Chess, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", players)
}

fn play(live: &mut LiveGame, moves: &str) {
    moves.split(' ').for_each(|text| live.play(text, Instant::now()).unwrap());
}

/// Returns an engine's reply with this best move and score.
fn reply(best: &str, score: Score) -> SearchResult {
    let line = SearchInfo {
        depth: 1,
        selective_depth: 1,
        multi_pv: 1,
        score,
        bound: Bound::Exact,
        wdl: [400, 300, 300],
        nodes: 1,
        time: Duration::from_millis(1),
        hash_full: 0,
        tablebase_hits: 0,
        pv: vec![best.to_owned()],
        san: vec![best.to_owned()],
    };
    SearchResult { best: Some(best.to_owned()), ponder: None, nodes: 1, lines: vec![line] }
}

fn sans(live: &LiveGame) -> Vec<&str> {
    live.turns().iter().map(|note| note.san.as_str()).collect()
}

/// Takes one random step: a roll, a decision about dice or a turn. Returns false if the game is over.
fn step(live: &mut LiveGame, rng: &mut Rng) -> bool {
    let now = Instant::now();
    live.settle(rng, now);
    match (live.awaited(), live.arbiter().request()) {
        (Awaited::Nobody, _) => return false,
        (_, Some(_)) => live.roll_dice(rng).unwrap(),
        _ if matches!(live.arbiter().need(), Need::Mediation(_)) => live.accept(now).unwrap(),
        _ => {
            let turns = live.game().unwrap().legal_turns();
            let turn = &turns[rng.below(turns.len() as u64) as usize];
            live.play(turn, now).unwrap();
        }
    }
    true
}

#[test]
fn every_variant_can_be_finished_and_saved_at_any_time() {
    let mut rng = Rng::new(7);
    let free_play = (Variant::Jepps, GameStart::FreePlay);
    let by_die = (Variant::FischerBenko, GameStart::Die);
    let usual = Variant::ALL
        .iter()
        .map(|one| (*one, GameStart::usual(Numbering::of(*one), &mut Rng::new(3))));
    for (variant, beginning) in usual.chain([free_play, by_die]) {
        let mut live = LiveGame::new(GameSettings::new(variant, beginning, PEOPLE)).unwrap();
        let mut count = 0_u32;
        while step(&mut live, &mut rng) {
            count += 1;
            if count % 16 != 1 {
                continue;
            }
            let saved = live.saved(Instant::now());
            assert_eq!(Saved::from_json(&saved.to_json()).unwrap(), saved);
            let again = LiveGame::restore(&saved).unwrap();
            assert_eq!(again.saved(Instant::now()), saved);
            assert_eq!(again.arbiter().need(), live.arbiter().need());
            assert_eq!(again.shown(), live.shown());
            let fen = |live: &LiveGame| live.game().map(crate::game::Game::fen);
            assert_eq!(fen(&again), fen(&live));
        }
        assert!(live.termination().is_some(), "{variant}");
        assert!(matches!(live.play("a3", Instant::now()), Err(PlayError::Over(_))));
    }
}

#[test]
fn the_engine_plays_in_a_game() {
    let mut live = chess([Player::Person, ENGINE]);
    assert!(live.search_request(Instant::now()).is_none());
    live.play("e4", Instant::now()).unwrap();
    assert_eq!(live.awaited(), Awaited::Engine(Color::Black));
    let engine = EngineQueue::start(1).unwrap();
    let (game, request) = live.search_request(Instant::now()).unwrap();
    assert_eq!(request.elo, Some(800));
    let result = engine.search(game, request, |line| assert!(!line.san.is_empty())).unwrap();
    live.reply(&result, Instant::now()).unwrap();
    assert_eq!(live.turns().len(), 2);
    assert_eq!(live.turns()[1].score, None, "a limited level records no score");
    // The same engine then plays a game of another variant.
    let variant = *Variant::ALL.get(2).unwrap();
    let start = GameStart::usual(Numbering::of(variant), &mut Rng::new(1));
    let live = LiveGame::new(GameSettings::new(variant, start, [ENGINE; 2])).unwrap();
    engine.new_game();
    let (game, request) = live.search_request(Instant::now()).unwrap();
    let result = engine.search(game, request, |_| {}).unwrap();
    assert!(live.game().unwrap().read(&result.best.unwrap()).is_ok());
}

#[test]
fn stopping_an_unlimited_search_ends_it() {
    let engine = EngineQueue::start(1).unwrap();
    let live = chess(PEOPLE);
    let game = live.game().unwrap();
    let (sender, heard) = std::sync::mpsc::channel();
    engine.ask(game.clone(), SearchRequest::of_game(game), move |event| {
        let _ = sender.send(matches!(event, EngineEvent::Done(_)));
    });
    assert!(!heard.recv().unwrap());
    engine.stop();
    assert!(heard.iter().any(|is_done| is_done));
}

#[test]
fn levels_rise_to_full_strength() {
    let elo: Vec<_> = LEVELS.map(|level| Strength::Level(level).elo()).collect();
    assert_eq!((elo[0], elo[2], elo[10], elo[11]), (Some(400), Some(800), Some(2_400), None));
    assert!(elo[..11].is_sorted());
    assert_eq!(Strength::Level(0).elo(), Some(400));
    assert_eq!(Strength::Elo(9_999).elo(), Some(2_600));
}

#[test]
fn taking_back_returns_to_a_persons_choice() {
    let now = Instant::now();
    let mut live = chess([Player::Person, ENGINE]);
    assert_eq!(live.undo(now), Err(PlayError::NothingToTakeBack));
    play(&mut live, "e4 e5 Nf3 Nc6");
    live.undo(now).unwrap();
    assert_eq!(sans(&live), ["e4", "e5"]);
    play(&mut live, "d4");
    live.undo(now).unwrap();
    assert_eq!(sans(&live), ["e4", "e5"], "the engine had not replied yet");
    // If both players are people, or both are the engine, one turn is taken back.
    for players in [PEOPLE, [ENGINE; 2]] {
        let mut live = chess(players);
        play(&mut live, "e4 e5 Nf3");
        live.undo(now).unwrap();
        assert_eq!(sans(&live), ["e4", "e5"]);
    }
    // The engine's first move is not taken back.
    let mut live = chess([ENGINE, Player::Person]);
    play(&mut live, "e4");
    assert_eq!(live.undo(now), Err(PlayError::NothingToTakeBack));
    assert_eq!(sans(&live), ["e4"]);
}

#[test]
fn taking_back_reopens_a_finished_game() {
    let now = Instant::now();
    let mut live = chess(PEOPLE);
    play(&mut live, "f3 e5 g4 Qh4#");
    let end = live.termination().unwrap();
    assert_eq!(end.sentence(), "Black wins: White is checkmated.");
    live.undo(now).unwrap();
    assert_eq!(live.termination(), None);
    live.resign(None, now).unwrap();
    let end = live.termination().unwrap();
    assert_eq!((end.outcome(), end.reason()), (Outcome::WhiteWins, "resigned"));
    assert!(matches!(live.resign(None, now), Err(PlayError::Over(_))));
    live.undo(now).unwrap();
    assert_eq!((live.termination(), sans(&live)), (None, vec!["f3", "e5"]));
}

/// A placement without a choice is made at once, so `undo` goes back to an earlier turn that was chosen.
#[test]
fn taking_back_skips_forced_placements() {
    let now = Instant::now();
    let mut rng = Rng::new(2);
    let fen = "b1nbrn1r/pppppppp/8/8/8/8/PPPPPPPP/B1NRRB1N[KQkq] w - - 0 4";
    let mut live = live(Variant::Transcendental, fen, [Player::Person, ENGINE]);
    play(&mut live, "Q@b1 q@b8");
    live.settle(&mut rng, now);
    assert_eq!(sans(&live), ["Q@b1", "Q@b8", "K@g1", "K@g8"]);
    live.undo(now).unwrap();
    assert!(live.turns().is_empty());
}

#[test]
fn dice_precede_a_placement_and_stay_when_it_is_taken_back() {
    let now = Instant::now();
    let die = |value| Die::new(value).unwrap();
    let mut settings =
        GameSettings::new(Variant::Jepps, GameStart::FreePlay, [Player::Person, ENGINE]);
    settings.dice = DiceSource::Own;
    let mut live = LiveGame::new(settings).unwrap();
    let error = live.play("K@a1", now).unwrap_err();
    assert_eq!(
        error.to_string(),
        "dice come first: White rolls for a1; possible pieces: K Q R B N"
    );
    assert!(matches!(live.roll(&[die(1)]), Err(PlayError::DiceCount { found: 1, .. })));
    live.roll(&[die(1), die(2)]).unwrap();
    assert_eq!(live.roll(&[die(1), die(2)]), Err(PlayError::NoDice));
    assert_eq!(live.shown().unwrap().sentence, "1 2: a king; a knight");
    live.play("N", now).unwrap();
    // A person also rolls the dice for the engine.
    live.settle(&mut Rng::new(1), now);
    assert_eq!(live.awaited(), Awaited::Person(Color::White));
    assert_eq!(live.side_to_move(), Color::Black);
    live.roll(&[die(4), die(5)]).unwrap();
    assert_eq!(live.awaited(), Awaited::Engine(Color::Black));
    assert_eq!(live.search_request(now).unwrap().1.search_moves, ["Q@h8", "R@h8"]);
    // The numbers of own dice, which may be wrong, are taken back one roll at a time.
    live.undo(now).unwrap();
    assert!(matches!(live.arbiter().need(), Need::Dice { color: Color::Black, .. }));
    live.undo(now).unwrap();
    assert_eq!(live.game().unwrap().legal_turns(), ["K@a1", "N@a1"]);
    live.undo(now).unwrap();
    assert!(matches!(live.arbiter().need(), Need::Dice { color: Color::White, .. }));
    assert!(live.rolls().is_empty() && !live.can_undo());
    live.roll(&[die(4), die(5)]).unwrap();
    assert_eq!(live.shown().unwrap().dice, [4, 5]);
}

#[test]
fn one_die_rolls_the_random_part() {
    let settings = GameSettings::new(Variant::FischerBenko, GameStart::Die, PEOPLE);
    let mut live = LiveGame::new(settings).unwrap();
    assert_eq!((live.game().is_none(), live.side_to_move()), (true, Color::White));
    live.roll(&[1, 2, 2, 3, 3, 5].map(|value| Die::new(value).unwrap())).unwrap();
    let fen = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/1BB1R3[KQRNNkqrnn] w - - 0 1";
    assert_eq!(live.game().unwrap().fen(), fen);
    assert_eq!(live.shown().unwrap().sentence, "5: Black's rook goes to g8");
}

#[test]
fn the_mediators_verdict_can_be_rerolled_or_accepted() {
    let now = Instant::now();
    let fen = "8/pppppppp/8/8/8/8/PPPPPPPP/NBKRBQNR[kqrrbbnn] b - - 0 9";
    let dice = |values: [u8; 2]| values.map(|value| Die::new(value).unwrap());
    let mut live = live(Variant::Jepps, fen, [ENGINE, Player::Person]);
    assert_eq!(live.awaited(), Awaited::Person(Color::Black));
    live.roll(&dice([3, 3])).unwrap();
    assert!(matches!(live.play("e4", now), Err(PlayError::VerdictFirst(_))));
    live.roll_again().unwrap();
    live.roll(&dice([2, 2])).unwrap();
    live.accept(now).unwrap();
    assert!(live.game().unwrap().fen().starts_with("nbkrbqnr/"));
    assert_eq!(live.awaited(), Awaited::Engine(Color::White));
    let again = LiveGame::restore(&live.saved(now)).unwrap();
    assert_eq!(again.game().unwrap().fen(), live.game().unwrap().fen());
}

/// The engine decides by a search whether to reroll.
#[test]
fn the_engine_decides_about_rerolls() {
    let now = Instant::now();
    let fen = "8/pppppppp/8/8/8/8/PPPPPPPP/NBKRBQNR[kqrrbbnn] b - - 0 9";
    let five = Die::new(5).unwrap();
    let mut game = live(Variant::Jepps, fen, [Player::Person, ENGINE]);
    game.roll(&[five, five]).unwrap();
    game.settle(&mut Rng::new(1), now);
    assert_eq!(game.awaited(), Awaited::Engine(Color::Black), "not accepted without asking");
    assert_eq!(game.search_request(now).unwrap().1.search_moves, ["reverse", "again"]);
    let score = Score::Centipawns(7);
    game.reply(&reply("again", score), now).unwrap();
    assert_eq!(game.arbiter().need(), arbiter::Need::MediatorDice);
    assert_eq!(game.events().last(), Some(&GameEvent::Again));
    game.roll(&[five, five]).unwrap();
    game.reply(&reply("reverse", score), now).unwrap();
    assert_eq!(game.events().last(), Some(&GameEvent::Accept));
    assert!(game.game().unwrap().fen().starts_with("rnqbrkbn/"));
    let settings = GameSettings::new(Variant::Jepps, GameStart::FreePlay, [ENGINE; 2]);
    let mut game = LiveGame::new(settings).unwrap();
    game.roll(&[five, five]).unwrap();
    assert_eq!(game.search_request(now).unwrap().1.search_moves, ["Q@a1", "again"]);
    game.reply(&reply("again", score), now).unwrap();
    assert!(matches!(game.arbiter().need(), arbiter::Need::Dice { .. }));
}

#[test]
fn draws_are_offered_and_answered() {
    let now = Instant::now();
    let mut live = chess(PEOPLE);
    assert_eq!(live.draw(None, now), Err(PlayError::TooEarlyToDraw));
    play(&mut live, "e4");
    assert_eq!(live.draw(Some(Color::White), now), Ok(DrawOffer::Made));
    play(&mut live, "e5");
    assert_eq!(live.offer(), None, "moving declines the offer");
    assert_eq!(live.draw(None, now), Ok(DrawOffer::Made));
    play(&mut live, "Nf3");
    assert_eq!(live.offer(), Some(Color::White), "an offer is made with a move");
    assert_eq!(live.draw(None, now), Ok(DrawOffer::Agreed));
    assert_eq!(live.termination().unwrap().sentence(), "Draw by agreement.");
}

#[test]
fn the_engine_accepts_a_draw_when_it_is_no_better() {
    let now = Instant::now();
    for (score, expected) in [
        (Score::Centipawns(30), DrawOffer::Declined),
        (Score::Centipawns(-5), DrawOffer::Agreed),
        (Score::Mate(3), DrawOffer::Declined),
        (Score::Mate(-3), DrawOffer::Agreed),
    ] {
        let mut live = chess([Player::Person, ENGINE]);
        play(&mut live, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O");
        live.reply(&reply("f8e7", score), now).unwrap();
        assert_eq!(live.draw(None, now), Ok(DrawOffer::Declined), "too early");
        play(&mut live, "Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4");
        live.reply(&reply("b8d7", score), now).unwrap();
        assert_eq!(live.draw(None, now), Ok(expected));
    }
}

fn with_habits(fen: &str, players: [Player; 2]) -> LiveGame {
    let settings = GameSettings::new(Variant::Chess, GameStart::Fen(fen.to_owned()), players);
    LiveGame::new(GameSettings { habits: Habits::ALL, ..settings }).unwrap()
}

const FULL: Player = Player::Engine(Strength::Level(12));
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_engine_resigns_a_lost_game_if_the_habit_is_on() {
    const MOVES: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 \
                         Nbd2 Bb7 Bc2 Re8";
    let play = |live: &mut LiveGame| {
        for text in MOVES.split(' ').filter(|text| !text.is_empty()) {
            match live.awaited() {
                Awaited::Nobody => break,
                Awaited::Person(_) => live.play(text, Instant::now()).unwrap(),
                Awaited::Engine(_) => {
                    live.reply(&reply(text, Score::Centipawns(-900)), Instant::now()).unwrap();
                }
            }
        }
    };
    let mut live = with_habits(START, [Player::Person, FULL]);
    play(&mut live);
    assert_eq!(live.termination(), Some(Termination::Resignation(Color::Black)));
    assert_eq!(sans(&live).last(), Some(&"Nbd2"), "the engine resigns instead of moving");
    live.undo(Instant::now()).unwrap();
    play_on(&mut live, "Nbd2", "Bb7", -900);
    assert_eq!(live.termination(), None, "the count of lost scores starts again");
    for players in [[Player::Person, FULL], [Player::Person, ENGINE]] {
        let mut live = match players[1] {
            FULL => chess(players),
            _ => with_habits(START, players),
        };
        play(&mut live);
        assert_eq!((live.termination(), live.turns().len()), (None, 24));
    }
}

/// Plays a person's move and the engine's reply, which has this score.
fn play_on(live: &mut LiveGame, person: &str, engine: &str, score: i32) {
    live.play(person, Instant::now()).unwrap();
    live.reply(&reply(engine, Score::Centipawns(score)), Instant::now()).unwrap();
}

#[test]
fn the_engine_offers_a_draw_in_a_quiet_level_game() {
    let mut live = with_habits("k7/8/8/p7/P7/8/8/K7 w - - 0 1", [Player::Person, FULL]);
    // White's king walks over three ranks and back; Black's king moves between two squares. Thus no
    // position occurs three times.
    let rank = |rank: u8| ('a'..='h').map(move |file| format!("K{file}{rank}"));
    let path: Vec<String> = rank(1).chain(rank(2).rev()).chain(rank(3)).collect();
    let walk = path.iter().skip(1).chain(path.iter().rev().skip(1));
    let mut steps = walk.zip(["Kb8", "Ka8"].into_iter().cycle());
    for (white, black) in steps.by_ref().take(35) {
        play_on(&mut live, white, black, 0);
        assert_eq!(live.offer(), None);
    }
    let (white, black) = steps.next().unwrap();
    play_on(&mut live, white, black, 0);
    assert_eq!((live.offer(), live.turns().len()), (Some(Color::Black), 72), "offered with a move");
    let mut accepted = live.clone();
    assert_eq!(accepted.draw(None, Instant::now()), Ok(DrawOffer::Agreed));
    for (white, black) in steps {
        play_on(&mut live, white, black, 0);
        assert_eq!(live.offer(), None, "moving declines the offer, and no other follows soon");
    }
}

#[test]
fn a_level_pauses_before_replying_to_a_person() {
    let mut rng = Rng::new(5);
    let mut pause = |live: &LiveGame| live.pause_before_answer(&mut rng, Instant::now());
    let mut live = with_habits(START, [Player::Person, ENGINE]);
    assert_eq!(pause(&live), None, "it is the person's turn");
    live.play("e4", Instant::now()).unwrap();
    let bounds = Duration::from_millis(500)..=Duration::from_millis(1_500);
    assert!(bounds.contains(&pause(&live).unwrap()));
    let again = LiveGame::restore(&live.saved(Instant::now())).unwrap();
    assert_eq!(again.settings().habits, Habits::ALL);
    assert_eq!(pause(&with_habits(START, [FULL, Player::Person])), None, "full strength thinks");
    assert_eq!(pause(&with_habits(START, [ENGINE, ENGINE])), None, "nobody waits");
    assert_eq!(pause(&chess([ENGINE, Player::Person])), None, "the habit is off");
    // With a clock, a pause takes a sixtieth of the time left or less.
    let mut pause_with = |clock: &str| {
        let (clock, players) = (Some(clock.parse().unwrap()), [ENGINE, Player::Person]);
        let settings = GameSettings { clock, players, ..live.settings().clone() };
        pause(&LiveGame::new(settings).unwrap()).unwrap()
    };
    assert!(bounds.contains(&pause_with("300+3")));
    let short = pause_with("15+0");
    assert!(short > Duration::ZERO && short <= Duration::from_millis(250), "{short:?}");
}

/// The score of an engine below full strength is not recorded, because it is not a sound evaluation.
#[test]
fn only_full_strength_records_scores() {
    let now = Instant::now();
    let score = Score::Centipawns(300);
    for (strength, is_known) in
        [(Strength::Level(11), false), (Strength::Elo(2_600), false), (Strength::Level(12), true)]
    {
        let mut live = chess([Player::Person, Player::Engine(strength)]);
        play(&mut live, "e4");
        live.reply(&reply("h7h5", score), now).unwrap();
        let known = is_known.then(|| score.for_white(Color::Black));
        assert_eq!(live.turns()[1].score, known, "{strength:?}");
        let (saved, pgn) = (live.saved(now).to_json(), live.pgn("").unwrap().to_string());
        assert_eq!((saved.contains("score"), pgn.contains("%eval")), (is_known, false), "{pgn}");
        live.resign(None, now).unwrap();
        let pgn = live.pgn("").unwrap().to_string();
        assert_eq!(pgn.contains("%eval"), is_known, "after the game, scores cannot help anybody");
    }
}

fn with_clocks(fen: &str) -> LiveGame {
    let beginning = GameStart::Fen(fen.to_owned());
    let mut settings = GameSettings::new(Variant::Chess, beginning, PEOPLE);
    settings.clock = Some("1:00+2".parse().unwrap());
    LiveGame::new(settings).unwrap()
}

#[test]
fn clocks_run_from_the_first_move_while_somebody_is_present() {
    let start = Instant::now();
    let at = |seconds| start + Duration::from_secs(seconds);
    let mut live = with_clocks("4k3/7p/8/8/8/8/7P/4K2R w K - 0 1");
    let left = |live: &LiveGame, seconds| {
        let clocks = live.clocks().unwrap();
        Color::ALL.map(|color| clocks.left(color, at(seconds)).as_secs())
    };
    assert_eq!(left(&live, 50), [60, 60], "White may think about its first move");
    live.play("h3", at(50)).unwrap();
    live.play("h6", at(60)).unwrap();
    assert_eq!(left(&live, 60), [60, 52]);
    live.pause(at(70));
    assert_eq!(left(&live, 1_000), [50, 52]);
    let saved = live.saved(at(1_000));
    let mut again = LiveGame::restore(&saved).unwrap();
    assert_eq!(left(&again, 2_000), [50, 52]);
    again.resume(at(2_000));
    assert_eq!(left(&again, 2_005), [45, 52]);
    live.resume(at(1_000));
    live.play("h4", at(1_020)).unwrap();
    assert_eq!(left(&live, 1_021), [32, 51]);
    live.undo(at(1_030)).unwrap();
    assert_eq!(left(&live, 1_030), [60, 52], "the time after each side's last remaining turn");
    assert!(!live.tick(at(1_089)));
    assert!(live.tick(at(1_090)));
    let end = live.termination().unwrap();
    assert_eq!(end.sentence(), "Black wins: White's time has run out.");
    assert_eq!(live.clocks().unwrap().running(), None);
}

#[test]
fn a_turn_records_how_long_its_side_thought() {
    let start = Instant::now();
    let at = |seconds| start + Duration::from_secs(seconds);
    let mut live = with_clocks("4k3/7p/8/8/8/8/7P/4K3 w - - 0 1");
    let spent = |live: &LiveGame| live.turns().last().unwrap().spent_ms;
    live.play("h3", at(1)).unwrap();
    assert_eq!(spent(&live), None, "the start is unknown");
    live.play("h6", at(5)).unwrap();
    assert_eq!(spent(&live), Some(4_000));
    live.pause(at(8));
    live.pause(at(9));
    live.resume(at(100));
    live.play("h4", at(102)).unwrap();
    assert_eq!(spent(&live), Some(5_000), "while somebody was present");
    live.undo(at(103)).unwrap();
    live.play("h4", at(110)).unwrap();
    assert_eq!(spent(&live), Some(7_000));
    let again = LiveGame::restore(&live.saved(at(111))).unwrap();
    assert_eq!(again.turns(), live.turns());
    assert!(live.pgn("2026.11.24").unwrap().to_string().contains("[%emt 0:00:07]"));
}

#[test]
fn a_bare_king_does_not_win_on_time() {
    let start = Instant::now();
    let mut live = with_clocks("4k3/8/8/8/8/8/7P/4K2R w K - 0 1");
    live.play("h3", start).unwrap();
    live.play("Ke7", start).unwrap();
    let late = live.play("h4", start + Duration::from_secs(61));
    assert!(matches!(late, Err(PlayError::Over(_))), "{late:?}");
    assert_eq!(live.termination().unwrap().outcome(), Outcome::Draw);
}

#[test]
fn time_is_added_after_each_time_control() {
    let start = Instant::now();
    let mut clocks = Clocks::new("2/10+1".parse().unwrap());
    clocks.start(Color::White, start);
    for _ in 0..2 {
        clocks.press(Color::White, start);
        clocks.press(Color::Black, start);
    }
    assert_eq!(clocks.left(Color::White, start), Duration::from_secs(22));
    assert_eq!(clocks.moves_to_go(Color::White), Some(2));
}

#[test]
fn a_rematch_can_swap_colours_and_change_the_start() {
    let mut rng = Rng::new(5);
    let start = GameStart::start(Numbering::of(Variant::Chess960), "518", &mut rng).unwrap();
    let settings = GameSettings::new(Variant::Chess960, start.clone(), [Player::Person, ENGINE]);
    let live = LiveGame::new(settings).unwrap();
    let same = live.rematch(true, true, &mut rng).unwrap();
    assert_eq!(same.settings().players, [ENGINE, Player::Person]);
    assert_eq!(same.settings().beginning, start);
    let other = live.rematch(false, false, &mut rng).unwrap();
    assert_eq!(other.settings().players, [Player::Person, ENGINE]);
    assert_ne!(other.settings().beginning, start);
    // The rematch of a game with a setup has a setup, too. The rematch of a game without a setup has no
    // setup.
    for (text, is_setup) in [("usual", true), ("random", false)] {
        let start = match text {
            "usual" => GameStart::usual(Numbering::of(Variant::FischerBenko), &mut rng),
            _ => GameStart::start(Numbering::of(Variant::FischerBenko), text, &mut rng).unwrap(),
        };
        let settings = GameSettings::new(Variant::FischerBenko, start, PEOPLE);
        let next = LiveGame::new(settings).unwrap().rematch(true, false, &mut rng).unwrap();
        assert_eq!(next.game().unwrap().is_setup(), is_setup);
    }
}

#[test]
fn impossible_starts_are_explained() {
    let mut rng = Rng::new(5);
    let chess960 = Numbering::of(Variant::Chess960);
    for (text, words) in [
        ("960", "the numbers go from 0 to 959"),
        ("RNBQKBN", "RNBQKBN"),
        ("", "0 letters instead of eight"),
        ("BNBNQRKR", "bishops"),
    ] {
        let error = GameStart::start(chess960, text, &mut rng).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
    let begin = |variant, beginning| {
        LiveGame::new(GameSettings::new(variant, beginning, PEOPLE)).unwrap_err().to_string()
    };
    assert!(begin(Variant::Chess, GameStart::FreePlay).contains("Free Play"));
    assert!(begin(Variant::Jepps, GameStart::Die).contains("empty back ranks"));
    assert!(begin(Variant::Chess, GameStart::Die).contains("no placement phase"));
    let dead = "2b2br1/pppppppp/8/8/8/8/PPPPPPPP/B1B1R3[KQRNNkqrnn] w - - 0 1";
    let error = begin(Variant::FischerBenko, GameStart::Fen(dead.to_owned()));
    assert!(error.contains("cannot be finished"), "{error}");
}

#[test]
fn files_that_are_not_saved_games_are_explained() {
    let json = chess(PEOPLE).saved(Instant::now()).to_json();
    assert!(Saved::from_json("{").is_err());
    assert!(Saved::from_json(&json.replace("\"chess\"", "7")).is_err());
    let restore = |json: &str| LiveGame::restore(&Saved::from_json(json).unwrap()).unwrap_err();
    let error = restore(&json.replace("\"chess\"", "\"checkers\""));
    assert!(matches!(error, SaveError::Variant(_)), "{error}");
    let mut live = chess(PEOPLE);
    play(&mut live, "e4 e5");
    let json = live.saved(Instant::now()).to_json();
    let error = restore(&json.replace("e7e5", "e7e6e5")).to_string();
    assert!(error.starts_with("event 2 of the game"), "{error}");
}

/// PGN contains the dice of a setup, so that the game can be continued from the PGN.
#[test]
fn games_survive_a_round_trip_through_pgn() {
    let mut rng = Rng::new(23);
    for seed in 0..24 {
        for &variant in Variant::ALL {
            let mut beginning = GameStart::usual(Numbering::of(variant), &mut rng);
            if variant == Variant::Jepps && seed % 3 == 0 {
                beginning = GameStart::FreePlay;
            }
            let settings = GameSettings::new(variant, beginning, PEOPLE);
            let mut live = LiveGame::new(settings.clone()).unwrap();
            for _ in 0..rng.below(60) {
                step(&mut live, &mut rng);
            }
            let text = live.pgn("2026.11.22").unwrap().to_string();
            let pgn = crate::pgn::PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
            let again = LiveGame::of_pgn(&pgn, &settings).unwrap();
            assert_eq!(sans(&again), sans(&live), "{text}");
            assert_eq!(again.game().unwrap().fen(), live.game().unwrap().fen(), "{text}");
            assert_eq!(again.pgn("2026.11.22").unwrap().to_string(), text);
        }
    }
}

/// If the PGN of a game with a setup lacks the dice, the live game begins after the setup and has all later
/// moves.
#[test]
fn a_setup_without_its_dice_is_skipped() {
    let text = "[Variant \"jepps\"]\n\
        [FEN \"8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1\"]\n\n\
        1. N@a1 B@b1 K@c1 R@d1 B@e1 Q@f1 N@g1 R@h1 Mirror 9. e4 e5 *";
    let pgn = crate::pgn::PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
    let settings = GameSettings::new(Variant::Chess, GameStart::FreePlay, PEOPLE);
    let live = LiveGame::of_pgn(&pgn, &settings).unwrap();
    assert_eq!(sans(&live), ["e4", "e5"]);
    assert_eq!(live.settings().variant, Variant::Jepps);
}

#[test]
fn a_pgn_contains_scores_clocks_and_annotations() {
    let mut live = chess([Player::Person, ENGINE]);
    play(&mut live, "e4 e5");
    live.resign(None, Instant::now()).unwrap();
    let note = live.note_mut(1).unwrap();
    note.clock_ms = Some(65_300);
    note.score = Some(Score::Centipawns(31));
    (note.best, note.mark) = (Some("c5".to_owned()), Some("?!".to_owned()));
    let text = live.pgn("2026.11.22").unwrap().to_string();
    assert!(
        text.contains("[White \"?\"]\n[Black \"Aleator (level 3)\"]\n[Result \"0-1\"]"),
        "{text}"
    );
    let moves = "1. e4 e5 $6 {[%eval 0.31] [%clk 0:01:05.3]} 0-1\n\n";
    assert!(text.ends_with(moves), "{text}");
}

fn restore(json: &str) -> LiveGame {
    LiveGame::restore(&Saved::from_json(json).unwrap()).unwrap()
}

/// Nested variations keep their annotations and comments.
#[test]
fn variations_survive_a_round_trip_through_pgn() {
    let moves = "1. e4 e5 (1... c5 2. Nf3 $1 {open} (2. c3 d5 (2... Nf6 3. e5)) 2... d6) \
        2. Nf3 $1 $3 $16 (2. f4 exf4 $4 $14 $40) (2. Nc3 $14 {[%eval 0.30] calm}) \
        (2. Bc4 {Aleator} Nf6 3. d3 (3. d4)) *";
    let pgn = crate::pgn::PgnReader::new(moves.as_bytes()).next().unwrap().unwrap();
    let settings = GameSettings::new(Variant::Chess, GameStart::FreePlay, PEOPLE);
    let live = LiveGame::of_pgn(&pgn, &settings).unwrap();
    let json = live.saved(Instant::now()).to_json();
    let again = restore(&json);
    for live in [live, again] {
        let text = live.pgn("2026.11.22").unwrap().to_string();
        let written = text.rsplit("\n\n").nth(1).unwrap().replace('\n', " ");
        assert_eq!(written, moves, "{text}");
    }
}

/// A saved game can be restored even if its variations are nested as deeply as PGN allows.
#[test]
fn deeply_nested_variations_are_saved() {
    let depth = 32;
    let moves = format!("1. e4 {}{} *", "(1. d4 ".repeat(depth), ")".repeat(depth));
    let pgn = crate::pgn::PgnReader::new(moves.as_bytes()).next().unwrap().unwrap();
    let settings = GameSettings::new(Variant::Chess, GameStart::FreePlay, PEOPLE);
    let live = LiveGame::of_pgn(&pgn, &settings).unwrap();
    restore(&live.saved(Instant::now()).to_json());
}
