# SPDX-License-Identifier: Apache-2.0
"""The tables of what the extension decides, which its unit tests in Tests/Plugins/extension have, too."""
import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "Plugins/extension"


def table(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


def cases(name):
    """The cases of a table: each of its texts, in its group."""
    return [{**group, "text": text} for group in table(name) for text in group.get("texts", [""])]
