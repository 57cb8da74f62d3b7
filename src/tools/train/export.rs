//! Converts between the floating-point network and the integers of the engine's network.

use super::model::{Model, Shape};
use crate::eval::nnue::{Network, OUTPUT_ONE, Parameters, QA, QB, output_bound};
use crate::geometry::Board;
use serde::{Deserialize, Serialize};

use super::TrainError;

/// The largest absolute value of a weight or bias in the first layer. With this limit, the sum of 32 pieces,
/// 6 rights and the bias cannot overflow 16 bits.
pub(super) const MOST_INPUT: f32 = 1.64;

/// Counts the parameters that could not be represented exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Export {
    /// The number of clipped parameters of the first layer.
    pub clipped_inputs: u64,
    /// The number of outputs whose weights were all scaled down, because the sum of the weights could
    /// overflow.
    pub shrunk_outputs: u64,
}

/// Rounds a network to the engine's integers. Also returns how many parameters had to be changed.
pub fn export<G: Board>(
    model: &Model,
    name: &str,
    scale: f32,
) -> Result<(Parameters, Export), TrainError> {
    let shape = model.shape;
    let mut report = Export::default();
    let mut input = |value: &f32| {
        report.clipped_inputs += u64::from(value.abs() > MOST_INPUT);
        (value.clamp(-MOST_INPUT, MOST_INPUT) * QA as f32).round() as i16
    };
    let rows = model.to_rows();
    let (input_weights, rest) = rows.split_at(shape.inputs * shape.hidden);
    let (input_bias, rest) = rest.split_at(shape.hidden);
    let (outputs, biases) = rest.split_at(2 * shape.hidden * shape.outputs);
    let input_weights = input_weights.iter().map(&mut input).collect();
    let input_bias = input_bias.iter().map(&mut input).collect();
    let unit = f64::from(OUTPUT_ONE);
    let (mut output_weights, mut output_bias) = (Vec::new(), Vec::new());
    for (weights, bias) in outputs.chunks_exact(2 * shape.hidden).zip(biases) {
        let bias = (f64::from(*bias) * unit).round().clamp(-1e9, 1e9) as i32;
        let mut factor = QB as f32;
        loop {
            let row: Vec<i16> =
                weights.iter().map(|weight| (weight * factor).round() as i16).collect();
            if output_bound(&row, bias) <= i64::from(i32::MAX) {
                output_weights.extend(row);
                break;
            }
            factor *= 0.99;
        }
        report.shrunk_outputs += u64::from(factor < QB as f32);
        output_bias.push(bias);
    }
    let parameters = Parameters {
        name: name.to_owned(),
        scale: scale.round() as u16,
        hidden: shape.hidden,
        input_weights,
        input_bias,
        output_weights,
        output_bias,
    };
    parameters.check::<G>()?;
    Ok((parameters, report))
}

/// Converts the engine's integers to a floating-point network.
pub(super) fn import<G: Board>(parameters: &Parameters) -> Model {
    let shape = Shape::new::<G>(parameters.hidden, parameters.outputs());
    let scaled = |numbers: &[i16], one: i32| -> Vec<f32> {
        numbers.iter().map(|number| f32::from(*number) / one as f32).collect()
    };
    let unit = f64::from(OUTPUT_ONE);
    let biases = parameters.output_bias.iter().map(|bias| (f64::from(*bias) / unit) as f32);
    let numbers = [
        scaled(&parameters.input_weights, QA),
        scaled(&parameters.input_bias, QA),
        scaled(&parameters.output_weights, QB),
        biases.collect(),
    ];
    Model::of_rows(shape, &numbers.concat())
}

/// Builds the engine's network from integer parameters.
pub(super) fn network<G: Board>(parameters: &Parameters) -> Result<Network<G>, TrainError> {
    Ok(Network::new(parameters.clone())?)
}
