#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which tests the gate leaves to the long ring: those of Tests/long-ring.

  ring.py units           prints a regular expression for the names of the Swift tests that the gate leaves out
  ring.py leaves AREA NAME   succeeds if the gate leaves this part of an area out
  ring.py check           fails if an entry is of no test, or has no reason

`make test` sets RING=gate, and `make test-all` RING=all. Without it, everything runs.
"""
import ast
import fnmatch
import functools
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "Tests/long-ring"
IS_GATE = os.environ.get("RING", "all") == "gate"
# The folders of the areas whose tests are in Python.
FOLDERS = {
    "integration": "Integration",
    "everyday": "Everyday",
    "faults": "Faults",
}
# Those whose parts are named in a script.
SCRIPTS = {"package": "run-package", "distribution": "run-distribution"}
AREAS = ("units", *FOLDERS, *SCRIPTS)


class Malformed(Exception):
    """The list cannot be read."""


@functools.cache
def entries():
    """The list's lines as (line number, area, pattern, reason)."""
    found = []
    reason = ""
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        if not line.strip():
            reason = ""
        elif line.startswith("#"):
            reason = f"{reason} {line[1:].strip()}".strip()
        else:
            words = line.split()
            if len(words) != 2 or words[0] not in AREAS:
                raise Malformed(f"{LIST.name}:{number}: write AREA PATTERN; the areas are {', '.join(AREAS)}")
            found.append((number, *words, reason))
    return found


def patterns(area):
    return [pattern for _, of, pattern, _ in entries() if of == area]


def is_left_out(area, name, lab=""):
    """Whether the gate leaves out a test, such as `test_streams.StreamTests.test_tar` (in this lab)."""
    name = name.removeprefix("test_")
    return IS_GATE and any(fnmatch.fnmatchcase(name, each) or fnmatch.fnmatchcase(f"{name}@{lab}", each) for each in patterns(area))


def expression(area):
    """A regular expression that finds the names of Swift tests in the long ring: `Target.Suite/test()`."""
    return "|".join(f"^{re.escape(pattern).replace(chr(92) + '*', '.*')}(/|[(]|$)" for pattern in patterns(area))


def python_classes(path):
    return {node.name: node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)}


def python_tests(folder):
    """The names of the folder's tests, as the list writes them, without running anything."""
    modules = [path for path in sorted((ROOT / "Tests" / folder).glob("*.py")) if not path.name.startswith("test_")]
    beside = {name: node for path in modules for name, node in python_classes(path).items()}
    for path in (ROOT / "Tests" / folder).glob("test_*.py"):
        module = path.stem.removeprefix("test_")
        classes = python_classes(path)
        # Tests that several modules have are inherited from a module beside them.
        known = {**beside, **classes}
        for name in classes:
            # Some classes get their tests while they are loaded, or from other modules.
            yield f"{module}.{name}."
            related = [name]
            for relative in related:
                node = known[relative]
                related += [base.id for base in node.bases if isinstance(base, ast.Name) and base.id in known]
                for method in node.body:
                    if isinstance(method, ast.FunctionDef) and method.name.startswith("test"):
                        yield f"{module}.{name}.{method.name}"


def swift_tests():
    """Words that are the names of suites and tests: enough to find an entry that is of nothing any more."""
    for path in (ROOT / "Tests").glob("*Tests/**/*.swift"):
        target = path.relative_to(ROOT / "Tests").parts[0]
        text = path.read_text()
        for suite in re.findall(r"\b(?:struct|class|extension|enum|actor) (\w+)", text):
            yield target, suite
        for test in re.findall(r"\bfunc (\w+)", text):
            yield target, test


def check():
    complaints = []
    known = {area: sorted(python_tests(folder)) for area, folder in FOLDERS.items()}
    words = set(swift_tests())
    for number, area, pattern, reason in entries():
        place = f"{LIST.relative_to(ROOT)}:{number}"
        if not reason:
            complaints.append(f"{place}: say above it why it is in the long ring")
        if area == "units":
            target, _, rest = pattern.partition(".")
            parts = [part for part in re.split(r"[/()]", rest) if part and part != "*"]
            if not parts or not all((target, part) in words for part in parts):
                complaints.append(f"{place}: there is no {pattern}")
            continue
        if area in SCRIPTS:
            if f"leaves {area} {pattern};" not in (ROOT / "Scripts" / SCRIPTS[area]).read_text():
                complaints.append(f"{place}: {SCRIPTS[area]} has no part {pattern}")
            continue
        name = pattern.partition("@")[0]
        if not any(fnmatch.fnmatchcase(test, name) or (test.endswith(".") and test == name.rstrip("*")) for test in known[area]):
            complaints.append(f"{place}: there is no {name}")
    print(*complaints, sep="\n", end="\n" if complaints else "")
    return 1 if complaints else 0


def main(arguments):
    try:
        match arguments:
            case ["units"]:
                print(expression("units") if IS_GATE else "")
                return 0
            case ["leaves", area, name] if area in AREAS:
                return 0 if is_left_out(area, name) else 1
            case ["check"]:
                return check()
    except Malformed as error:
        print(error)
        return 1
    print(__doc__, file=sys.stderr)
    return 64


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
