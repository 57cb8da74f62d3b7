#!/usr/bin/env python3
"""Checks the words we use: python3 engine-tests/code/words.py [root]

1. Comments, messages, the page's text and the documents avoid the words and phrases of WORDS.
2. Each Rust file in src/ that is not a test begins with a `//!` line that says what it is for.

Identifiers, strings of one word, `inline code`, code blocks and quotations are ignored. Prints each finding
as `file:line: phrase -> better`. The exit status is 1 if there is a finding.
"""
import os
import re
import sys
from pathlib import Path

from count import is_test

# Regular expressions of whole words, and what to write instead. A space stands for any white space.
WORDS = {
    # Words.
    r"man(?! pages?\b)|men": "piece, pieces",
    r"set-ups?": "setup (noun), set up (verb)",
    r"setting[- ]up phase": "placement phase",
    r"start(?:ing)? arrays?": "starting position, back rank",
    r"in force": "current, default",
    r"(?<!page\s)(?<!segmentation\s)faults?|faulty": "bug, error, wrong",
    r"mend(?:s|ed|ing)?": "fix",
    r"so many(?! that\b)": "the number itself, or N",
    r"(?:pass|passes|passed|passing) over": "skip",
    r"throw[sn]? (?:\w+ )?(?:dice|die)|(?:dice|die) (?:\w+ )?thrown": "roll",
    r"second looks?": "re-search",
    r"fad(?:e|es|ed|ing)": "scale down with the halfmove clock",
    r"told apart": "distinguished",
    r"set apart": "held out, validation set",
    r"by heart": "overfitted, memorised",
    r"fore(?:see|sees|saw|seen|seeing)": "predict",
    r"beside": "next to, compared with",
    r"opinions?": "score, evaluation",
    r"(?:the|its|their|a|of) worth": "value",
    r"of mine|one's own": "the user's",
    r"bettered": "improved",
    r"thousandths? of a second": "milliseconds",
    # Sentences.
    r"(?<!there\s)(?:is|are|was|were) no(?! (?:longer|more|less|fewer|better|worse|different)\b)": "is not a",
    r"what is (?:(?!(?:and|as|if|it|that|until|when|where|which) )[^\s.?:;,\0]+ ){1,5}is": "the subject first",
    r"(?-i:Who) \w+[^.?\0]* (?:is|are|has|have|needs?|sees?|may|must|can|gets?|loses?|wins?) [^.?\0]*\.":
        "the subject first",
    r"whoever|whosoever": "the subject first",
    r"such of (?:today|before|these|those)|of (?:before|today)": "earlier, present",
    r"to be had|be had": "available, fails",
    r"go(?:es)? on (?:from|where|with)": "continues, resumes",
    r"the one that": "the noun",
}

# The places where a phrase of WORDS is correct: (path, phrase, reason).
EXCEPTIONS = [
    ("src/tablebase/mod.rs", "man", "the name of Ronald de Man"),
    ("src/tools/arena/pgn.rs", "fault", "the PGN tag of earlier matches, which can be resumed"),
]
ALLOWED = {(path, phrase) for path, phrase, _ in EXCEPTIONS}

# The files that are not checked: the diary of experiments, and the list of words.
EXEMPT = {"benches/log.md", "engine-tests/code/words.py"}
SKIPPED_FOLDERS = {".git", "target", "node_modules"}

STRING = r'"(?:\\.|[^"\\])*"'
C_COMMENT = r"//[^\n]*|/\*.*?\*/"
# The text of named groups is checked. The other alternatives only skip code that could look like a comment or
# string.
TOKENS = {
    "rust": rf"""(?P<comment>{C_COMMENT})|(?P<string>{STRING})|\bb?r(?P<hashes>\#*)(?P<raw>".*?")(?P=hashes)"""
    r"""|'(?:\\(?:u\{\w+\}|x\w\w|.)|[^'\\\n])'""",
    "javascript": rf"""(?P<comment>{C_COMMENT})|(?P<string>{STRING}|'(?:\\.|[^'\\\n])*')"""
    r"""|(?P<raw>`(?:\\.|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|[^`\\])*`)"""
    r"""|(?:[=(,:\[!&|?{};]|return)\s*/(?![*/])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n\\\[])+/""",
    "css": r"(?P<comment>/\*.*?\*/)",
    "html": r"<!--(?P<comment>.*?)-->|<(script|style)\b.*?</(?:script|style)>"
    r"""|\b(?:alt|aria-label|placeholder|title)=(?P<string>"[^"]*")|(?<=>)(?P<text>[^<]+)""",
    "python": rf"""(?P<comment>\#[^\n]*)|(?P<raw>\"\"\".*?\"\"\")|(?P<string>{STRING}|'(?:\\.|[^'\\\n])*')""",
    "hash": r"""(?:^|(?<=\s))(?P<comment>\#[^\n]*)|\b(?:echo|description =) (?P<string>"[^"\n]*")""",
    "markdown": r"(?:^|(?<=\n))[ ]*(?:(?P<fence>```|~~~).*?\n[ ]*(?P=fence)|>[^\n]*)|\]\([^)]*\)|<[^>]*>"
    r"|(?P<text>[^\n\]<]+)",
}
TOKENS = {kind: re.compile(token, re.DOTALL) for kind, token in TOKENS.items()}
KINDS = {
    ".rs": "rust", ".c": "rust", ".js": "javascript", ".ts": "javascript", ".css": "css", ".html": "html",
    ".hbs": "html", ".py": "python", ".sh": "hash", ".sbatch": "hash", ".toml": "hash", ".dict": "hash",
    ".md": "markdown", "Makefile": "hash", "run": "hash",
}
COMMENT_MARK = re.compile(r"^[ \t]*(?://[/!]?|/\*+|\*+/?|\#+!?)|\*+/$", re.MULTILINE)
# Code inside comments and strings: code blocks, inline code, {placeholders} and "keys":.
INLINE_CODE = re.compile(
    r"```[^\0]*?```|`[^`\0\n]*\n?[^`\0\n]*`|\$\{[^{}]*\}|\{\w*(?::[^{}\s]*)?\}|\\?\"[\w-]+\\?\":"
)
PHRASES = [
    (re.compile(rf"(?<![\w-])(?:{phrase})(?![\w-])".replace(" ", r"\s+"), re.IGNORECASE), better)
    for phrase, better in WORDS.items()
]


def code(text):
    """Replaces code by its line breaks. Unless the text is white space, a NUL is added, which no phrase
    matches."""
    return ("\0" if text.strip() else "") + "\n" * text.count("\n")


def prose(text, token):
    """Returns the text with the code removed. The line breaks remain, so lines keep their numbers."""
    out, at = [], 0
    for found in token.finditer(text):
        out.append(code(text[at : found.start()]))
        groups, whole = found.groupdict(), found.group()
        string = groups.get("string") or groups.get("raw")
        if groups.get("comment") or groups.get("text"):
            out.append(COMMENT_MARK.sub("", whole) if groups.get("comment") else whole)
        elif string and re.search(r"\S\s+\S", string):
            # A backslash at the end of a line continues a Rust string.
            out.append("\0" + string.replace("\\\n", "\n").replace("\\n", " \0") + "\0")
        else:
            out.append(code(whole))
        at = found.end()
    joined = "".join(out) + code(text[at:])
    return INLINE_CODE.sub(lambda found: code(found.group()), joined)


def files(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
        for path in (Path(folder, name) for name in sorted(names)):
            kind = KINDS.get(path.suffix or path.name)
            if kind and path.relative_to(root).as_posix() not in EXEMPT:
                yield path, kind


def findings(root):
    for path, kind in files(root):
        name, text = path.relative_to(root).as_posix(), path.read_text()
        words = prose(text, TOKENS[kind])
        for phrase, better in PHRASES:
            for found in phrase.finditer(words):
                said = " ".join(found.group().split())
                if (name, said.lower()) not in ALLOWED:
                    yield name, words.count("\n", 0, found.start()) + 1, f"{said} -> {better}"
        in_source = name.startswith("src/") and not is_test(Path(name))
        if path.suffix == ".rs" and in_source and not re.search(r"^//!", text, re.MULTILINE):
            yield name, 1, "no `//!` line that says what the file is for"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    found = sorted(findings(root))
    for name, line, what in found:
        print(f"{name}:{line}: {what}")
    print(f"{len(found)} findings")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
