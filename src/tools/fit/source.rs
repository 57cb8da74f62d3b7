//! Parameters as they stand in `src/eval/classical/params.rs`.

use crate::eval::classical::Params;
use crate::eval::classical::params::STEPS;
use crate::geometry::Geometry;
use crate::types::Score;

/// Before these terms a table has an empty line.
const GROUPS: [&str; 8] =
    ["pawn_square", "mobility", "doubled", "phalanx", "passed", "outpost", "shield", "pawn_threat"];

/// The name of a board's table.
fn name<G: Geometry>() -> String {
    format!("BOARD{}", G::NAME.to_uppercase())
}

/// The table of a board as Rust source, without its documentation. `cargo fmt` breaks its lines.
pub fn table<G: Geometry>(params: &Params) -> String {
    let mut fields: Vec<(&str, Vec<Score>)> = Vec::new();
    for ((name, index), value) in params.names().into_iter().zip(params.values()) {
        match fields.last_mut() {
            Some((last, values)) if index > 0 && *last == name => values.push(value),
            _ => fields.push((name, vec![value])),
        }
    }
    let mut text = format!("pub const {}: Params = Params {{\n", name::<G>());
    for (name, values) in &fields {
        if GROUPS.contains(name) {
            text += "\n";
        }
        if *name == "pawn_square" {
            text += "    // In order: file, rank, centre, advance, advance squared, file * advance, edge, home.\n";
        }
        text += &format!("    {name}: {},\n", field(values));
    }
    text + "};\n"
}

fn field(values: &[Score]) -> String {
    let half = |of: fn(&Score) -> i32| {
        let numbers: Vec<String> = values.iter().map(|value| of(value).to_string()).collect();
        format!("[{}]", numbers.join(", "))
    };
    match values {
        [Score { mg, eg }] => format!("s({mg}, {eg})"),
        values if values.len() == STEPS => {
            format!("both({}, {})", half(|value| value.mg), half(|value| value.eg))
        }
        values => {
            let scores = values.iter().map(|Score { mg, eg }| format!("s({mg}, {eg})"));
            format!("[{}]", scores.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Source with the table of a board replaced and all else kept; none if it has no such table.
pub fn replace_table<G: Geometry>(source: &str, params: &Params) -> Option<String> {
    let begin = source.find(&format!("pub const {}: Params", name::<G>()))?;
    let length = source[begin..].find("\n};\n")? + "\n};\n".len();
    Some(format!("{}{}{}", &source[..begin], table::<G>(params), &source[begin + length..]))
}
