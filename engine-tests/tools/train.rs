//! Tests of `aleator train` with the real binary: from games to a network that the engine uses.

use std::fs;

use crate::harness::Engine;
use crate::harness::command::{failure, folder, printed};

const GAMES: &str = "--variant chess960 --games 40 --nodes 20 --max-plies 60 --seed 5";
const SMALL: &str = "--hidden 32 --epochs 2 --batch 256 --validation 0.2 --threads 1";

#[test]
fn a_network_is_trained_on_games_and_used_for_evaluation_and_datagen() {
    let folder = folder("train/whole");
    printed(&format!("datagen --out games {GAMES}"), &folder);
    let words = format!("train --data games {SMALL}");
    let text = printed(&format!("{words} --out first --name first"), &folder);
    assert!(text.contains("built-in network: validation 0."), "{text}");
    assert!(text.contains("epoch 2 of 2: loss 0."), "{text}");
    let table = fs::read_to_string(folder.join("first/losses.csv")).unwrap();
    assert_eq!(table.lines().count(), 3, "{table}");

    // Training that is finished must not be repeated, and another training can start from the result.
    let again = printed(&format!("{words} --out first --name first"), &folder);
    assert!(again.contains("continuing after epoch 2"), "{again}");
    assert!(!again.contains("epoch 1 of 2"), "{again}");
    printed(&format!("{words} --out second --name second --from first/first.nnue"), &folder);
    let manifest = fs::read_to_string(folder.join("second/second.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["from"]["network"], "first");
    let wider = words.replace("--hidden 32", "--hidden 64");
    let refused = failure(&format!("{wider} --out third --from first/first.nnue"), &folder);
    assert!(refused.contains("has 32 hidden neurons and 8 outputs"), "{refused}");

    let mut engine = Engine::start();
    let built_in = engine.bench(4);
    let path = folder.join("second/second.nnue");
    engine.tell(&format!("setoption name EvalFile value {}", path.display()));
    for threads in [1, 2] {
        engine.tell(&format!("setoption name Threads value {threads}"));
        let said = engine.ask("eval").join("\n");
        assert!(said.contains("Network second"), "{said}");
    }
    assert_ne!(engine.bench(4), built_in);

    printed(&format!("datagen --out games2 {GAMES} --network first/first.nnue"), &folder);
    let games = |set: &str| fs::read(folder.join(set).join("games.bin")).unwrap();
    assert_ne!(games("games"), games("games2"));
    let manifest = fs::read_to_string(folder.join("games2/games.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert!(manifest["origin"]["datagen"]["identity"]["network"].is_u64(), "{manifest}");
    let refused = failure(&format!("datagen --out games {GAMES} --network none.nnue"), &folder);
    assert!(refused.contains("none.nnue"), "{refused}");
}
