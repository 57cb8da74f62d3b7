//! Tests of `aleator serve` over a real socket. Whole games are played without one in
//! `src/play/app/tests.rs`.
//!
//! | file | about |
//! | --- | --- |
//! | `client` | the server as a process, requests, streams of events |
//! | `games` | starts, setups, dice, clocks, PGN; what players may do and when |
//! | `studies` | analysis, reviews, hints, assessments |
//! | `hostile` | requests that the page never sends |
//! | `life` | restarts, and listeners that disappear |

mod client;
mod games;
mod hostile;
mod life;
mod studies;
