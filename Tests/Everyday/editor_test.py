# SPDX-License-Identifier: Apache-2.0
"""What the tests of editors share: two machines with the same notes, and the editors on them."""
import json
import os
import subprocess

from editors import Emacs
from lab import PATIENCE, LabTest, wait_until

TYPE = "io.baton.text-position"


class EditorTest(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        self.editors = []
        self.homes = {}
        for number, name in enumerate(("laptop", "desktop")):
            home = self.directory / f"{name}-home"
            # Each machine has it at a path of its own.
            notes = home / ("Notes" if number == 0 else "Documents/Notes")
            notes.mkdir(parents=True)
            configuration = self.directory / f"{name}.conf"
            configuration.write_text(f"[shared-folders]\nNotes={notes}\n")
            daemon = self.batond(name, number, ["--config", str(configuration)]).start()
            setattr(self, name, daemon)
            self.homes[daemon] = home
        self.make_team(self.laptop, self.desktop)

    def editor(self, kind, daemon, *files, **options):
        return kind(self, daemon, self.homes[daemon], *files, **options)

    def file(self, daemon, name, content):
        path = self.homes[daemon] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def clones(self, name="notes.txt", content="", folder="src/notes"):
        """The file in a clone on each machine."""
        paths = []
        for daemon in (self.laptop, self.desktop):
            path = self.file(daemon, f"{folder}/{name}", content)
            for command in (
                ["init", "-q"], ["remote", "add", "origin", "https://git.example.org/ada/notes.git"], ["add", "."],
                ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "Notes"],
            ):
                subprocess.run(
                    ["git", *command], cwd=path.parent, check=True, timeout=PATIENCE,
                    env={**os.environ, "GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000"},
                )
            paths.append(path)
        return paths

    def fed(self, kind, *messages, more="", environment=None):
        """An editor whose host is a fake that says these."""
        self.number = getattr(self, "number", 0) + 1
        lines = "".join(f"{json.dumps(message)}\n" for message in messages)
        script = self.file(self.desktop, f"host-{self.number}",
                           f"#!/bin/sh\nread line\ncat <<'.'\n{lines}.\nexec cat 3>&1 >/dev/null\n")
        script.chmod(0o755)
        more += f'(setq baton-program "{script}")\n' if kind is Emacs else f"let g:baton_command = '{script}'\n"
        editor = self.editor(type("Fed", (kind,), {"more": more}), self.desktop, environment=environment)
        editor.resume()
        return editor

    def wait_for_offer(self, daemon, title):
        return wait_until(
            lambda: next((offer for offer in daemon.offers() if offer["title"] == title), None),
            f"{daemon.name} sees {title}",
        )


LINES = "".join(f"line {number} with é and 日本\n" for number in range(1, 301))
