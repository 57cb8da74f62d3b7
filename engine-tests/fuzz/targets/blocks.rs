//! Fuzzes blocks of training games: arbitrary bytes, and arbitrary records in a block with a valid checksum.
#![no_main]

use aleator::rules::{BoardSize, on_board};
use aleator::tools::data::{
    BlockReadError, BlockReader, BlockWriter, Filter, MAGIC, StoredGame, UNPACKED, VERSION,
};
use libfuzzer_sys::fuzz_target;

/// Reads all blocks and counts the games. Each intact unpacked block, written again, must give the same
/// bytes.
fn read(bytes: &[u8]) -> usize {
    let (mut reader, mut games) = (BlockReader::new(bytes), 0);
    loop {
        let block = match reader.next_block() {
            Ok(None) => return games,
            Ok(Some(block)) => block,
            Err(BlockReadError::Damage(damage)) => {
                assert!(damage.skipped > 0);
                continue;
            }
            Err(BlockReadError::Io(error)) => panic!("{error}"),
        };
        let whole = &bytes[block.offset as usize..block.end() as usize];
        let mut writer = BlockWriter::new(Vec::new(), block.board, u16::MAX).in_version(UNPACKED);
        for game in block.games() {
            games += 1;
            replay(&game, block.board);
            assert_eq!(StoredGame::read(game.bytes()), Some(game));
            writer.push(block.set, game.bytes()).expect("writing to a vector cannot fail");
        }
        let written = writer.finish().expect("writing to a vector cannot fail");
        assert!(written == whole || written.is_empty() || whole[MAGIC.len()] == VERSION);
    }
}

fn replay(game: &StoredGame, board: BoardSize) {
    on_board!(board, |G| {
        let Ok(samples) = game.replay::<G>(Filter::SEARCHED) else { return };
        for sample in samples.map_while(Result::ok) {
            assert!(sample.position.is_legal(sample.mv));
        }
    });
}

fuzz_target!(|data: &[u8]| {
    read(data);
    // Inside a damaged record the reader looks for the next block, so a magic number there would change the
    // count.
    if data.windows(MAGIC.len()).any(|window| window == MAGIC) {
        return;
    }
    for &board in BoardSize::ALL {
        for version in [UNPACKED, VERSION] {
            let mut writer = BlockWriter::new(Vec::new(), board, 1).in_version(version);
            writer.push(1, data).expect("writing to a vector cannot fail");
            let games = read(&writer.finish().expect("writing to a vector cannot fail"));
            let game = StoredGame::read(data).filter(|game| game.component.board() == board);
            assert_eq!(games, game.iter().count());
        }
    }
});
