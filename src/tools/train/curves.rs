//! Writes the losses of a training run, epoch by epoch, as a table and as a plot.

use std::fmt::Write as _;
use std::path::Path;

use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::{
    ChartBuilder, IntoDrawingArea, LineSeries, PathElement, SVGBackend, WHITE,
};
use plotters::style::{BLACK, Color, Palette, Palette99};
use serde::{Deserialize, Serialize};

use super::TrainError;
use super::losses::Losses;
use crate::files::{self, IfExists};

/// Why a plot cannot be drawn.
pub(super) type DrawingError = DrawingAreaErrorKind<std::io::Error>;

/// The losses of an epoch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EpochLosses {
    /// The number of the epoch, counted from 1.
    pub epoch: u32,
    /// The mean loss during the epoch.
    pub training: f64,
    /// The validation losses after the epoch.
    pub validation: Losses,
}

/// Writes the losses as a CSV table with a row for each epoch. Each kind of starting position has a column.
pub(super) fn write_table(path: &Path, epochs: &[EpochLosses]) -> Result<(), TrainError> {
    let names = || epochs.first().into_iter().flat_map(|first| first.validation.components.keys());
    let mut text = "epoch,training,validation".to_owned();
    names().for_each(|name| {
        let _ = write!(text, ",{name}");
    });
    for EpochLosses { epoch, training, validation } in epochs {
        let _ = write!(text, "\n{epoch},{training:.7},{:.7}", validation.all);
        for name in names() {
            let loss = validation.components.get(name).copied().unwrap_or(f64::NAN);
            let _ = write!(text, ",{loss:.7}");
        }
    }
    text.push('\n');
    Ok(files::write(path, text.as_bytes(), IfExists::Replace)?)
}

/// Plots the losses as SVG.
pub(super) fn draw(path: &Path, epochs: &[EpochLosses]) -> Result<(), TrainError> {
    let mut text = String::new();
    let drawn = draw_to(&mut text, epochs);
    drawn.map_err(|error| TrainError::Drawing { path: path.to_owned(), error })?;
    Ok(files::write(path, text.as_bytes(), IfExists::Replace)?)
}

fn draw_to(text: &mut String, epochs: &[EpochLosses]) -> Result<(), DrawingError> {
    let mut curves: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for EpochLosses { epoch, training, validation } in epochs {
        let named = validation.components.iter().map(|(name, loss)| (name.as_str(), *loss));
        let main = [("training", *training), ("validation", validation.all)];
        for (name, loss) in main.into_iter().chain(named) {
            let point = (f64::from(*epoch), loss);
            match curves.iter_mut().find(|(known, _)| known == name) {
                Some((_, points)) => points.push(point),
                None => curves.push((name.to_owned(), vec![point])),
            }
        }
    }
    let losses = || curves.iter().flat_map(|(_, points)| points.iter().map(|(_, loss)| *loss));
    let (low, high) =
        losses().fold((f64::MAX, f64::MIN), |(low, high), loss| (low.min(loss), high.max(loss)));
    let last = epochs.last().map_or(1.0, |last| f64::from(last.epoch)).max(2.0);
    let area = SVGBackend::with_string(text, (900, 540)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .caption("mean square loss by epoch", ("sans-serif", 20))
        .x_label_area_size(32)
        .y_label_area_size(72)
        .build_cartesian_2d(1.0..last, low * 0.98..high * 1.02)?;
    chart.configure_mesh().draw()?;
    for (index, (name, points)) in curves.into_iter().enumerate() {
        let style = Palette99::pick(index).stroke_width(if index < 2 { 3 } else { 1 });
        chart
            .draw_series(LineSeries::new(points, style))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
    }
    let mut labels = chart.configure_series_labels();
    labels.background_style(WHITE).border_style(BLACK);
    labels.draw()?;
    area.present()
}
