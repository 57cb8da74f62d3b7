//! `aleator serve`: serves the web page on this machine.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;

use super::interrupt;
use crate::system;
use crate::web::{self, Options, ServeError};

/// Arguments of `aleator serve`.
#[derive(Args, Debug)]
pub(super) struct ServeArgs {
    /// Port of this machine at which the page is served. 0 chooses a free port.
    #[arg(long, default_value_t = 8960)]
    port: u16,
    /// Also open the page in the default browser.
    #[arg(long)]
    open: bool,
    /// Folder in which games are saved [default: `games` in the folder named by the environment variable
    /// ALEATOR_DATA, or else in Aleator's folder for user data].
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(super) fn run(arguments: &ServeArgs) -> anyhow::Result<()> {
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => system::data_folder()
            .context("this system has no folder for user data: add --folder DIR")?
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
