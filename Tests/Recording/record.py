#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes some of the pictures of the documents, in a lab with two hosts. Scripts/record runs it.

usage: record.py THEME TAKE WORK OUTPUT, where TAKE is one of this folder's *_take.py without that ending. The files appear in
OUTPUT if all of them show what they must.
"""
import contextlib
import importlib
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Lab"))
from control_socket import VarlinkError  # noqa: E402
from stage import HOSTS, Machine, Stage, make_team  # noqa: E402
from themes import THEMES  # noqa: E402
from waiting import Deadline  # noqa: E402


def main(theme, name, work, output):
    began = time.monotonic()

    def log(text):
        print(f"  {theme} {name}: {time.monotonic() - began:5.1f} s  {text}", flush=True)

    directory, made = pathlib.Path(work, f"{theme}-{name}"), pathlib.Path(work, f"{theme}-{name}-made")
    for folder in (directory, made):
        folder.mkdir()
    take = importlib.import_module(f"{name}_take")
    stage = Stage(directory, THEMES[theme])
    machines = []
    try:
        stage.install(pathlib.Path(os.environ["BATON_BUILD"]))
        if hasattr(take, "prepare"):
            take.prepare(stage)
        stage.mount()
        sizes = getattr(take, "SIZES", {})
        machines = [Machine(stage, name, host, *sizes.get(name, ())) for name, host in zip(("laptop", "desktop"), HOSTS)]
        make_team(stage, machines)
        take.take(stage, machines, made, log)
    except (Deadline, VarlinkError, OSError, subprocess.SubprocessError) as error:
        # What the screens showed explains most failures.
        for machine in machines:
            with contextlib.suppress(OSError, KeyError, subprocess.SubprocessError):
                log(f"See {machine.photograph(directory / f'failed-{machine.name}.png')}")
        print(f"record: {theme} {name}: {error}", file=sys.stderr)
        return 1
    finally:
        stage.end()
    for file in sorted(made.iterdir()):
        shutil.copy(file, output)
        log(f"{file.name}, {file.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
