#!/usr/bin/env python3
"""Checks the imports between files: python3 engine-tests/code/layers.py [root]

1. The engine does not import the tools or the command line: only `tools`, `cli` and the program
   (main.rs) may name `crate::tools` or `crate::cli`.
2. Files do not import each other in a cycle. An import of a re-exported name (`pub use`) counts as an
   import from the file that defines the name. Imports from the `mod.rs` of the same folder are allowed.

Tests and comments are ignored. Prints each violation. The exit status is 1 if there is a violation.
"""
import re
import sys
from pathlib import Path

from count import is_test, without_comments, without_tests

TOOLS = {"tools", "cli"}
USE = re.compile(r"(pub(?:\([^)]*\))?\s+)?\buse\s+([^;]+);")
ITEM = re.compile(
    r"\b(?:fn|struct|enum|trait|type|const|static|union|macro_rules!)\s+(?:mut\s+)?(\w+)"
)
MODULE = re.compile(r"\bmod\s+(\w+)\s*;")
INLINE = re.compile(r"\b((?:crate|super)(?:::\w+)+)")


def paths_of(tree):
    """Yields paths and names of a `use` declaration: (a::b, b) and (a::c::d, e) for `a::{b, c::d as e}`."""
    tree = tree.strip()
    if brace := re.match(r"((?:\w+::)*)\{(.*)\}$", tree, re.DOTALL):
        depth, part = 0, ""
        for letter in brace[2] + ",":
            depth += {"{": 1, "}": -1}.get(letter, 0)
            if letter == "," and depth == 0:
                if part.strip():
                    yield from ((brace[1] + path, name) for path, name in paths_of(part))
                part = ""
            else:
                part += letter
        return
    path, _, alias = (part.strip() for part in tree.partition(" as "))
    name = alias or path.split("::")[-1]
    if path.endswith("::self"):
        path = path.removesuffix("::self")
        name = alias or path.split("::")[-1]
    yield path, name


class File:
    def __init__(self, path, source):
        self.path = path
        parts = list(path.relative_to(source).with_suffix("").parts)
        if parts[-1] in ("mod", "lib", "main"):
            parts.pop()
        self.module = tuple(parts)
        text = path.read_text()
        self.text, _ = without_tests(without_comments(text))
        self.items = set(ITEM.findall(self.text))
        self.children = set(MODULE.findall(self.text))
        self.uses, self.reexports = [], {}
        for public, tree in USE.findall(self.text):
            for path, name in paths_of(tree):
                self.uses.append(path)
                if public:
                    self.reexports[name] = path
        self.uses += INLINE.findall(USE.sub("", self.text))


def absolute(path, module, modules):
    parts = path.split("::")
    if parts[0] == "crate":
        return parts[1:]
    base = list(module)
    while parts and parts[0] in ("super", "self"):
        if parts.pop(0) == "super":
            base.pop()
        if not parts:
            return base
    if path.startswith(("super", "self")):
        return base + parts
    # The path begins with a child module, as in `pub use clock::Clocks`, or with another crate.
    return base + parts if tuple(base + parts[:1]) in modules else None


def defined_in(parts, modules, seen=()):
    """Returns the module that defines the item at the end of a path. Follows re-exports."""
    module = ()
    for index, part in enumerate(parts):
        if module + (part,) in modules:
            module += (part,)
            continue
        file = modules[module]
        if part in file.reexports and part not in file.items and (module, part) not in seen:
            onward = absolute(file.reexports[part], module, modules)
            if onward is not None:
                rest = onward + parts[index + 1 :]
                return defined_in(rest, modules, (*seen, (module, part)))
        return module
    return module


def cycles(edges):
    """Returns the strongly connected components of more than one file (Tarjan's algorithm)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges[node]):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            found.append(stack[at:])
            del stack[at:]

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return [cycle for cycle in found if len(cycle) > 1]


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    source = root / "src"
    paths = [path for path in sorted(source.rglob("*.rs")) if path.name != "main.rs"]
    files = [File(path, source) for path in paths if not is_test(path.relative_to(source))]
    files = [file for file in files if not file.module[:1] == ("release",)]
    modules = {file.module: file for file in files}
    sys.setrecursionlimit(10_000)
    errors, edges = [], {file.module: set() for file in files}
    for file in files:
        for path in file.uses:
            parts = absolute(path, file.module, modules)
            if parts is None:
                continue
            if parts and parts[0] in TOOLS and file.module[:1] not in [(m,) for m in TOOLS]:
                errors.append(f"{file.path.relative_to(root)} imports {'::'.join(parts)}")
            target = defined_in(parts, modules)
            if target != file.module[: len(target)]:
                edges[file.module].add(target)
    for cycle in cycles(edges):
        errors.append("a cycle: " + ", ".join("::".join(module) for module in cycle))
        for module in cycle:
            to = ["::".join(other) for other in sorted(edges[module]) if other in cycle]
            errors.append(f"    {'::'.join(module)} uses {', '.join(to)}")
    print("\n".join(errors) or f"{len(files)} files: no cycles, and the engine does not import the tools")
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
