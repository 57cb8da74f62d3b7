//! Tests of the network: incremental updates, kernels, inputs and files.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::kernels::{Kernel, Lanes};
use super::*;
use crate::geometry::{Board, Board8x8};
use crate::position::{Position, Threats};
use crate::random::Rng;
use crate::rules::{KingRight, Variant};
use crate::start::Numbering;
use crate::types::{Bitboard, Color, Move, Piece, Role, Square};

/// Returns a random number in `-most ..= most`.
fn random(rng: &mut Rng, most: i32) -> i32 {
    rng.below(2 * most as u64 + 1) as i32 - most
}

/// Returns random parameters of realistic magnitude.
fn parameters<G: Board>(hidden: usize, outputs: usize, seed: u64) -> Parameters {
    let mut rng = Rng::new(seed);
    let mut weights = |count: usize, most: i32| -> Vec<i16> {
        (0..count).map(|_| random(&mut rng, most) as i16).collect()
    };
    Parameters {
        name: "random".to_owned(),
        scale: 300,
        hidden,
        input_weights: weights(inputs::<G>() * hidden, 100),
        input_bias: weights(hidden, 200),
        output_weights: weights(outputs * 2 * hidden, 60),
        output_bias: weights(outputs, 10_000).into_iter().map(i32::from).collect(),
    }
}

fn network<G: Board>(hidden: usize, outputs: usize) -> Network<G> {
    Network::new(parameters::<G>(hidden, outputs, 7)).unwrap()
}

fn position<G: Board>(fen: &str, right: KingRight) -> Position<G> {
    Position::from_fen(fen, right).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

// The kinds of moves that must occur in the random games.
const CAPTURE: &str = "capture";
const SHORT: &str = "short castling";
const LONG: &str = "long castling";
const EN_PASSANT: &str = "en passant";
const PROMOTION: &str = "promotion";
const PROMOTING_CAPTURE: &str = "capture with promotion";
const RELOCATION: &str = "relocation";
const CROSSING: &str = "a king crosses the middle";
const ROOK_LOST: &str = "a rook is taken that could castle";

fn kinds<G: Board>(position: &Position<G>, mv: Move) -> Vec<&'static str> {
    let (from, to) = (mv.from::<G>(), mv.to::<G>());
    let mut kinds = Vec::new();
    let mut note = |holds: bool, kind| kinds.extend(holds.then_some(kind));
    let (castles, takes) = (position.is_castling(mv), position.is_capture(mv));
    let king = position.moved_piece(mv).role() == Role::King;
    let middle = G::FILES / 2;
    note(takes, CAPTURE);
    note(castles && to.file() > from.file(), SHORT);
    note(castles && to.file() < from.file(), LONG);
    note(position.is_en_passant(mv), EN_PASSANT);
    note(position.is_promotion(mv), PROMOTION);
    note(position.is_promotion(mv) && takes, PROMOTING_CAPTURE);
    note(king && !castles && from.file().abs_diff(to.file()) > 1, RELOCATION);
    note(king && (from.file() < middle) != (to.file() < middle), CROSSING);
    note(takes && position.rights().contains(to), ROOK_LOST);
    kinds
}

/// Chooses a random move, preferring special kinds where they are possible.
fn choose<G: Board>(position: &Position<G>, rng: &mut Rng) -> Option<Move> {
    let moves = position.legal_moves();
    let special: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|&mv| kinds(position, mv).iter().any(|&kind| kind != CAPTURE))
        .collect();
    let among = if !special.is_empty() && rng.below(2) == 0 { &special[..] } else { &moves };
    among.get(rng.below(among.len() as u64) as usize).copied()
}

/// Walks up and down the trees of random games. The incremental value must always equal the value computed
/// from scratch, also after plies without an evaluation and after moves are taken back. Returns the kinds
/// of moves that occurred.
fn play<G: Board>(variant: Variant, more: Option<&str>) -> BTreeSet<&'static str> {
    let mut rng = Rng::new(11);
    let mut starts: Vec<String> =
        (0..25).map(|_| Numbering::of(variant).drawn().random(&mut rng).fen()).collect();
    starts.extend(more.map(ToOwned::to_owned));
    let mut line = Accumulators::new(Arc::new(network::<G>(64, 3)), 3).unwrap();
    let mut seen = BTreeSet::new();
    for fen in starts {
        let mut position = position::<G>(&fen, variant.rules().right);
        for _ in 0..60 {
            line.reset(&position);
            let mut at = position.clone();
            for depth in 0..8 {
                let Some(mv) = choose(&at, &mut rng) else { break };
                if rng.below(3) == 0 {
                    assert_eq!(line.evaluate(&at), evaluate(line.network(), &at, None), "{at:?}");
                }
                if !at.in_check() && rng.below(6) == 0 {
                    // Make a null move, and then continue from there or take the null move back.
                    let mut passed = at.clone();
                    passed.make_null();
                    line.push_null();
                    assert_eq!(line.evaluate(&passed), evaluate(line.network(), &passed, None));
                    if rng.below(2) == 0 {
                        line.pop();
                    } else {
                        at = passed;
                        continue;
                    }
                }
                let next = at.after(mv);
                line.push(&next);
                seen.extend(kinds(&at, mv));
                if depth > 1 && rng.below(4) == 0 {
                    line.pop();
                } else {
                    at = next;
                }
            }
            assert_eq!(line.evaluate(&at), evaluate(line.network(), &at, None), "{at:?}");
            let Some(mv) = choose(&position, &mut rng) else { break };
            position.make(mv);
        }
    }
    seen
}

#[test]
fn incremental_updates_match_refreshes_8x8() {
    let mut seen = play::<Board8x8>(Variant::Chess960, None);
    seen.extend(play::<Board8x8>(Variant::Jepps, None));
    let all = [
        CAPTURE,
        SHORT,
        LONG,
        EN_PASSANT,
        PROMOTION,
        PROMOTING_CAPTURE,
        RELOCATION,
        CROSSING,
        ROOK_LOST,
    ];
    assert_eq!(seen, all.into());
}

#[test]
fn incremental_updates_match_refreshes_10x10() {
    // On ten ranks random games rarely reach a promotion.
    let near = "1n8/2P2k1P2/10/10/10/10/3p6/10/5K4/10 w - - 0 1";
    let seen = play::<crate::geometry::Board10x10>(Variant::Ifrc, Some(near));
    let all = [CAPTURE, SHORT, LONG, EN_PASSANT, PROMOTION, PROMOTING_CAPTURE, CROSSING, ROOK_LOST];
    assert_eq!(seen, all.into());
}

/// Compares the kernels on extreme and ordinary numbers, with several numbers of added and subtracted rows.
#[test]
fn every_kernel_matches_the_scalar_kernel() {
    let mut rng = Rng::new(3);
    for kernel in Kernel::all() {
        for round in 0..200 {
            let width = 1 + rng.below(8) as usize;
            let most = if round % 2 == 0 { 32_767 } else { 400 };
            let mut row = |most: i32| -> Vec<Lanes> {
                let lanes = |_| Lanes(std::array::from_fn(|_| random(&mut rng, most) as i16));
                (0..width).map(lanes).collect()
            };
            let rows: Vec<Vec<Lanes>> = (0..6).map(|_| row(most)).collect();
            let rows: Vec<&[Lanes]> = rows.iter().map(Vec::as_slice).collect();
            let weights = row(128);
            for (adds, subs) in [(0, 0), (1, 1), (1, 2), (2, 2), (1, 4), (3, 0), (3, 2)] {
                let sum = |kernel: Kernel| {
                    let mut to = vec![Lanes::ZERO; width];
                    kernel.update(&mut to, rows[0], &rows[1..1 + adds], &rows[1 + adds..][..subs]);
                    to
                };
                assert_eq!(sum(kernel), sum(Kernel::Scalar));
            }
            let output = |kernel: Kernel| kernel.output(rows[0], &weights);
            assert_eq!(output(kernel), output(Kernel::Scalar));
        }
    }
    let (values, weights) = (vec![Lanes([i16::MAX; 32]); 8], vec![Lanes([-128; 32]); 8]);
    // Vector code adds pairs of products in one instruction, so check an extreme pair.
    let mut pair = Lanes::ZERO;
    pair.0[..2].fill(i16::MIN);
    for kernel in Kernel::all() {
        assert_eq!(kernel.output(&values, &weights), -128 * 32_513 * 256);
        assert_eq!(kernel.output(&values[..1], &[pair]), 2 * i32::from(i16::MIN) * 32_513);
        for value in -2..=512 {
            let (mut values, mut one) = (Lanes::ZERO, Lanes::ZERO);
            (values.0[3], one.0[3]) = (value, 1);
            let square = i32::from(value.clamp(0, 510)).pow(2);
            assert_eq!(kernel.output(&[values], &[one]), (square + 4) / 8);
        }
    }
}

#[test]
fn every_kernel_gives_the_same_value_of_a_position() {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 b - - 0 10";
    let position = position::<Board8x8>(fen, KingRight::Castling);
    let values: Vec<i32> = Kernel::all()
        .into_iter()
        .map(|kernel| evaluate(&network(96, 8).with_kernel(kernel), &position, None))
        .collect();
    assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
}

/// Checks that the value is unchanged if the colours are swapped and the board is mirrored vertically, or if
/// the files are mirrored.
#[test]
fn symmetric_positions_have_the_same_value() {
    let net = network::<Board8x8>(64, 1);
    let value = |fen: &str| evaluate(&net, &position::<Board8x8>(fen, KingRight::Castling), None);
    let here = value("r3kb1r/ppp1pppp/2n5/8/8/4P3/PPPP1PPP/RNB1K1NR w KQq - 0 1");
    assert_eq!(here, value("rnb1k1nr/pppp1ppp/4p3/8/8/2N5/PPP1PPPP/R3KB1R b Qkq - 0 1"));
    assert_eq!(here, value("r1bk3r/pppp1ppp/5n2/8/8/3P4/PPP1PPPP/RN1K1BNR w HAh - 0 1"));
    assert_ne!(here, value("r3kb1r/ppp1pppp/2n5/8/8/4P3/PPPP1PPP/RNB1K1NR w KQ - 0 1"));
}

/// Checks the index of an input for pieces in each attack state and for rights, in mirrored and unmirrored
/// views.
#[test]
fn inputs_have_their_documented_indices() {
    let square = |text| Square::<Board8x8>::parse(text).unwrap();
    let white = Perspective::new(Color::White, square("g1"));
    let black = Perspective::new(Color::Black, square("c8"));
    assert!(!white.mirrored && black.mirrored);
    assert!(Perspective::new(Color::White, square("d1")).mirrored);
    let e2 = square("e2").bitboard();
    let [safe, defended, undefended] =
        [(Bitboard::EMPTY, Bitboard::EMPTY), (e2, Bitboard::EMPTY), (e2, e2)]
            .map(|(all, undefended)| Attacked { all, undefended });
    let placed = |piece, at, attacked| PlacedPiece::new(piece, square(at), &attacked);
    assert_eq!(white.piece(placed(Piece::WhitePawn, "e2", safe)), 12);
    assert_eq!(white.piece(placed(Piece::WhitePawn, "e2", defended)), 768 + 12);
    assert_eq!(white.piece(placed(Piece::WhitePawn, "e2", undefended)), 2 * 768 + 12);
    assert_eq!(white.piece(placed(Piece::BlackKing, "a8", undefended)), 11 * 64 + 56);
    assert_eq!(black.piece(placed(Piece::BlackKnight, "h8", safe)), 64);
    assert_eq!(black.piece(placed(Piece::WhitePawn, "a1", safe)), 6 * 64 + 63);
    // The rook attacks both knights, and a king defends one of them.
    let knights = position::<Board8x8>("8/8/8/8/n2R2n1/5k2/8/K7 w - - 0 1", KingRight::Castling);
    let threats = Color::ALL.map(|color| Threats::of(&knights, color));
    let attacked = Attacked::of(&knights, threats);
    assert_eq!(attacked.all, square("a4").bitboard() | square("g4").bitboard());
    assert_eq!(attacked.undefended, square("a4").bitboard());
    let fen = "r3k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1";
    let rights = Rights::of(&position::<Board8x8>(fen, KingRight::Castling));
    assert_eq!(rights, Rights(0b00_1010));
    let inputs = |view: Perspective| [1, 3].map(|bit| view.right::<Board8x8>(bit));
    assert_eq!(inputs(white), [3 * 768 + 1, 3 * 768 + 3]);
    assert_eq!(inputs(black), [3 * 768 + 3, 3 * 768 + 1]);
    let jepps = "4k3/8/8/8/8/8/8/4K3 w K - 0 1";
    let rights = Rights::of(&position::<Board8x8>(jepps, KingRight::Relocation));
    assert_eq!((rights, white.right::<Board8x8>(2)), (Rights(0b100), 3 * 768 + 2));
}

#[test]
fn files_round_trip() {
    let written = parameters::<Board8x8>(32, 2, 1);
    let bytes = written.to_bytes::<Board8x8>();
    assert_eq!(Parameters::from_bytes::<Board8x8>(&bytes), Ok(written.clone()));
    let network = Network::<Board8x8>::from_bytes(&bytes).unwrap();
    assert_eq!((network.name(), network.hidden()), ("random", 32));
    assert_eq!(network.hash().to_le_bytes(), bytes[8..12]);
}

/// Checks the size of a packed file, which stores most numbers in one byte, and that a packed file unpacks to
/// the full form.
#[test]
fn files_are_packed_and_unpacked() {
    let mut written = parameters::<Board8x8>(32, 2, 1);
    for (place, weight) in [-900, -129, -128, -127, 127, 128, 900].into_iter().enumerate() {
        written.input_weights[32 * place] = weight;
    }
    assert_eq!(written.check::<Board8x8>(), Ok(()));
    let packed = written.to_bytes::<Board8x8>();
    let layers = [&written.input_weights, &written.input_bias, &written.output_weights];
    let weights = || layers.into_iter().flatten();
    let escaped = weights().filter(|weight| !(-127..=127).contains(*weight)).count();
    assert!(escaped > 4, "{escaped}");
    // The packed size of the two output biases varies by at most twelve bytes.
    let least = 60 + weights().count() + 2 * escaped + 4;
    assert!((least..=least + 2 * 6).contains(&packed.len()), "{least} {}", packed.len());

    let mut full = packed[..60].to_vec();
    full[12] = 1;
    weights().for_each(|weight| full.extend(weight.to_le_bytes()));
    written.output_bias.iter().for_each(|bias| full.extend(bias.to_le_bytes()));
    assert_eq!(full[8..12], crc32fast::hash(&full[12..]).to_le_bytes());
    assert_eq!(Parameters::from_bytes::<Board8x8>(&packed), Ok(written));
    for cut in (60..packed.len()).rev().step_by(29) {
        let error = Parameters::from_bytes::<Board8x8>(&packed[..cut]).unwrap_err();
        assert!(matches!(error, NetworkError::Length { .. }), "{cut}: {error}");
    }
    let unpacked = Parameters::from_bytes::<Board8x8>(&full);
    assert_eq!(unpacked, Err(NetworkError::Version { found: 1 }));
}

#[test]
fn invalid_files_are_rejected() {
    let bytes = parameters::<Board8x8>(32, 1, 1).to_bytes::<Board8x8>();
    let read = |bytes: &[u8]| Parameters::from_bytes::<Board8x8>(bytes).unwrap_err();
    assert_eq!(read(b""), NetworkError::Foreign);
    assert_eq!(read(b"\x7fELF and so on"), NetworkError::Foreign);
    assert!(matches!(read(&bytes[..40]), NetworkError::Length { found: 40, .. }));
    let cut = &bytes[..bytes.len() - 1];
    assert!(matches!(read(cut), NetworkError::Length { found, wanted } if found < wanted));
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(read(&longer), NetworkError::Length { .. }));
    let with = |place: usize, value: u16| {
        let mut bytes = bytes.clone();
        bytes[place..place + 2].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    assert_eq!(read(&with(12, 9)), NetworkError::Version { found: 9 });
    assert!(matches!(read(&with(14, 100)), NetworkError::Board { found: 100, .. }));
    for (place, value) in
        [(16, 768), (16, 3_078), (18, 33), (18, 0), (18, 2_048), (20, 0), (20, 9), (22, 256)]
    {
        let error = read(&with(place, value));
        assert!(matches!(error, NetworkError::Shape { .. }), "{place}: {error}");
    }
    // Every byte is part of the hash.
    for place in [26, 30, 60, 5_000, bytes.len() - 1] {
        let mut bytes = bytes.clone();
        bytes[place] ^= 2;
        assert!(matches!(read(&bytes), NetworkError::Hash { .. }), "{place}");
    }
    let error = Parameters::from_bytes::<crate::geometry::Board10x10>(&bytes).unwrap_err();
    assert!(error.to_string().contains("64 squares, but the 10x10 board has 100"), "{error}");
}

/// Checks that a file with a correct hash is rejected if its weights could overflow a sum.
#[test]
fn rejects_networks_that_can_overflow() {
    let good = parameters::<Board8x8>(32, 2, 1);
    let error_after = |change: &dyn Fn(&mut Parameters)| {
        let mut parameters = good.clone();
        change(&mut parameters);
        let bytes = parameters.to_bytes::<Board8x8>();
        Parameters::from_bytes::<Board8x8>(&bytes).err()
    };
    assert_eq!(error_after(&|net| net.output_weights[3] = i16::MIN), None);
    let sum = Some(NetworkError::OutputSum { output: 1 });
    assert_eq!(error_after(&|net| net.output_bias[1] = i32::MIN), sum);
    assert_eq!(error_after(&|net| net.output_bias[1] = i32::MAX), sum);
    // 31 pieces at 1,000, one right at 1,000 and a bias of 767 fill the accumulator exactly.
    let fill = |net: &mut Parameters, sign: i16, bias: i16| {
        let hidden = net.hidden;
        (0..inputs::<Board8x8>()).for_each(|input| net.input_weights[input * hidden + 5] = 0);
        (0..31).for_each(|square| net.input_weights[square * hidden + 5] = sign * 1_000);
        // Another piece on the same square adds nothing to the bound, and neither does a weight of the
        // opposite sign.
        net.input_weights[64 * hidden + 5] = sign * 900;
        net.input_weights[100 * hidden + 5] = sign * -30_000;
        net.input_weights[(3 * 768 + 2) * hidden + 5] = sign * 1_000;
        net.input_bias[5] = bias;
    };
    for sign in [1, -1] {
        let opposite = |net: &mut Parameters, bias: i16| {
            fill(net, sign, sign * bias);
            net.input_weights[100 * net.hidden + 5] = 0;
        };
        assert_eq!(error_after(&|net| opposite(net, 767)), None);
        let error = Some(NetworkError::Accumulator { neuron: 5 });
        assert_eq!(error_after(&|net| opposite(net, 768)), error);
        assert_eq!(error_after(&|net| fill(net, sign, -3_000 * sign)), error);
    }
}

/// Checks that the diagram shows the change of the position's value when a piece is removed, and no value for
/// kings.
#[test]
fn explain_shows_the_value_of_each_piece() {
    let net = network::<Board8x8>(64, 1);
    let here = position::<Board8x8>("r3k3/8/8/8/8/8/4P3/4K3 b q - 0 1", KingRight::Castling);
    let without = position::<Board8x8>("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", KingRight::Castling);
    let rook = evaluate(&net, &without, None) - evaluate(&net, &here, None);
    assert_eq!(evaluate(&net, &here, Square::parse("a8")), evaluate(&net, &without, None));
    let pawns = |value| f64::from(value) / 80.0;
    let text = explain(&net, &here, pawns);
    assert!(text.contains(&format!("{:+.2}", pawns(rook))), "{text}");
    let values = |text: &str| text.matches(['+', '-']).count();
    let kings = position("4k3/8/8/8/8/8/8/4K3 b - - 0 1", KingRight::Castling);
    let empty = explain(&net, &kings, pawns);
    assert!(values(&text) >= values(&empty) + 2, "{text}");
}
