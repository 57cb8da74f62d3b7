//! `aleator book verify`: checks opening books and suites.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use crate::book::{Book, LARGEST, is_polyglot};
use crate::files;
use crate::rules::Variant;
use crate::tools::book::verify;

/// Arguments of `aleator book verify`.
#[derive(Args, Debug)]
pub(super) struct VerifyArgs {
    /// Books and suites in EPD format, or Polyglot books (`.bin`). Of Polyglot books, only the structure
    /// is checked.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Variant of the books and suites.
    #[arg(long, value_name = "VARIANT", default_value = "chess")]
    variant: Variant,
}

pub(super) fn run(arguments: &VerifyArgs) -> anyhow::Result<()> {
    let mut bad = 0;
    for path in &arguments.files {
        let name = path.display();
        if is_polyglot(path) {
            let Book::Polyglot(book) = Book::open(path, arguments.variant)? else { continue };
            println!("{name}: {} entries, sorted by key", book.count());
            continue;
        }
        let report = verify(&files::read(path, LARGEST)?, arguments.variant);
        let text = report.to_string();
        text.lines().for_each(|line| println!("{name}: {line}"));
        bad += usize::from(report.errors() > 0 || report.positions == 0);
    }
    match bad {
        0 => Ok(()),
        1 => bail!("1 file has errors or contains no positions"),
        _ => bail!("{bad} files have errors or contain no positions"),
    }
}
