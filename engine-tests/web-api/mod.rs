//! `aleator serve`, over a real socket.
//!
//! | file | about |
//! | --- | --- |
//! | `client` | the server as a process, requests, streams of events |
//! | `games` | every variant from the first die to the last move; the table's rights and duties |
//! | `studies` | analysis, reviews, hints, verdicts |
//! | `hostile` | requests that no page of ours sends |
//! | `life` | restarts, and listeners that vanish |

mod client;
mod games;
mod hostile;
mod life;
mod studies;
