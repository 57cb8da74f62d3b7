//! Tests of `aleator serve` over a real socket. `src/play/app/tests` tests whole games without a socket.
//!
//! | file | about |
//! | --- | --- |
//! | `client` | helper functions: the server process, requests, streams of events |
//! | `games` | starts, placement phases, dice, clocks, PGN, and what players may do when |
//! | `studies` | analysis, reviews, hints, assessments |
//! | `hostile` | requests that the page never sends |
//! | `life` | restarts, and listeners that disappear |

mod client;
mod games;
mod hostile;
mod life;
mod studies;
