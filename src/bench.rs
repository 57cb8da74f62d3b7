//! `bench`: searches fixed positions of both boards.
//!
//! The number of nodes is a signature: it changes whenever the search or the evaluation changes. OpenBench
//! scales time controls by the speed in nodes per second.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::engine::nodes_per_second;
use crate::eval::nnue::Network;
use crate::geometry::{BOARDS, Board};
use crate::host::Instant;
use crate::position::Position;
use crate::rules::{BoardSize, KingRight, on_board};
use crate::search::tt::TranspositionTable;
use crate::search::{Control, Limits, Pool, PoolError, SearchContext, TimeManager};

/// The default depth, in plies.
pub const DEPTH: u32 = 13;
/// The default size of the hash table, in MiB.
const HASH: usize = 16;

/// The parameters of a bench.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The limits of each position's search.
    pub limits: Limits,
    /// The size of the hash table, in MiB.
    pub hash: usize,
    /// The number of threads. The node count is a signature only with one thread.
    pub threads: usize,
}

impl Settings {
    /// Returns the settings of a bench to `depth` plies, with one thread and the default hash size.
    pub fn to_depth(depth: u32) -> Settings {
        Settings { limits: Limits::depth(depth), hash: HASH, threads: 1 }
    }

    /// Returns whether the bench has a depth limit of at most the default depth.
    pub fn is_short(&self) -> bool {
        self.limits.depth.is_some_and(|depth| depth <= DEPTH)
    }
}

/// Positions of the 8x8 board: starting positions, openings and middlegames of Chess960, and endgames,
/// from Aleator's own games and from perft suites.
pub const POSITIONS_8X8: [&str; 18] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "nnrbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w KQkq - 0 1",
    "brkbnrnq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNQRN w GCfb - 0 1",
    "2r2knr/pb1q1p2/nppp2p1/4p1bp/PP2P3/2P2PP1/B2PN2P/BNRQ1K1R w HChc - 9 21",
    "1r2k1rq/n1p2p2/4ppn1/3p1b1p/pP1P1Q2/b1p2P1P/PN2P1P1/BR1BK1R1 w GBgb - 0 20",
    "br2qkr1/ppbppp2/3n2n1/1P4pp/2p2N1P/6N1/PBPPPPP1/1R1BQKR1 w KQkq - 1 8",
    "1b1r1kqr/2pppp2/3n1npp/pp1b4/P2P4/7P/1PP1PPPQ/BBNRNK1R b KQkq - 1 8",
    "rk1r4/2p1qnbB/p1b5/3pPQp1/p2P1P2/6N1/PP3NPn/2RK1R2 w FCda - 4 22",
    "q1krbnrn/3pppp1/3b3p/ppp5/1P2P3/2P5/P2PNPPP/QBRKB1RN b KQ - 0 7",
    "1qbr2r1/2b1ppk1/P2p2p1/1pp4p/B3PP2/N1P3P1/P2B1N1R/3KR3 b - - 0 26",
    "b1r2k1r/ppbBqp2/3p4/2p1p1pp/1P1BPPn1/P6N/2PPQNPP/2R2K1R b HChc - 2 11",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5pk1/4p1p1/7p/R6P/5PP1/1r4K1/8 w - - 4 41",
    "8/8/1p1k2p1/p1p2p1p/P1P2P1P/1P1K2P1/8/8 w - - 0 50",
    "4q3/bN2r3/3n1pkp/p1Pp4/3P1pP1/QPP4P/5K2/2B3R1 b - - 4 36",
    "6k1/1b3ppp/8/3B4/1n6/5N2/r4PPP/3R2K1 w - - 0 30",
    "4k3/8/8/8/8/8/4P3/2B1K1N1 w - - 0 1",
];

/// Positions of the 10x10 board.
pub const POSITIONS_10X10: [&str; 10] = [
    "10/1rnbqkbnr1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1RNBQKBNR1/10 w KQkq - 0 1",
    "10/1qnbrknrb1/1pppppppp1/10/10/10/10/1PPPPPPPP1/1QNBRKNRB1/10 w HEhe - 0 1",
    "3q1b4/1b1r1krn2/2pp1p2p1/1p2p1pp1n/10/4PP2P1/10/1PPP2PPN1/1B1R1KR3/3Q1BN3 b GDgd - 2 13",
    "3b1qn3/1r1b2kr2/2ppp1p3/1pn2p1pp1/10/10/1PPPP1PB2/5PQPP1/BR1N2KR2/6N3 w HBhb - 2 14",
    "5bn3/2r2k1r2/2n1p2p2/3p1p1qp1/1pp1b1P3/1B2P3P1/1P1P1BQ2N/2P2PP3/2R2K1R2/5N4 w KQkq - 1 20",
    "2n1n1b3/1Bk5r1/4pp1pp1/1p8/2ppQ5/2P2pPP2/1b6Pq/4PPB3/1RK5R1/5N4 b KQk - 0 21",
    "5nkbr1/R2q1b4/1r2p1pp2/2pn1p2p1/1p1p6/1P1B6/3P1P4/2P1P1PPPN/5B3K/Q1N5R1 w - - 2 18",
    "4bbr2r/1n8/3pn3p1/3kp1pq2/p1p2p1p2/2P1BP2Q1/N3PNP1P1/RP5P2/2K7/1R8 b - - 1 37",
    "10/10/3k1p4/2p3p3/2P3P3/4P5/5K4/10/10/10 w - - 0 60",
    "10/3k6/2r1p5/3p6/3P1P4/2R1K5/10/10/10/10 w - - 0 40",
];

/// The result of a bench. Displayed as `N nodes M nps`, which OpenBench parses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total {
    pub nodes: u64,
    pub time: Duration,
}

impl Total {
    fn add(&mut self, other: Total) {
        self.nodes += other.nodes;
        self.time += other.time;
    }

    /// Returns the nodes per second.
    pub fn speed(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.speed())
    }
}

/// Searches all positions. `networks` holds the network file of each board, or `None` for the built-in network.
/// Reports a line for each position and each board. Returns `None` if the bench was stopped.
pub fn run(
    settings: &Settings,
    networks: &[Option<Arc<[u8]>>; BOARDS],
    control: &Control,
    report: &mut dyn FnMut(String),
) -> Option<Total> {
    let mut total = Total::default();
    for &board in BoardSize::ALL {
        let (fens, file) = (positions(board), networks[board as usize].as_deref());
        total.add(on_board!(board, |G| run_board::<G>(fens, file, settings, control, report))?);
    }
    Some(total)
}

/// Returns the positions of a board.
pub const fn positions(board: BoardSize) -> &'static [&'static str] {
    let of_boards: [&[&str]; BOARDS] = [&POSITIONS_8X8, &POSITIONS_10X10];
    of_boards[board as usize]
}

/// Runs the bench of one board, with the network of this file or the built-in one. Clears the transposition
/// table and the histories before each position.
pub fn run_board<G: Board>(
    fens: &[&str],
    network: Option<&[u8]>,
    settings: &Settings,
    control: &Control,
    report: &mut dyn FnMut(String),
) -> Option<Total> {
    let mut total = Total::default();
    let Settings { threads, hash, .. } = *settings;
    let network = match network.map(Network::<G>::from_bytes).transpose() {
        Ok(network) => network,
        Err(error) => {
            report(format!("bench: {error}"));
            return Some(total);
        }
    };
    let (Ok(mut pool), Ok(table)) = (new_pool(threads, network), TranspositionTable::new(hash))
    else {
        report(format!("bench: not enough memory for {threads} threads and {hash} MiB of hash"));
        return Some(total);
    };
    for fen in fens {
        let position = match Position::from_fen(fen, KingRight::Castling) {
            Ok(position) => position,
            Err(error) => {
                report(format!("bench: {fen}: {error}"));
                continue;
            }
        };
        pool.clear();
        table.clear();
        let one = search(&mut pool, &table, &position, &settings.limits, control);
        if control.stop.load(Relaxed) {
            return None;
        }
        report(format!("{:>10} nodes  {fen}", one.nodes));
        total.add(one);
    }
    report(format!("{}: {total}", G::NAME));
    Some(total)
}

/// Creates search threads with this network, or with the built-in network.
fn new_pool<G: Board>(threads: usize, network: Option<Network<G>>) -> Result<Pool<G>, PoolError> {
    let mut pool = Pool::new(threads)?;
    network.map(|network| pool.set_network(&Arc::new(network))).transpose()?;
    Ok(pool)
}

fn search<G: Board>(
    pool: &mut Pool<G>,
    table: &TranspositionTable,
    root: &Position<G>,
    limits: &Limits,
    control: &Control,
) -> Total {
    let began = Instant::now();
    let time = TimeManager::new(limits, root.side_to_move(), began, Duration::ZERO);
    let context = SearchContext::new(table, limits, &time, control);
    let outcome = pool.search(&context, root, &[]);
    Total { nodes: outcome.nodes, time: began.elapsed() }
}
