# SPDX-License-Identifier: Apache-2.0
"""The package's targets: where their files are, and which need which."""
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def manifest():
    """What Package.swift declares, with all tests and the fuzzers."""
    command = ["swift", "package", "dump-package"]
    environment = os.environ | {"BATON_FUZZ": "none"}
    environment.pop("BATON_SUITES", None)
    return json.loads(subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout)


def folder_of(target):
    return target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{target['name']}"


def needed_by(target):
    """The names of what a target needs directly. Some are of other packages."""
    return {value[0] for dependency in target["dependencies"] for value in dependency.values() if value}


def closure(targets, name):
    """The names of a target and of all targets that it needs."""
    needs = {target["name"]: needed_by(target) for target in targets}
    found, left = set(), {name}
    while left:
        found |= left
        left = {each for known in left for each in needs[known] if each in needs} - found
    return found


def dependents(targets, changed):
    """The names of the targets that need one of these, and these."""
    found = set(changed)
    while more := {target["name"] for target in targets if target["name"] not in found and found & needed_by(target)}:
        found |= more
    return found
