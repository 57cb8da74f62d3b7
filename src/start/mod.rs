//! interim
use crate::rules::*;
pub fn classical_fen(r: &Rules) -> String {
    match r.board {
        BoardSize::Eight => format!(
            "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1",
            r.start_array[1].to_lowercase(),
            r.start_array[0]
        ),
        #[cfg(feature = "board10x10")]
        BoardSize::Ten => format!(
            "10/1{}1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1{}1/10 w KQkq - 0 1",
            r.start_array[1].to_lowercase(),
            r.start_array[0]
        ),
    }
}
