//! `aleator serve`, over a real socket. Whole games are played without one in `src/play/app/tests.rs`.
//!
//! | file | about |
//! | --- | --- |
//! | `client` | the server as a process, requests, streams of events |
//! | `games` | starts, set-ups, dice, clocks, PGN; the table's rights and duties |
//! | `studies` | analysis, reviews, hints, assessments |
//! | `hostile` | requests that no page of ours sends |
//! | `life` | restarts, and listeners that vanish |

mod client;
mod games;
mod hostile;
mod life;
mod studies;
