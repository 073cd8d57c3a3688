# SPDX-License-Identifier: Apache-2.0
"""What users of other programs that open places in editors have reported, replayed."""
# Labs: pair
import itertools
import json
import subprocess

from editor_test import LINES, EditorTest
from editors import ALL, Emacs, Neovim, Vim
from lab import wait_until


class ReportTests(EditorTest):
    def asking(self, kind, *messages, more=""):
        """An editor whose host is a fake. It says these as soon as the person wants to continue something."""
        self.number = getattr(self, "number", 0) + 1
        lines = "".join(f"{json.dumps(message)}\n" for message in messages)
        script = self.file(self.desktop, f"host-{self.number}", f"""#!/bin/sh
while read -r line; do case $line in *'"list"'*) break; esac; done
cat <<'.'\n{lines}.\nexec cat 3>&1 >/dev/null\n""")
        script.chmod(0o755)
        more += f'(setq baton-program "{script}")\n' if kind is Emacs else f"let g:baton_command = '{script}'\n"
        return self.editor(type("Asking", (kind,), {"more": more}), self.desktop)

    def place(self, path, line=20, column=3, **more):
        return {"type": "open", "path": str(path), "line": line, "column": column, "device": "laptop", **more}

    def test_lines_with_tabs_and_fields(self):
        path = self.file(self.desktop, "tabs.c", "\t\tone\n\t\ttwo\n")
        for kind in (Vim, Neovim):
            with self.subTest(kind.name):
                editor = self.asking(kind, self.place(path, 1, 4))
                editor.resume()
                editor.wait_for(line=1, column=4)
                # The cursor stays in its column of the screen.
                editor.type("j")
                editor.wait_for(line=2, column=4)
                editor.end_now()
        here = self.file(self.laptop, "Notes/fields.txt", LINES)
        editor = self.editor(Emacs, self.laptop, here)
        editor.do("(progn (put-text-property 1 4 'field 'prompt) (goto-char 7) t)")
        self.assertEqual(editor.do("(alist-get 'column (baton--position))"), 7)

    def test_a_link_to_a_file_that_is_open(self):
        """To the editor, it is the same file. It has text of the person, which is not saved."""
        real = self.file(self.desktop, "real.txt", LINES)
        link = self.homes[self.desktop] / "link.txt"
        link.symlink_to(real)
        for kind, (opened, named) in itertools.product(ALL, ((real, link), (link, real))):
            with self.subTest(kind.name, opened=opened.name):
                text = self.file(self.desktop, "text", "theirs\n")
                editor = self.asking(kind, self.place(named), self.place(named, 21, text=str(text)))
                editor.open(opened)
                editor.append("my own")
                editor.wait_for(modified=1)
                editor.resume()
                editor.wait_for(isDiff=1)
                texts = editor.wait(lambda: (found := editor.windows()) and "theirs" in found and found, "shows both")
                self.assertIn(f"{LINES}my own", texts)
                self.assertNotIn("E37", editor.messages())
                editor.end_now()

    def test_a_link_into_a_repository_asks_nothing(self):
        path = self.file(self.desktop, "dotfiles/profile", LINES)
        for command in (["init", "-q"], ["add", "."], ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "A"]):
            subprocess.run(["git", *command], cwd=path.parent, check=True)
        link = self.homes[self.desktop] / ".profile"
        link.symlink_to(path)
        editor = self.asking(Emacs, self.place(link), more="(setq vc-handled-backends '(Git))\n")
        editor.resume()
        editor.wait_for(path=str(link), line=20, column=3)

    def test_what_a_crash_left_is_said(self):
        path = self.file(self.desktop, "notes.txt", LINES)
        for kind, said in ((Vim, "has a swap file"), (Neovim, "has a swap file"), (Emacs, "has auto-save data")):
            with self.subTest(kind.name):
                if kind is Emacs:
                    left = self.file(self.desktop, "#notes.txt#", LINES + "lost\n")
                else:
                    other = self.editor(type("Swapping", (kind,), {"more": "set swapfile directory=.\n"}), self.desktop, path)
                    other.append("lost")
                    other.do("preserve")
                    other.end_now()
                    left = path.with_name(".notes.txt.swp")
                editor = self.asking(kind, self.place(path), more="" if kind is Emacs else "set swapfile directory=.\n")
                editor.resume()
                editor.wait_for(path=str(path), line=20, column=3)
                editor.wait(lambda: said in editor.messages(), "says it")
                editor.end_now()
                left.unlink()

    def test_a_list_at_the_side_stays(self):
        path = self.file(self.desktop, "notes.txt", LINES)
        lists = ["30vnew | setlocal buftype=nofile winfixwidth", "copen"]
        floating = "lua vim.api.nvim_open_win(vim.api.nvim_create_buf(false, true), true, {relative='editor', row=2, col=2, width=30, height=5})"
        for kind, command in [*itertools.product((Vim, Neovim), lists), (Neovim, floating)]:
            with self.subTest(kind.name, command=command):
                editor = self.asking(kind, self.place(path))
                editor.do(command)
                count = editor.do("let g:answer = winnr('$')")
                editor.resume()
                editor.wait_for(path=str(path), line=20, column=3)
                self.assertEqual(editor.do("let g:answer = winnr('$')"), count)
                editor.end_now()

    def test_directories(self):
        """Vim shows none as text. What Emacs shows of one that another machine names runs nothing."""
        folder = self.file(self.laptop, "Notes/folder/a.txt", LINES).parent
        editor = self.editor(type("Plain", (Vim,), {"more": "let [g:loaded_netrw, g:loaded_netrwPlugin] = [1, 1]\n"}), self.laptop, folder / "a.txt")
        self.wait_for_offer(self.desktop, "a.txt")
        editor.open(folder)
        editor.move()
        editor.wait_until_told()
        self.assertEqual([offer["title"] for offer in self.desktop.offers()], ["a.txt"])
        other = self.homes[self.desktop] / "Documents"
        editor = self.asking(Emacs, self.place(other, 1, 1), more="(add-hook 'dired-mode-hook (lambda () (setq handoff-ran t)))\n")
        editor.resume()
        editor.wait_for(mode="dired-mode")
        self.assertFalse(editor.do("(and (boundp 'handoff-ran) t)"))

    def test_a_file_that_is_gone_leaves_its_text(self):
        receiver = self.editor(Neovim, self.desktop)
        for kind, change in itertools.product(ALL, (lambda path: path.unlink(), lambda path: path.rename(path.with_suffix(".old")))):
            with self.subTest(kind.name):
                here = self.file(self.laptop, f"Notes/{self._testMethodName[:6]}-{kind.name}.txt", f"only in {kind.name}\n2\n3\n")
                origin = self.editor(kind, self.laptop, here)
                offer = self.wait_for_offer(self.desktop, here.name)
                change(here)
                receiver.resume()
                receiver.wait(lambda: f"only in {kind.name}" in receiver.text(), "has the text")
                self.assertEqual(receiver.state()["path"], "")
                receiver.do("bwipeout!")
                origin.end_now()
                self.desktop.wait_until_not_offered(offer["id"])
