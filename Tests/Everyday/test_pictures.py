# SPDX-License-Identifier: Apache-2.0
"""A terminal, an editor and the clipboard handed over, as people see it. Their screens are kept in .build/everyday."""
# Labs: pair
from editors import Editor, Emacs, Vim
from lab import BUILD, wait_until
from pictures import draw, screen
from editor_test import EditorTest

ROWS, COLUMNS = 12, 64
TEXT = "".join(f"{line}\n" for line in """\
# The whale

- Chapter 1: Loomings
- Chapter 2: The Carpet-Bag
- Chapter 3: The Spouter-Inn
- Chapter 4: The Counterpane""".split("\n"))


class Bash(Editor):
    """A shell in a terminal, with Baton's hook."""

    name = "bash"
    # Wide, so that no path is broken before its beginning is replaced.
    rows, columns = ROWS, 200

    def command(self):
        start = self.control / "bashrc"
        start.write_text(f"PS1='{self.prompt}:\\w$ '\neval \"$(baton shell-init bash)\"\n")
        return ["bash", "--noprofile", "--rcfile", start, "-i"]

    @property
    def prompt(self):
        return self.control.name.split("-")[0]

    def run(self, command):
        """Types a command, and waits for the next prompt."""
        before = self.screen.count(f"{self.prompt}:".encode())
        self.type(f"{command}\r")
        self.wait_for_prompt(before + 1)

    def wait_for_prompt(self, count=1):
        wait_until(lambda: self.screen.count(f"{self.prompt}:".encode()) >= count, f"{self.prompt} shows a prompt")


class SmallVim(Vim):
    rows, columns = ROWS, COLUMNS


class SmallEmacs(Emacs):
    rows, columns = ROWS, COLUMNS


class PictureTests(EditorTest):
    def editor(self, kind, daemon, *files):
        editor = super().editor(kind, daemon, *files)
        editor.daemon = daemon
        return editor

    def draw(self, name, editor):
        text = screen(editor.screen, editor.rows, editor.columns)
        draw(name, text.replace(str(self.homes[editor.daemon]), "~"), ROWS, COLUMNS)
        return text

    def test_a_directory(self):
        self.file(self.laptop, "Notes/drafts/whale.md", TEXT)
        self.file(self.desktop, "Documents/Notes/drafts/whale.md", TEXT)
        laptop, desktop = self.editor(Bash, self.laptop), self.editor(Bash, self.desktop)
        for shell in (laptop, desktop):
            shell.wait_for_prompt()
        laptop.run("cd Notes/drafts")
        laptop.run("ls")
        self.wait_for_offer(self.desktop, "drafts")
        desktop.run("baton continue --latest")
        desktop.run("ls")
        self.draw("terminal-1-laptop", laptop)
        self.assertIn("desktop:~/Documents/Notes/drafts$", self.draw("terminal-2-desktop", desktop))

    def test_a_text_that_is_not_saved(self):
        here = self.file(self.laptop, "Notes/drafts/whale.md", TEXT)
        self.file(self.desktop, "Documents/Notes/drafts/whale.md", TEXT)
        vim, emacs = self.editor(SmallVim, self.laptop, here), self.editor(SmallEmacs, self.desktop)
        vim.go(5, 1)
        vim.type("oNot saved yet: Queequeg\x1b")
        vim.wait_for(line=6, modified=1)
        self.wait_for_offer(self.desktop, "whale.md")
        emacs.resume()
        emacs.wait_for(line=6, modified=1)
        emacs.wait(lambda: b"Queequeg" in emacs.screen, "has drawn the text")
        self.draw("editor-1-laptop", vim)
        self.assertIn("Not saved yet: Queequeg", self.draw("editor-2-desktop", emacs))

    def agent(self, shell):
        """The agent of the person at that shell."""
        process = self.spawn([BUILD / "baton", "agent", "--no-notifications"], env=shell.environment)
        wait_until((shell.runtime / "baton/search.sock").exists, "the agent")
        return process

    def test_what_is_copied(self):
        self.file(self.laptop, "whale.md", TEXT)
        laptop, desktop = self.editor(Bash, self.laptop), self.editor(Bash, self.desktop)
        for shell in (laptop, desktop):
            self.agent(shell)
            shell.wait_for_prompt()
        laptop.run("grep Chapter whale.md | baton copy")
        wait_until(lambda: [offer for offer in self.desktop.offers() if offer["activityType"] == "io.baton.clipboard"], "it is offered")
        desktop.run("baton paste --list")
        desktop.run("baton paste")
        self.draw("clipboard-1-laptop", laptop)
        text = self.draw("clipboard-2-desktop", desktop)
        self.assertIn("laptop", text)
        self.assertEqual([line for line in text.split("\n") if line.startswith("- ")], [line for line in TEXT.split("\n") if "Chapter" in line])
