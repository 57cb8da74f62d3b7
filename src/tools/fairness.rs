//! Evaluates the starting positions ("starts") of a variant: makes a table of scores and a summary of the
//! table.
//!
//! Every start is searched with the same limits and independently of the other starts. Scores are from the
//! point of view of White, who moves first.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::{
    ChartBuilder, IntoDrawingArea, PathElement, RGBColor, Rectangle, SVGBackend, WHITE,
};
use plotters::style::{BLACK, Color};

use super::position_searcher::PositionSearcher;
use crate::engine::EngineError;
use crate::game::{Game, GameError};
use crate::search::{Control, Limits};
use crate::start::{NumberError, Numbering};
use crate::types::Score;

/// The header line of a table of starting positions.
pub const HEADER: &str = "number,fen,centipawns,win,draw,loss,best,depth\n";

/// The evaluation of one starting position: a row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairnessRow {
    pub number: u64,
    pub fen: String,
    pub score: Score,
    /// White's probabilities of a win, a draw and a loss, in permille.
    pub wdl: [u32; 3],
    /// The best move in SAN.
    pub best: String,
    /// The depth that the search reached.
    pub depth: i32,
}

/// Why a starting position cannot be evaluated, or why a table cannot be read or drawn.
#[derive(Debug, thiserror::Error)]
pub enum FairnessError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    Number(#[from] NumberError),
    #[error(
        "the search of starting position number {number} found no move; allow more nodes with --nodes"
    )]
    Nothing { number: u64 },
    #[error(
        "the line '{0}' is not a row of a table of starting positions; expected the values number,fen,centipawns,win,draw,loss,best,depth"
    )]
    Row(String),
    #[error("the file is not a table of starting positions: its first line is not '{}'", HEADER.trim_end())]
    Header,
    #[error("cannot draw the histogram of the scores: {0}")]
    Drawing(#[from] DrawingAreaErrorKind<std::io::Error>),
}

/// Evaluates the starting positions of a numbered list.
pub struct StartEvaluator {
    searcher: PositionSearcher,
    starts: Numbering,
}

impl StartEvaluator {
    /// Creates an evaluator whose searches have these limits and `hash` MiB of transposition table.
    pub fn new(starts: Numbering, limits: Limits, hash: usize) -> StartEvaluator {
        StartEvaluator { searcher: PositionSearcher::new(limits, hash, 1), starts }
    }

    /// Returns the row of the starting position with this number, or `None` if `control` stopped the search.
    pub fn row(
        &mut self,
        number: u64,
        control: &Control,
    ) -> Result<Option<FairnessRow>, FairnessError> {
        let start = self.starts.start(number)?;
        let game = Game::new(start.variant(), &start.fen())?;
        self.searcher.begin(&game)?;
        let line = self.searcher.search(&game, control, &())?.lines.into_iter().next();
        if control.stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Ok(None);
        }
        let line = line.ok_or(FairnessError::Nothing { number })?;
        let best = line.san.first().cloned().ok_or(FairnessError::Nothing { number })?;
        let (score, wdl, depth) = (line.score, line.wdl, line.depth);
        Ok(Some(FairnessRow { number, fen: start.fen(), score, wdl, best, depth }))
    }
}

impl FairnessRow {
    /// Returns the score as a number. A mate score is larger than any other score.
    fn value(&self) -> i32 {
        match self.score {
            Score::Centipawns(value) => value,
            Score::Mate(moves) => moves.signum() * (100_000 - moves.abs()),
        }
    }

    /// Returns White's expected score in percent.
    fn percent(&self) -> f64 {
        f64::from(2 * self.wdl[0] + self.wdl[1]) / 20.0
    }
}

impl fmt::Display for FairnessRow {
    /// Writes a line of the table. White mating in three moves is written `#3`, Black mating in three `#-3`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let FairnessRow { number, fen, score, wdl: [win, draw, loss], best, depth } = self;
        write!(f, "{number},{fen},")?;
        match score {
            Score::Centipawns(value) => write!(f, "{value}")?,
            Score::Mate(moves) => write!(f, "#{moves}")?,
        }
        writeln!(f, ",{win},{draw},{loss},{best},{depth}")
    }
}

impl FromStr for FairnessRow {
    type Err = FairnessError;

    fn from_str(line: &str) -> Result<FairnessRow, FairnessError> {
        let read = || {
            let fields: Vec<&str> = line.split(',').collect();
            let [number, fen, score, win, draw, loss, best, depth] = fields[..] else {
                return None;
            };
            let score = match score.strip_prefix('#') {
                Some(moves) => Score::Mate(moves.parse().ok()?),
                None => Score::Centipawns(score.parse().ok()?),
            };
            let [win, draw, loss] = [win, draw, loss].map(|text| text.parse().ok());
            Some(FairnessRow {
                number: number.parse().ok()?,
                fen: fen.to_owned(),
                score,
                wdl: [win?, draw?, loss?],
                best: best.to_owned(),
                depth: depth.parse().ok()?,
            })
        };
        read().ok_or_else(|| FairnessError::Row(crate::text::shorten(line)))
    }
}

/// Reads a table of starting positions.
pub fn read(text: &str) -> Result<Vec<FairnessRow>, FairnessError> {
    text.strip_prefix(HEADER).ok_or(FairnessError::Header)?.lines().map(str::parse).collect()
}

/// Summarises a table as Markdown: statistics, then tables of the fairest and the most unfair starting
/// positions.
pub fn summary(rows: &[FairnessRow], starts: Numbering) -> Result<String, FairnessError> {
    const SHOWN: usize = 10;
    let mut values: Vec<i32> = rows.iter().map(FairnessRow::value).collect();
    values.sort_unstable();
    let count = values.len().max(1) as f64;
    let mean = values.iter().map(|value| f64::from(*value)).sum::<f64>() / count;
    let square = |value: &i32| (f64::from(*value) - mean).powi(2);
    let deviation = (values.iter().map(square).sum::<f64>() / count).sqrt();
    let mut text = format!("{} starts of {}", rows.len(), starts.variant());
    if let [least, .., most] = values[..] {
        let median = values[values.len() / 2];
        let black = values.partition_point(|value| *value < 0);
        let _ = write!(
            text,
            ": from {least:+} to {most:+} centipawns for White, {mean:+.1} on average (standard \
             deviation {deviation:.1}), median {median:+}; Black is better in {black}"
        );
    }
    text += ".\n";
    let mut sorted: Vec<&FairnessRow> = rows.iter().collect();
    sorted.sort_by_key(|row| (row.value().abs(), row.number));
    table(&mut text, "fairest", sorted.iter().take(SHOWN), starts)?;
    sorted.sort_by_key(|row| (-row.value().abs(), row.number));
    table(&mut text, "most unfair", sorted.iter().take(SHOWN), starts)?;
    Ok(text)
}

fn table<'a>(
    text: &mut String,
    name: &str,
    rows: impl ExactSizeIterator<Item = &'a &'a FairnessRow>,
    starts: Numbering,
) -> Result<(), FairnessError> {
    let _ = writeln!(text, "\nThe {} {name}:\n", rows.len());
    text.push_str("| number | start | centipawns | White expects | best move | depth |\n");
    text.push_str("| ---: | --- | ---: | ---: | --- | ---: |\n");
    for row in rows {
        let start = starts.start(row.number)?;
        let FairnessRow { number, score, best, depth, .. } = row;
        let score = match score {
            Score::Centipawns(value) => format!("{value:+}"),
            Score::Mate(moves) => format!("#{moves}"),
        };
        let percent = row.percent();
        let _ = writeln!(
            text,
            "| {number} | `{start}` | {score} | {percent:.1} % | {best} | {depth} |"
        );
    }
    Ok(())
}

/// Draws a histogram of the scores as SVG. Mates and scores beyond 1,000 centipawns are drawn at 1,000
/// centipawns.
pub fn histogram(rows: &[FairnessRow], caption: &str) -> Result<String, FairnessError> {
    let mut text = String::new();
    draw(&mut text, rows, caption)?;
    Ok(text)
}

fn draw(text: &mut String, rows: &[FairnessRow], caption: &str) -> Result<(), FairnessError> {
    /// The width of a column in centipawns.
    const WIDTH: i32 = 2;
    /// A score of larger absolute value is drawn at this value.
    const MOST: i32 = 1_000;
    const BARS: RGBColor = RGBColor(70, 110, 160);
    let column = |row: &FairnessRow| row.value().clamp(-MOST, MOST).div_euclid(WIDTH);
    let columns = || rows.iter().map(column);
    let first = columns().min().unwrap_or(0).min(0) - 1;
    let last = columns().max().unwrap_or(0).max(0) + 1;
    let mut heights = vec![0_i32; (last - first + 1) as usize];
    columns().for_each(|column| heights[(column - first) as usize] += 1);
    let highest = heights.iter().copied().max().unwrap_or(0).max(1);
    let area = SVGBackend::with_string(text, (900, 480)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .caption(caption, ("sans-serif", 20))
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(first * WIDTH..(last + 1) * WIDTH, 0..highest + 1)?;
    let mut mesh = chart.configure_mesh();
    mesh.disable_x_mesh()
        .max_light_lines(1)
        .x_desc("centipawns for White, who moves first")
        .y_desc("starts");
    mesh.draw()?;
    let bars =
        (first..).zip(&heights).filter(|(_, height)| **height > 0).map(|(column, height)| {
            let corners = [(column * WIDTH, *height), ((column + 1) * WIDTH, 0)];
            let mut bar = Rectangle::new(corners, BARS.filled());
            bar.set_margin(0, 0, 1, 0);
            bar
        });
    chart.draw_series(bars)?;
    let even = PathElement::new([(0, 0), (0, highest + 1)], BLACK.stroke_width(1));
    chart.draw_series([even])?;
    Ok(area.present()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    fn row(number: u64, score: Score) -> FairnessRow {
        let starts = Numbering::of(Variant::Chess960);
        let fen = starts.start(number).unwrap().fen();
        FairnessRow { number, fen, score, wdl: [200, 700, 100], best: "e4".to_owned(), depth: 9 }
    }

    #[test]
    fn rows_round_trip() {
        for score in [Score::Centipawns(-31), Score::Mate(3), Score::Mate(-3)] {
            let row = row(518, score);
            assert_eq!(row.to_string().trim_end().parse::<FairnessRow>().unwrap(), row);
        }
        for bad in ["", "1,2", "1,fen,x,1,1,1,e4,9", "1,fen,3,1,1,1,e4,9,10"] {
            assert!(matches!(bad.parse::<FairnessRow>(), Err(FairnessError::Row(_))), "{bad}");
        }
        assert!(matches!(read("number\n"), Err(FairnessError::Header)));
    }

    #[test]
    fn the_fairest_starts_come_first_and_the_histogram_has_all_scores() {
        let starts = Numbering::of(Variant::Chess960);
        let scores = [40, -3, 12, 90, 12, 2, 60, 70, 80, 10, 11, -95];
        let rows: Vec<FairnessRow> = (0..)
            .zip(scores)
            .map(|(number, score)| row(number, Score::Centipawns(score)))
            .collect();
        let text = summary(&rows, starts).unwrap();
        assert!(text.starts_with("12 starts of chess960: from -95 to +90 centipawns"), "{text}");
        let order: Vec<&str> =
            text.lines().filter(|line| line.starts_with("| ")).map(|l| &l[2..5]).collect();
        let order: Vec<u64> = order
            .iter()
            .filter_map(|cell| cell.trim_end_matches([' ', '|']).parse().ok())
            .collect();
        assert_eq!(order[..5], [5, 1, 9, 10, 2]);
        assert_eq!(order[10..13], [11, 3, 8]);
        let svg = histogram(&rows, "a caption").unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("a caption"));
        let bars = svg.matches("fill=\"#466EA0\"").count();
        assert_eq!(bars, 10, "scores 10 and 11 share a bar, and so do both scores of 12: {svg}");
        histogram(&[], "nothing").unwrap();
    }
}
