//! `aleator serve`: serves the web page.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;

use super::interrupt;
use crate::system;
use crate::web::{self, Options, ServeError};

/// Arguments of `aleator serve`.
#[derive(Args, Debug)]
pub(super) struct ServeArgs {
    /// The port on this machine; 0 chooses a free one.
    #[arg(long, default_value_t = 8960)]
    port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// The folder of the games. By default it is `games` in the data folder for programs, or in the
    /// folder named by the variable ALEATOR_DATA.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(super) fn run(arguments: &ServeArgs) -> anyhow::Result<()> {
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => system::data_folder()
            .context("this system has no data folder for programs: add --folder DIR")?
            .join("games"),
    };
    let options = Options { port: arguments.port, folder };
    let served = web::serve(&options, |address, stopper| {
        interrupt::on_next(move || stopper.stop());
        println!("{address}");
        if arguments.open && open::that_detached(address).is_err() {
            eprintln!("aleator: no browser could be started; open {address} yourself");
        }
    });
    served.map_err(|error| match error {
        ServeError::Port { .. } => anyhow!("{error}; use --port 0 for a free port"),
        error => error.into(),
    })
}
