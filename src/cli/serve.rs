//! `aleator serve`: the page in the browser.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::interrupt;
use crate::system;
use crate::web::{self, Options};

/// Arguments of `aleator serve`.
#[derive(Args, Debug)]
pub(super) struct ServeArgs {
    /// The port on this machine; 0 takes one that is free.
    #[arg(long, default_value_t = 8960)]
    port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Where the games are kept; without it, `games` in the folder for the data of programs, or in
    /// the one that the variable ALEATOR_DATA names.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(super) fn run(arguments: &ServeArgs) -> anyhow::Result<()> {
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => system::data_folder()
            .context("this system names no folder for the data of programs: add --folder DIR")?
            .join("games"),
    };
    let options = Options { port: arguments.port, folder };
    web::serve(&options, |address, stopper| {
        interrupt::on_next(move || stopper.stop());
        println!("{address}");
        if arguments.open && open::that_detached(address).is_err() {
            eprintln!("aleator: no browser could be started; open {address} yourself");
        }
    })?;
    Ok(())
}
