# SPDX-License-Identifier: Apache-2.0
"""Benchmarks that are programs of their own, with labs of their own."""
import json
import os
import pathlib
import subprocess

from comparisons.results import Printed

HERE = pathlib.Path(__file__).resolve().parents[1]


class Failed(RuntimeError):
    """A program ended with another status than expected."""


def output(program, *arguments, expected=(0,), environment=None):
    """What it prints. Its errors go to standard error; it is killed if this is interrupted."""
    process = subprocess.Popen(
        [str(HERE / program), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        start_new_session=True, env={**os.environ, **(environment or {})})
    try:
        text = process.communicate()[0]
    finally:
        process.kill()
        process.wait()
    if process.returncode not in expected:
        raise Failed(f"{program} ended with {process.returncode}: {text[-500:]}")
    return text


def printed(question, program, *arguments, **options):
    """The result of a program that prints a table for people."""
    return Printed(question, output(program, *arguments, **options).rstrip().splitlines())


def parsed(program, *arguments):
    return json.loads(output(program, *arguments))
