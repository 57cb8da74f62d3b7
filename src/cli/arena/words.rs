//! Parses the arguments of `aleator match` about engines and adjudication.

use std::num::ParseIntError;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};

use super::DAY;
use crate::cli::shell;
use crate::tools::adjudication::{DrawRule, WinRule};
use crate::tools::arena::{EngineSpec, Limit};

/// Parses exactly `N` numbers separated by commas.
fn numbers<const N: usize>(text: &str) -> Result<[usize; N], String> {
    let numbers: Result<Vec<usize>, ParseIntError> =
        text.split(',').map(|part| part.trim().parse()).collect();
    let numbers =
        numbers.map_err(|error| format!("{error}; write {N} numbers separated by commas"))?;
    numbers
        .try_into()
        .map_err(|found: Vec<_>| format!("expected {N} numbers, found {}", found.len()))
}

fn centipawns(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ResignArg(pub WinRule);

impl FromStr for ResignArg {
    type Err = String;

    fn from_str(text: &str) -> Result<ResignArg, String> {
        let [moves, score] = numbers(text)?;
        Ok(ResignArg(WinRule { plies: moves.saturating_mul(2), score: centipawns(score) }))
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct DrawArg(pub DrawRule);

impl FromStr for DrawArg {
    type Err = String;

    fn from_str(text: &str) -> Result<DrawArg, String> {
        let [from_move, moves, score] = numbers(text)?;
        let [from_ply, plies] = [from_move, moves].map(|moves| moves.saturating_mul(2));
        Ok(DrawArg(DrawRule { from_ply, plies, score: centipawns(score) }))
    }
}

/// Parses the arguments of `--engine` and `--option`.
pub(super) fn engines(
    engines: &[String],
    options: &[String],
    limit: Limit,
) -> anyhow::Result<Vec<EngineSpec>> {
    let mut specs = Vec::new();
    for text in engines {
        let wrong = || anyhow!("--engine '{text}': write NAME=COMMAND, such as new=./aleator");
        let (name, command) = text.split_once('=').ok_or_else(wrong)?;
        let command = shell::split(command)
            .ok_or_else(|| anyhow!("--engine '{text}': a quotation mark is not closed"))?;
        ensure!(!name.trim().is_empty() && !command.is_empty(), wrong());
        specs.push(EngineSpec { name: name.trim().to_owned(), command, options: vec![], limit });
    }
    for text in options {
        let (option, value) = text.split_once('=').with_context(|| {
            format!(
                "--option '{text}': write OPTION=VALUE or NAME.OPTION=VALUE, such as new.Hash=64"
            )
        })?;
        let owner =
            option.split_once('.').filter(|(name, _)| specs.iter().any(|s| s.name == *name));
        for spec in &mut specs {
            let option = match owner {
                Some((name, _)) if name != spec.name => continue,
                Some((_, option)) => option,
                None => option,
            };
            spec.options.push((option.trim().to_owned(), value.trim().to_owned()));
        }
    }
    Ok(specs)
}

/// Parses an argument of `--limit`, and sets the limit of the engine that the argument names.
pub(super) fn set_limit(engines: &mut [EngineSpec], text: &str) -> anyhow::Result<()> {
    let read = || {
        // Names of engines may contain dots, so only the last dot separates the name from the kind of limit.
        let (owner, value) = text.split_once('=')?;
        let (name, kind) = owner.rsplit_once('.')?;
        let above_zero = |number: &u64| *number > 0;
        let number = value.trim().parse().ok().filter(above_zero);
        let limit = match kind.trim() {
            "tc" => Limit::Clock(value.trim().parse().ok()?),
            "nodes" => Limit::Nodes(number?),
            "depth" => Limit::Depth(u32::try_from(number?).ok()?),
            "movetime" => Limit::MoveTime(Duration::from_millis(number.filter(|&ms| ms <= DAY)?)),
            _ => return None,
        };
        Some((name.trim(), limit))
    };
    let (name, limit) = read().with_context(|| {
        format!(
            "--limit '{text}': write NAME.KIND=VALUE, where KIND is tc, nodes, depth or movetime, \
             such as new.nodes=20000"
        )
    })?;
    let engine = engines.iter_mut().find(|engine| engine.name == name);
    engine.with_context(|| format!("--limit '{text}': there is no engine '{name}'"))?.limit = limit;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Limit = Limit::Nodes(100);

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn engines_and_their_options_are_parsed() {
        let specs = engines(
            &texts(&["new=./aleator", "old = \"/my bin/x\" --uci \"a b\""]),
            &texts(&["new.Hash=64", "Threads=2", "old.Move Overhead=30", "other.Key=a=b"]),
            LIMIT,
        )
        .unwrap();
        assert_eq!(specs[1].name, "old");
        assert_eq!(specs[1].command, ["/my bin/x", "--uci", "a b"]);
        let options = |spec: &EngineSpec| -> Vec<String> {
            spec.options.iter().map(|(name, value)| format!("{name}:{value}")).collect()
        };
        assert_eq!(options(&specs[0]), ["Hash:64", "Threads:2", "other.Key:a=b"]);
        assert_eq!(options(&specs[1]), ["Threads:2", "Move Overhead:30", "other.Key:a=b"]);
        for wrong in ["x", "=x", "a=", "a=\"x"] {
            assert!(engines(&texts(&[wrong]), &[], LIMIT).is_err(), "{wrong}");
        }
        assert!(engines(&texts(&["a=x"]), &texts(&["Hash"]), LIMIT).is_err());
    }

    #[test]
    fn an_engine_can_have_its_own_limit() {
        let mut specs = engines(&texts(&["a=x", "b.2=y"]), &[], LIMIT).unwrap();
        let mut limits = |text: &str| -> Result<[Limit; 2], String> {
            set_limit(&mut specs, text).map_err(|error| error.to_string())?;
            Ok([specs[0].limit, specs[1].limit])
        };
        assert_eq!(limits("b.2.nodes=7"), Ok([LIMIT, Limit::Nodes(7)]));
        assert_eq!(limits("a.depth=3"), Ok([Limit::Depth(3), Limit::Nodes(7)]));
        let clock = Limit::Clock("8+0.08".parse().unwrap());
        assert_eq!(limits("a.tc=8+0.08"), Ok([clock, Limit::Nodes(7)]));
        let time = Limit::MoveTime(Duration::from_millis(50));
        assert_eq!(limits("a.movetime=50"), Ok([time, Limit::Nodes(7)]));
        assert!(limits("c.nodes=7").unwrap_err().contains("there is no engine 'c'"));
        for wrong in ["", "a.nodes", "nodes=7", "a.nodes=0", "a.nodes=x", "a.speed=7", "a.tc=x"] {
            assert!(limits(wrong).unwrap_err().contains("NAME.KIND=VALUE"), "{wrong}");
        }
    }

    #[test]
    fn adjudication_is_parsed() {
        assert_eq!("4,600".parse::<ResignArg>().unwrap().0, WinRule { plies: 8, score: 600 });
        let rule = DrawRule { from_ply: 80, plies: 16, score: 10 };
        assert_eq!("40,8,10".parse::<DrawArg>().unwrap().0, rule);
        assert!("4".parse::<ResignArg>().is_err());
        assert!("a,b,c".parse::<DrawArg>().is_err());
    }
}
