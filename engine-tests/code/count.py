#!/usr/bin/env python3
"""Counts the code lines of the engine: python3 engine-tests/code/count.py [root]

A code line is a line that is neither blank nor a comment. For each top-level module of src/, the table shows
the lines of Rust and the lines of the page (JavaScript, HTML and CSS). Benchmarks and tests are not counted.
Tests are files named tests.rs or *_tests.rs, folders named tests, and items under #[cfg(test)] or
#[cfg(all(test, ...))]. If such an item declares a module, the files of the module are tests too.
"""
import re
import sys
from collections import Counter
from pathlib import Path

RUST_TOKEN = re.compile(
    r"""(?P<line>//[^\n]*)|(?P<block>/\*)|(?P<raw>\bb?r(?P<hashes>\#*)".*?"(?P=hashes))"""
    r"""|(?P<string>"(?:\\.|[^"\\])*")|(?P<char>'(?:\\(?:u\{\w+\}|x\w\w|.)|[^'\\\n])')""",
    re.DOTALL,
)
TEST_ITEM = re.compile(r"#\[cfg\((?:test|all\((?:[^\]]*,\s*)?test\s*(?:,[^\]]*)?\))\)\]")
ATTRIBUTE = re.compile(r"\s*#\[[^\]]*\]")
TEST_MODULE = re.compile(r"\s*(?:pub(?:\([a-z]+\))?\s+)?mod\s+(\w+)\s*;")
PAGE = {".js", ".html", ".css"}
PAGE_COMMENT = re.compile(r"^[ \t]*/\*.*?\*/|<!--.*?-->|^[ \t]*//[^\n]*", re.DOTALL | re.MULTILINE)


def keep_newlines(text, filler):
    return "".join("\n" if c == "\n" else filler if not c.isspace() else c for c in text)


def without_comments(text):
    """Replaces comments by spaces and strings by letters, so that every brace in the result is code."""
    out, at = [], 0
    while found := RUST_TOKEN.search(text, at):
        out.append(text[at : found.start()])
        end = found.end()
        if found["block"]:
            depth = 1
            while depth:
                mark = re.compile(r"/\*|\*/").search(text, end)
                depth += 1 if mark.group() == "/*" else -1
                end = mark.end()
        comment = found["line"] is not None or found["block"] is not None
        out.append(keep_newlines(text[found.start() : end], " " if comment else "x"))
        at = end
    return "".join(out) + text[at:]


def end_of_item(text, at):
    """Returns the end of the item that begins at `at`: the place after its `;`, `,` or closing brace."""
    while found := ATTRIBUTE.match(text, at):
        at = found.end()
    depth = 0
    for at in range(at, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
            if depth < 0:
                return at
            if depth == 0 and text[at] == "}":
                return at + 1
        elif text[at] in ";," and depth == 0:
            return at + 1
    return len(text)


def without_tests(text):
    """Removes test items from the text. Returns the text, and the names of the modules that the items
    declare."""
    modules, out, at = [], [], 0
    while found := TEST_ITEM.search(text, at):
        out.append(text[at : found.start()])
        at = end_of_item(text, found.end())
        if module := TEST_MODULE.match(text[found.end() : at]):
            modules.append(module[1])
    return "".join(out) + text[at:], modules


def code_lines(text):
    return sum(1 for line in text.splitlines() if line.strip())


def is_test(path):
    return path.name == "tests.rs" or path.stem.endswith("_tests") or "tests" in path.parts


def count(source):
    """Returns the numbers of code lines for each top-level module of src/: of Rust, and of the page."""
    rust, page, kept, tests = Counter(), Counter(), {}, set()
    for path in sorted(source.rglob("*")):
        module = path.relative_to(source).parts[0].removesuffix(".rs")
        if path.suffix == ".rs" and not is_test(path.relative_to(source)):
            kept[path], modules = without_tests(without_comments(path.read_text()))
            folder = path.parent if path.stem in ("mod", "lib", "main") else path.with_suffix("")
            tests.update(folder / name for name in modules)
        elif path.suffix in PAGE and path.is_file():
            page[module] += code_lines(PAGE_COMMENT.sub("", path.read_text()))
    for path, text in kept.items():
        if not any(path == test.with_suffix(".rs") or test in path.parents for test in tests):
            rust[path.relative_to(source).parts[0].removesuffix(".rs")] += code_lines(text)
    return rust, page


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    rust, page = count(root / "src")
    print(f"{'module':<14}{'Rust':>8}{'page':>8}")
    for module in sorted(rust | page):
        print(f"{module:<14}{rust[module]:>8}{page[module] or '':>8}")
    print(f"{'total':<14}{rust.total():>8}{page.total():>8}")


if __name__ == "__main__":
    main()
