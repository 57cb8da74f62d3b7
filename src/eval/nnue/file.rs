//! The file format of networks. Numbers are little-endian.
//!
//! | byte | bytes | contents |
//! | --- | --- | --- |
//! | 0 | 8 | magic, `ALEANNUE` |
//! | 8 | 4 | hash: CRC-32 of all bytes after the hash, in unpacked form and with version 1 |
//! | 12 | 2 | version of the format: 2 |
//! | 14 | 2 | squares of the board: 64 or 100 |
//! | 16 | 2 | inputs of each view: 3 x 12 x squares + 6 |
//! | 18 | 2 | hidden neurons `H` of each view, a multiple of 32 |
//! | 20 | 2 | outputs `B`, selected by the number of pieces |
//! | 22 | 2 | [`QA`]: the integer that represents an activation of 1 in the first layer |
//! | 24 | 2 | [`QB`]: the integer that represents a weight of 1 in the second layer |
//! | 26 | 2 | scale: centipawns for an output of 1 |
//! | 28 | 32 | name in UTF-8, padded with zeros |
//! | 60 | | first layer: for each input `H` weights of 16 bits; then `H` biases of 16 bits |
//! | | | second layer: for each output `H` weights of 16 bits for the view of the side to move and `H` for the opponent's view; then `B` biases of 32 bits, in units of 1 / [`OUTPUT_ONE`] |
//!
//! A 16-bit number after the header takes one byte if the number is from -127 to 127, as most weights are.
//! Any other number takes three bytes: a byte of -128, followed by the two bytes of the number.

use super::features::{self, MAX_PIECES, piece_inputs};
use super::kernels::{QA, squared};
use crate::geometry::Board;

/// The integer that represents a weight of 1 in the second layer.
pub const QB: i32 = 256;
/// The integer that represents an output of 1. Squares of activations are in eighths, so that they fit in
/// 15 bits.
pub const OUTPUT_ONE: i32 = QA * QA * QB / 8;
/// The version of the unpacked form, which stores each number in two bytes. The hash is computed from this
/// form.
const FULL: u16 = 1;
/// The version of the packed form, which is the form of network files.
const PACKED: u16 = 2;
/// The maximum number of hidden neurons of a view.
pub const MAX_HIDDEN: usize = 1_024;
/// The maximum number of outputs.
const MAX_OUTPUTS: usize = 8;

const MAGIC: &[u8; 8] = b"ALEANNUE";
const HEADER: usize = 60;
/// The offset of the first byte that the hash covers: the version field.
const HASHED: usize = 12;
/// The byte that announces a number in the next two bytes.
const ESCAPE: i8 = i8::MIN;
const NAME: usize = 32;

/// The parameters of a network, as stored in its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// The name of the network, at most 32 bytes.
    pub name: String,
    /// The number of centipawns for an output of 1.
    pub scale: u16,
    /// The number of hidden neurons of each view.
    pub hidden: usize,
    /// The weights of the first layer, ordered by input, then by neuron.
    pub input_weights: Vec<i16>,
    pub input_bias: Vec<i16>,
    /// The weights of the second layer, ordered by output, then by view (the side to move first), then by
    /// neuron.
    pub output_weights: Vec<i16>,
    pub output_bias: Vec<i32>,
}

/// Why a file is not a usable network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkError {
    #[error("the file is not a network of Aleator: it does not begin with 'ALEANNUE'")]
    Foreign,
    #[error(
        "the network file has format version {found}, but this program reads only version {PACKED}"
    )]
    Version { found: u16 },
    #[error(
        "the network is for a board of {found} squares, but the {board} board has {squares} squares"
    )]
    Board { found: u16, board: &'static str, squares: usize },
    #[error("the network does not fit this program: {what} is {found}, but must be {wanted}")]
    Shape { what: &'static str, found: usize, wanted: String },
    #[error(
        "the network file is truncated or has extra bytes: its unpacked length is {found} bytes instead of {wanted}"
    )]
    Length { found: usize, wanted: usize },
    #[error(
        "the network file is damaged: the hash of its contents is {found:08x}, but its header says {wanted:08x}"
    )]
    Hash { found: u32, wanted: u32 },
    #[error(
        "the name in the network file is invalid; it must be UTF-8 text of at most 32 bytes without zero bytes"
    )]
    Name,
    #[error(
        "the weights of output {output} (counted from 0) are too large: the sum of this output can overflow 32 bits"
    )]
    OutputSum { output: usize },
    #[error(
        "the weights of hidden neuron {neuron} (counted from 0) are too large: with {MAX_PIECES} pieces on the board, the sum of this neuron can overflow 16 bits"
    )]
    Accumulator { neuron: usize },
}

impl Parameters {
    /// Returns the number of outputs.
    pub fn outputs(&self) -> usize {
        self.output_bias.len()
    }

    /// Returns the bytes of the file for a network of this board. The parameters have to pass
    /// [`Self::check`].
    pub fn to_bytes<G: Board>(&self) -> Vec<u8> {
        pack(&self.to_full_bytes::<G>())
    }

    fn to_full_bytes<G: Board>(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([0; HASHED - MAGIC.len()]);
        let numbers = [
            usize::from(FULL),
            G::SQUARES,
            features::inputs::<G>(),
            self.hidden,
            self.outputs(),
            QA as usize,
            QB as usize,
            usize::from(self.scale),
        ];
        numbers.iter().for_each(|number| bytes.extend((*number as u16).to_le_bytes()));
        bytes.extend(self.name.as_bytes());
        bytes.resize(HEADER, 0);
        let layers = [&self.input_weights, &self.input_bias, &self.output_weights];
        layers.into_iter().flatten().for_each(|weight| bytes.extend(weight.to_le_bytes()));
        self.output_bias.iter().for_each(|bias| bytes.extend(bias.to_le_bytes()));
        let hash = crc32fast::hash(&bytes[HASHED..]);
        bytes[MAGIC.len()..HASHED].copy_from_slice(&hash.to_le_bytes());
        bytes
    }

    /// Parses a network file for this board. Checks the header, the length and the hash, and that no sum can
    /// overflow.
    pub fn from_bytes<G: Board>(bytes: &[u8]) -> Result<Parameters, NetworkError> {
        if bytes.get(..MAGIC.len()) != Some(MAGIC) {
            return Err(NetworkError::Foreign);
        }
        if bytes.len() < HEADER {
            return Err(NetworkError::Length { found: bytes.len(), wanted: HEADER });
        }
        let version = u16::from_le_bytes([bytes[HASHED], bytes[HASHED + 1]]);
        if version != PACKED {
            return Err(NetworkError::Version { found: version });
        }
        let bytes = unpack(bytes);
        let header = &bytes[..HEADER];
        let number = |index: usize| {
            let place = HASHED + 2 * index;
            u16::from_le_bytes([header[place], header[place + 1]])
        };
        if usize::from(number(1)) != G::SQUARES {
            let (board, squares) = (G::NAME, G::SQUARES);
            return Err(NetworkError::Board { found: number(1), board, squares });
        }
        let [inputs, hidden, outputs, qa, qb] = [2, 3, 4, 5, 6].map(|index| number(index).into());
        check_shape::<G>(inputs, hidden, outputs, qa, qb)?;
        let layers = [inputs * hidden, hidden, outputs * 2 * hidden];
        let wanted = HEADER + 2 * layers.iter().sum::<usize>() + 4 * outputs;
        if bytes.len() != wanted {
            return Err(NetworkError::Length { found: bytes.len(), wanted });
        }
        let stored = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
        let found = crc32fast::hash(&bytes[HASHED..]);
        if found != stored {
            return Err(NetworkError::Hash { found, wanted: stored });
        }
        let name = header[HEADER - NAME..].split(|byte| *byte == 0).next().unwrap_or_default();
        let mut rest = &bytes[HEADER..];
        let [input_weights, input_bias, output_weights] = layers.map(|length| -> Vec<i16> {
            let (layer, behind) = rest.split_at(2 * length);
            rest = behind;
            layer.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect()
        });
        let parameters = Parameters {
            name: std::str::from_utf8(name).map_err(|_| NetworkError::Name)?.to_owned(),
            scale: number(7),
            hidden,
            input_weights,
            input_bias,
            output_weights,
            output_bias: rest.as_chunks().0.iter().map(|b| i32::from_le_bytes(*b)).collect(),
        };
        parameters.check::<G>()?;
        Ok(parameters)
    }

    /// Returns the hash in the file's header.
    pub fn hash<G: Board>(&self) -> u32 {
        crc32fast::hash(&self.to_full_bytes::<G>()[HASHED..])
    }

    /// Checks that no sum can overflow in any order and any position.
    pub fn check<G: Board>(&self) -> Result<(), NetworkError> {
        if self.name.len() > NAME || self.name.contains('\0') {
            return Err(NetworkError::Name);
        }
        let rows = self.output_weights.chunks(2 * self.hidden);
        for (output, (row, bias)) in rows.zip(&self.output_bias).enumerate() {
            if output_bound(row, *bias) > i64::from(i32::MAX) {
                return Err(NetworkError::OutputSum { output });
            }
        }
        match (0..self.hidden).find(|neuron| !self.neuron_fits::<G>(*neuron)) {
            Some(neuron) => Err(NetworkError::Accumulator { neuron }),
            None => Ok(()),
        }
    }

    /// Returns whether a neuron's sum always fits in 16 bits. In the worst case, each of the [`MAX_PIECES`]
    /// squares with the largest weights holds the piece of the largest weight, and every right with a
    /// positive weight is set. The check is repeated with negated weights for the lower bound.
    fn neuron_fits<G: Board>(&self, neuron: usize) -> bool {
        let weight = |input: usize| i32::from(self.input_weights[input * self.hidden + neuron]);
        let bias = i32::from(self.input_bias[neuron]);
        [1, -1].into_iter().all(|sign| {
            let most = |square: usize| {
                let kinds = (square..features::SAFETIES * piece_inputs::<G>()).step_by(G::SQUARES);
                kinds.map(|input| sign * weight(input)).max().unwrap_or(0).max(0)
            };
            let mut squares: Vec<i32> = (0..G::SQUARES).map(most).collect();
            squares.sort_unstable_by_key(|value| std::cmp::Reverse(*value));
            let pieces: i32 = squares.iter().take(MAX_PIECES).sum();
            let rights = features::SAFETIES * piece_inputs::<G>()..features::inputs::<G>();
            let rights: i32 = rights.map(|input| (sign * weight(input)).max(0)).sum();
            sign * bias + pieces + rights <= i32::from(i16::MAX)
        })
    }
}

/// Packs the numbers after the header.
fn pack(full: &[u8]) -> Vec<u8> {
    let (header, numbers) = full.split_at(HEADER);
    let mut packed = header.to_vec();
    packed[HASHED..HASHED + 2].copy_from_slice(&PACKED.to_le_bytes());
    for bytes in numbers.as_chunks().0 {
        match i8::try_from(i16::from_le_bytes(*bytes)) {
            Ok(small) if small != ESCAPE => packed.extend(small.to_le_bytes()),
            _ => packed.extend(ESCAPE.to_le_bytes().iter().chain(bytes)),
        }
    }
    packed
}

/// Unpacks a file with a complete header. The header gets the version of the unpacked form.
fn unpack(bytes: &[u8]) -> Vec<u8> {
    let (header, packed) = bytes.split_at(HEADER);
    let mut full = header.to_vec();
    full[HASHED..HASHED + 2].copy_from_slice(&FULL.to_le_bytes());
    let mut rest = packed.iter().copied();
    while let Some(first) = rest.next() {
        match first as i8 {
            // A truncated number yields fewer bytes, so the length check fails.
            ESCAPE => full.extend(rest.by_ref().take(2)),
            small => full.extend(i16::from(small).to_le_bytes()),
        }
    }
    full
}

/// Returns the largest absolute value of an output's sum, in units of 1 / [`OUTPUT_ONE`].
pub fn output_bound(weights: &[i16], bias: i32) -> i64 {
    let sum: i64 = weights.iter().map(|weight| i64::from(weight.unsigned_abs())).sum();
    sum * i64::from(squared(QA as i16)) + i64::from(bias.unsigned_abs())
}

fn check_shape<G: Board>(
    inputs: usize,
    hidden: usize,
    outputs: usize,
    qa: usize,
    qb: usize,
) -> Result<(), NetworkError> {
    let error = |what, found, wanted| Err(NetworkError::Shape { what, found, wanted });
    if inputs != features::inputs::<G>() {
        error("the number of inputs", inputs, features::inputs::<G>().to_string())
    } else if !hidden.is_multiple_of(32) || !(32..=MAX_HIDDEN).contains(&hidden) {
        error(
            "the number of hidden neurons",
            hidden,
            format!("a multiple of 32 up to {MAX_HIDDEN}"),
        )
    } else if !(1..=MAX_OUTPUTS).contains(&outputs) {
        error("the number of outputs", outputs, format!("from 1 to {MAX_OUTPUTS}"))
    } else if qa != QA as usize {
        error("QA", qa, QA.to_string())
    } else if qb != QB as usize {
        error("QB", qb, QB.to_string())
    } else {
        Ok(())
    }
}
