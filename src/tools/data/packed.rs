//! Games in version 2 of the format. Moves are stored as indices among the legal moves and scores as
//! differences, range coded. The module documentation of [`super`] describes the format.

use constriction::stream::model::{SmallContiguousCategoricalEntropyModel, SmallUniformModel};
use constriction::stream::queue::{SmallRangeDecoder, SmallRangeEncoder};
use constriction::stream::{Decode, Encode};
use constriction::{UnwrapInfallible, backends::Cursor};
use once_cell::sync::Lazy;

use super::component::Component;
use super::game::{GameRecordFault, StoredGame, TrainingGame};
use super::ply::Ply;
use crate::game::Termination;
use crate::geometry::Board;
use crate::position::Position;
use crate::rules::on_board;
use crate::types::score::MATE;
use crate::types::{Move, Value};

type Encoder = SmallRangeEncoder;
type Decoder = SmallRangeDecoder<Cursor<u16, Vec<u16>>>;
type Classes = SmallContiguousCategoricalEntropyModel;

/// The frequencies of the classes of score differences, out of 4,096. The classes are 0, -1, 1, -3 to -2, 2
/// to 3, and so on up to 65,535. The frequencies were measured on seven million plies of games with 100 nodes
/// per move. The last class has the remaining frequency, which is not listed.
const FREQUENCIES: [u16; 32] = [
    881, 89, 95, 93, 112, 138, 185, 199, 304, 235, 442, 185, 457, 93, 279, 37, 120, 23, 61, 10, 20,
    2, 3, 1, 1, 1, 1, 1, 1, 16, 6, 1,
];

static CLASSES: Lazy<Classes> = Lazy::new(|| {
    Classes::from_nonzero_fixed_point_probabilities(FREQUENCIES, true)
        .expect("the sum of the frequencies is less than 4,096")
});

/// The maximum number of bits that are encoded together with uniform probabilities.
const BITS: u32 = 8;
/// A record may have at most `PLIES_PER_WORD` plies for each word of its code, plus `FREE_PLIES`.
const PLIES_PER_WORD: usize = 16;
/// The number of plies that a record may have without any code. A random ply with a single legal move needs
/// no code.
const FREE_PLIES: usize = 255;

/// Appends the packed form of a game to `out`. Returns false, and appends nothing, if the game cannot be
/// packed. A game that breaks the rules, or whose flags do not match its moves, cannot be packed.
pub(super) fn pack(game: &StoredGame, out: &mut Vec<u8>) -> bool {
    let begin = out.len();
    let packed = on_board!(game.component.board(), |G| try_pack::<G>(game, out)).is_some();
    if !packed {
        out.truncate(begin);
    }
    packed
}

fn try_pack<G: Board>(game: &StoredGame, out: &mut Vec<u8>) -> Option<()> {
    let mut position: Position<G> = game.start().ok()?;
    let mut encoder = Encoder::new();
    let mut previous = 0;
    for (number, ply) in game.plies().enumerate() {
        let mv = ply.mv::<G>()?;
        let moves = sorted_moves(&position);
        let rank = moves.iter().position(|legal| *legal == mv)?;
        encode_below(&mut encoder, rank, moves.len());
        if number >= game.random_plies {
            encode_difference(&mut encoder, ply.score() + previous);
            previous = ply.score();
        }
        if ply != ply_of(&position, mv, number, game.random_plies, ply.score())? {
            return None;
        }
        position.make(mv);
    }
    let code = encoder.into_compressed().unwrap_infallible();
    if game.plies().len() > PLIES_PER_WORD * code.len() + FREE_PLIES {
        return None;
    }
    write_number(out, game.index.into());
    out.extend([game.component.code(), game.termination.to_byte(), game.random_plies as u8]);
    write_number(out, game.plies().len() as u64);
    match game.component.starts().number_of_fen(game.fen) {
        Some(number) => write_number(out, number + 1),
        None => {
            out.extend([0, game.fen.len() as u8]);
            out.extend(game.fen.as_bytes());
        }
    }
    write_number(out, code.len() as u64);
    code.iter().for_each(|word| out.extend(word.to_le_bytes()));
    Some(())
}

/// Advances `bytes` past a packed game without decoding the game. Returns the index of the game.
pub(super) fn skip(bytes: &mut &[u8]) -> Result<u64, GameRecordFault> {
    let index = read_number(bytes)?;
    take(bytes, 3)?;
    let _plies = read_number(bytes)?;
    if read_number(bytes)? == 0 {
        let [length] = *take(bytes, 1)? else { return Err(GameRecordFault::Cut) };
        take(bytes, length.into())?;
    }
    let words = usize::try_from(read_number(bytes)?).unwrap_or(usize::MAX);
    take(bytes, words.saturating_mul(2))?;
    Ok(index)
}

/// Decodes the packed game at the start of `bytes` and advances `bytes` to the byte after the game.
pub(super) fn unpack(bytes: &mut &[u8]) -> Result<TrainingGame, GameRecordFault> {
    let index = read_number(bytes)?;
    let index = u32::try_from(index).map_err(|_| GameRecordFault::Number(index))?;
    let [component, termination, random_plies] = *take(bytes, 3)? else {
        return Err(GameRecordFault::Cut);
    };
    let plies = read_number(bytes)?;
    let plies = u16::try_from(plies).map_err(|_| GameRecordFault::Number(plies))?;
    if u16::from(random_plies) > plies {
        return Err(GameRecordFault::RandomPlies { random: random_plies, plies });
    }
    let component = Component::from_code(component).ok_or(GameRecordFault::Component(component))?;
    let termination =
        Termination::from_byte(termination).ok_or(GameRecordFault::Termination(termination))?;
    let fen = read_start(bytes, component)?;
    let words = usize::try_from(read_number(bytes)?).unwrap_or(usize::MAX);
    let code = take(bytes, words.saturating_mul(2))?;
    let most = words.saturating_mul(PLIES_PER_WORD).saturating_add(FREE_PLIES);
    if usize::from(plies) > most {
        return Err(GameRecordFault::Plies { plies, words });
    }
    let code: Vec<u16> = code.as_chunks().0.iter().map(|word| u16::from_le_bytes(*word)).collect();
    let mut record =
        TrainingGame { index, component, termination, random_plies, fen, plies: Vec::new() };
    record.plies = on_board!(component.board(), |G| unpack_plies::<G>(&record, plies, code))?;
    Ok(record)
}

fn unpack_plies<G: Board>(
    record: &TrainingGame,
    plies: u16,
    code: Vec<u16>,
) -> Result<Vec<Ply>, GameRecordFault> {
    let right = record.component.variant().rules().right;
    let mut position: Position<G> =
        Position::from_fen(&record.fen, right).map_err(|_| GameRecordFault::Fen)?;
    let mut decoder = Decoder::from_compressed(code).unwrap_infallible();
    let mut unpacked = Vec::with_capacity(plies.into());
    let random_plies = record.random_plies.into();
    let mut previous = 0;
    for number in 0..usize::from(plies) {
        let moves = sorted_moves(&position);
        let rank =
            decode_below(&mut decoder, moves.len()).ok_or(GameRecordFault::Code { number })?;
        let mut score = 0;
        if number >= random_plies {
            let difference =
                decode_difference(&mut decoder).ok_or(GameRecordFault::Code { number })?;
            score = difference - previous;
            previous = score;
        }
        let ply = moves
            .get(rank)
            .and_then(|mv| ply_of(&position, *mv, number, random_plies, score))
            .ok_or(GameRecordFault::Code { number })?;
        position.make(moves[rank]);
        unpacked.push(ply);
    }
    Ok(unpacked)
}

/// Returns the legal moves sorted by their bits. This order does not depend on the move generator.
fn sorted_moves<G: Board>(position: &Position<G>) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.sort_unstable_by_key(|mv| mv.bits());
    moves
}

/// Returns the ply that records a legal move. Returns `None` if the score is larger than a mate score.
fn ply_of<G: Board>(
    position: &Position<G>,
    mv: Move,
    number: usize,
    random_plies: usize,
    score: Value,
) -> Option<Ply> {
    if number < random_plies {
        return Some(Ply::random(position, mv));
    }
    (score.abs() <= MATE).then(|| Ply::searched(position, mv, score))
}

/// Encodes `number`, which is one of the equally likely numbers below `count`. `count` is at most 4,096.
fn encode_below(encoder: &mut Encoder, number: usize, count: usize) {
    // A uniform model needs at least two symbols. A single possible number needs no code.
    if count > 1 {
        let coded = encoder.encode_symbol(number, SmallUniformModel::new(count));
        coded.expect("the number is below the count");
    }
}

fn decode_below(decoder: &mut Decoder, count: usize) -> Option<usize> {
    match count {
        0 => None,
        1 => Some(0),
        _ => decoder.decode_symbol(SmallUniformModel::new(count)).ok(),
    }
}

/// Encodes the class of a score difference, then the bits below the leading 1 bit, low bits first.
fn encode_difference(encoder: &mut Encoder, difference: Value) {
    let size = difference.unsigned_abs();
    let length = u32::BITS - size.leading_zeros();
    let class = (2 * length).saturating_sub(u32::from(difference < 0));
    let coded = encoder.encode_symbol(class as usize, CLASSES.as_view());
    coded.expect("every class has a frequency");
    let mut bits = length.saturating_sub(1);
    let mut rest = size & !(1_u32.unbounded_shl(bits));
    while bits > 0 {
        let now = bits.min(BITS);
        encode_below(encoder, (rest & ((1 << now) - 1)) as usize, 1 << now);
        rest >>= now;
        bits -= now;
    }
}

fn decode_difference(decoder: &mut Decoder) -> Option<Value> {
    let class = decoder.decode_symbol(CLASSES.as_view()).ok()? as u32;
    let length = class.div_ceil(2);
    let bits = length.saturating_sub(1);
    let mut size = if length > 0 { 1_u32 << bits } else { 0 };
    let mut done = 0;
    while done < bits {
        let now = (bits - done).min(BITS);
        size |= (decode_below(decoder, 1 << now)? as u32) << done;
        done += now;
    }
    let size = size as Value;
    Some(if class % 2 == 1 { -size } else { size })
}

fn read_start(bytes: &mut &[u8], component: Component) -> Result<String, GameRecordFault> {
    let number = read_number(bytes)?;
    if number > 0 {
        let start = component.starts().start(number - 1);
        return Ok(start.map_err(|_| GameRecordFault::Number(number))?.fen());
    }
    let [length] = *take(bytes, 1)? else { return Err(GameRecordFault::Cut) };
    let fen = std::str::from_utf8(take(bytes, length.into())?).ok();
    Ok(fen.filter(|fen| fen.is_ascii()).ok_or(GameRecordFault::Fen)?.to_owned())
}

/// Writes a number in LEB128.
fn write_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Result<u64, GameRecordFault> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let [byte] = *take(bytes, 1)? else { return Err(GameRecordFault::Cut) };
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(GameRecordFault::Number(number))
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], GameRecordFault> {
    bytes.split_off(..count).ok_or(GameRecordFault::Cut)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Encodes differences and returns the decoded differences.
    fn coded(differences: &[Value]) -> Vec<Value> {
        let mut encoder = Encoder::new();
        differences.iter().for_each(|one| encode_difference(&mut encoder, *one));
        let code = encoder.into_compressed().unwrap_infallible();
        let mut decoder = Decoder::from_compressed(code).unwrap_infallible();
        differences.iter().map(|_| decode_difference(&mut decoder).unwrap()).collect()
    }

    #[test]
    fn every_difference_of_two_scores_round_trips() {
        let all: Vec<Value> = (-2 * MATE..=2 * MATE).collect();
        assert_eq!(coded(&all), all);
    }

    proptest! {
        #[test]
        fn numbers_round_trip(number in 0_u64..1 << 63, mut rest in any::<Vec<u8>>()) {
            let mut bytes = Vec::new();
            write_number(&mut bytes, number);
            bytes.append(&mut rest.clone());
            let mut left = &bytes[..];
            prop_assert_eq!(read_number(&mut left).unwrap(), number);
            prop_assert_eq!(left, &rest.split_off(0)[..]);
        }

        #[test]
        fn arbitrary_bytes_give_a_game_or_an_error(bytes in any::<Vec<u8>>(), component in 0_u8..9) {
            // The fields of the forged record are valid up to the number of words of the code. The code is
            // arbitrary.
            let forged = [&[1, component, 0, 0, 40, 1, 20][..], &bytes].concat();
            for bytes in [&bytes, &forged] {
                if let Ok(record) = unpack(&mut &bytes[..]) {
                    prop_assert!(record.plies.len() >= record.random_plies.into());
                }
            }
        }
    }
}
