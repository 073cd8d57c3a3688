# SPDX-License-Identifier: Apache-2.0
"""What has passed with the same inputs, and need not run again in the gate.

The inputs of tests from outside are the programs, and all files but the sources, unit tests and documents. Those of a target's
unit tests are its sources and those of all that it needs, and all files but other targets', documents and those of tests from
outside. Those of the plugins are their own files and tests. The installed packages and the kernel count in all. `make test-all`
and FRESH=1 run everything.
"""
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess

import ring
import targets

ROOT = targets.ROOT
STAMPS = ROOT / ".build/passed"
# Nothing but the check looks at these. Unit tests compare Reasons.md with the programs.
DOCUMENTS = re.compile(r"(README|CONTRIBUTING|CHANGELOG|SECURITY|LICENSE)|Documentation/(?!guide/Reasons\.md).*\.md$|Documentation/pictures/|\.editorconfig|\.git|\.devcontainer|Containerfile")
OUTSIDE = re.compile(r"Tests/(Integration|Everyday|Systemd|Faults|Package|Firewall|Upgrade|Plugins|Varlink)/")
PLUGINS = re.compile(r"(WebExtension|Editors|Tests/Plugins)/|Scripts/(run-plugins|packages)$")
# Those that `make programs` builds.
PROGRAMS = ("batond", "baton", "baton-clipboard", "MonkeyBrowser", "handoff-app", "stream-app", "varlink-certification", "benchmark", "costs")


@functools.cache
def is_used():
    if not ring.IS_GATE or os.environ.get("FRESH") == "1":
        return False
    return subprocess.run(["git", "-C", ROOT, "rev-parse"], stderr=subprocess.DEVNULL).returncode == 0


@functools.cache
def machine():
    packages = subprocess.run(["dpkg-query", "-W"], capture_output=True)
    return packages.stdout + repr(os.uname()[1:]).encode()


def digest_of(path):
    if path.is_symlink():
        return os.readlink(path)
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@functools.cache
def files():
    """The digest of each file of the work tree that git does not ignore, by its path."""
    command = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\0")
    return {name: digest_of(ROOT / name) for name in sorted(set(names)) if name and os.path.lexists(ROOT / name)}


@functools.cache
def declared():
    return targets.manifest()["targets"]


@functools.cache
def owners():
    """The target of each file that belongs to one."""
    folders = {targets.folder_of(target) + "/": target["name"] for target in declared()}
    by_length = sorted(folders, key=len, reverse=True)
    found = {name: next((folder for folder in by_length if name.startswith(folder)), None) for name in files()}
    return {name: folders[folder] for name, folder in found.items() if folder}


def inputs(target):
    """A digest of what decides how tests end: the unit tests of a target, "plugins", or without one, those from outside."""
    if target == "plugins":
        chosen = {name: value for name, value in files().items() if PLUGINS.match(name) and not DOCUMENTS.match(name)}
    elif target:
        needed = targets.closure(declared(), target)
        chosen = {name: value for name, value in files().items() if owners().get(name) in (needed | {None}) and not OUTSIDE.match(name) and not DOCUMENTS.match(name)}
    else:
        chosen = {name: value for name, value in files().items() if name not in owners() and not DOCUMENTS.match(name)}
        chosen |= {name: digest_of(ROOT / ".build/release" / name) for name in PROGRAMS}
    return hashlib.sha256(machine() + json.dumps(chosen, sort_keys=True).encode()).hexdigest()


def forget():
    """Reads the files anew."""
    for each in (files, owners):
        each.cache_clear()


def stamp(name):
    return STAMPS / name.replace("/", "-")


def recall(name, key):
    """What was kept when this passed with these inputs. Nil if it has not."""
    try:
        kept = json.loads(stamp(name).read_text())
    except (OSError, ValueError):
        return None
    return kept["value"] if kept["key"] == key else None


def keep(name, key, value):
    STAMPS.mkdir(parents=True, exist_ok=True)
    new = stamp(name).with_suffix(".new")
    new.write_text(json.dumps({"key": key, "value": value}))
    new.replace(stamp(name))
