//! Serves the files of the page, which are embedded in the program.
use std::path::Path;

use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};

use crate::play::app;

/// All files of the page.
static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/web/page");

/// The puzzles, one file for each game.
static PUZZLES: Dir = include_dir!("$CARGO_MANIFEST_DIR/book/puzzles");
/// The folder of the puzzles in addresses.
const PUZZLE_FOLDER: &str = "puzzles/";

/// The environment variable that names a folder with the files of the page. Development builds read the files
/// from this folder for each request, so that changes are visible at once.
const FOLDER: &str = "ALEATOR_PAGE";

/// Returns the media type of a file.
fn kind(name: &str) -> &'static str {
    match Path::new(name).extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("txt" | "epd" | "md") => "text/plain; charset=utf-8",
        Some("gz") => "application/gzip",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

/// Returns the contents of a file in the folder that [`FOLDER`] names, if the file exists.
fn fresh(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os(FOLDER).filter(|_| cfg!(debug_assertions))?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    let is_name = name.bytes().all(is_plain) && !name.starts_with('.');
    std::fs::read(Path::new(&folder).join(name)).ok().filter(|_| is_name)
}

/// Returns the name of the requested file, or `None` if the request is not for a file of the page.
pub(super) fn name<'a>(method: &Method, path: &'a str) -> Option<&'a str> {
    let name = match path.strip_prefix('/')? {
        "" => Some("index.html"),
        path if path.starts_with(PUZZLE_FOLDER) => Some(path),
        path => path.strip_prefix("page/"),
    };
    name.filter(|_| matches!(*method, Method::GET | Method::HEAD))
}

/// Returns a response with a file, or with the status 304 if the browser's copy of the file is current.
pub(super) fn file(name: &str, headers: &HeaderMap) -> Response {
    let embedded = || {
        let file = match name.strip_prefix(PUZZLE_FOLDER) {
            Some(name) => PUZZLES.get_file(name)?,
            None => FILES.get_file(name)?,
        };
        Some(file.contents().to_vec())
    };
    let Some(bytes) = fresh(name).or_else(embedded) else {
        let name = crate::text::shorten(name);
        let sentence = format!("the page has no file '{name}'");
        return app::Response::refusal(404, sentence).into_response();
    };
    let tag = format!("\"{:08x}-{:x}\"", crc32fast::hash(&bytes), bytes.len());
    let has_it = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    // With `no-cache`, browsers check their copies on each request, so that a new build takes effect at once.
    let headers = [
        (header::CONTENT_TYPE, kind(name).to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    if has_it {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, bytes).into_response()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use include_dir::File;

    use super::*;
    use crate::analysis::{Puzzle, PuzzleError};
    use crate::rules::HAS_BOARD_10X10;

    #[test]
    fn every_file_has_a_media_type() {
        for file in FILES.files().chain(PUZZLES.files()) {
            let name = file.path().to_str().unwrap();
            assert_ne!(kind(name), "application/octet-stream", "{name}");
        }
    }

    #[test]
    fn the_page_is_small() {
        let size: usize = FILES.files().map(|file| file.contents().len()).sum();
        assert!(size < 330_000, "{size} bytes");
    }

    #[test]
    fn every_game_has_many_puzzles_that_can_be_solved() {
        let is_epd = |file: &&File| file.path().extension().is_some_and(|end| end == "epd");
        let mut names = HashSet::new();
        for file in PUZZLES.files().filter(is_epd) {
            let name = file.path().file_stem().unwrap().to_str().unwrap();
            let lines: Vec<&str> = file.contents_utf8().unwrap().lines().collect();
            assert!(lines.len() >= 100, "{name}: {}", lines.len());
            for line in lines {
                let puzzle = match Puzzle::read(line) {
                    // This build lacks the variant's board.
                    Err(PuzzleError::Variant(_)) if !HAS_BOARD_10X10 => continue,
                    puzzle => puzzle.unwrap_or_else(|error| panic!("{line}: {error}")),
                };
                assert_eq!(Ok(puzzle.game.variant()), name.parse(), "{line}");
                assert!(!puzzle.game.in_check() && puzzle.name.starts_with(name), "{line}");
                assert!(names.insert(puzzle.name), "{line}: the name occurs twice");
            }
        }
        assert_eq!(PUZZLES.files().filter(is_epd).count(), 8);
    }
}
