//! Fuzzes network files. An input is a header and weights. The weights are repeated until the file has the
//! right length, and the hash is corrected. A network that is accepted must not overflow.
#![no_main]

use aleator::eval::nnue::{self, Network, NetworkError, Parameters};
use aleator::position::Position;
use aleator::rules::{BoardSize, Variant, on_board};
use libfuzzer_sys::fuzz_target;

/// The bytes of the file that contain the hash.
const HASH: std::ops::Range<usize> = 8..12;
/// The offset of the weights.
const HEADER: usize = 60;

fuzz_target!(|data: &[u8]| {
    for &board in BoardSize::ALL {
        on_board!(board, |G| {
            let _ = Parameters::from_bytes::<G>(data);
            let Some(numbers) = data.get(HEADER..).filter(|rest| !rest.is_empty()) else { return };
            let mut bytes = data.to_vec();
            if let Err(NetworkError::Length { wanted, .. }) = Parameters::from_bytes::<G>(data) {
                let more = numbers.iter().cycle().take(wanted.saturating_sub(data.len()));
                bytes.extend(more);
                bytes.truncate(wanted);
            }
            let hash = crc32fast::hash(&bytes[HASH.end..]);
            bytes[HASH].copy_from_slice(&hash.to_le_bytes());
            let Ok(parameters) = Parameters::from_bytes::<G>(&bytes) else { continue };
            let written = parameters.to_bytes::<G>();
            assert_eq!(Parameters::from_bytes::<G>(&written).as_ref(), Ok(&parameters));
            let network = Network::<G>::new(parameters).expect("the parameters have been checked");
            let variant = Variant::ALL.iter().find(|variant| variant.rules().board == board);
            let start =
                aleator::start::Start::standard(*variant.expect("each board has a variant"));
            let right = start.variant().rules().right;
            let position = Position::<G>::from_fen(&start.fen(), right).expect("a start");
            nnue::evaluate(&network, &position, None);
        });
    }
});
