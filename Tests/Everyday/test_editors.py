# SPDX-License-Identifier: Apache-2.0
"""Places in texts, handed over between the real editors of two machines."""
# Labs: pair
import hashlib
import itertools
import os
import pathlib
import signal
import subprocess

from editor_test import LINES, TYPE, EditorTest
from editors import ALL, Emacs, Neovim, Vim
from lab import PATIENCE, wait_until


class PositionTests(EditorTest):
    def check_both_ways(self, first, second):
        here, there = self.clones(content=LINES)
        origin = self.editor(first, self.laptop, here)
        receiver = self.editor(second, self.desktop)
        origin.go(120, 14)
        origin.top(110)
        self.wait_for_offer(self.desktop, "notes.txt")
        # What the cursor does last counts.
        origin.go(123, 15)
        origin.wait_for(line=123, column=15)
        receiver.resume()
        receiver.wait_for(path=str(there), line=123, column=15, top=110, modified=0)
        receiver.go(7, 3)
        receiver.append("x")
        receiver.save()
        self.wait_for_offer(self.laptop, "notes.txt")
        origin.resume()
        origin.wait_for(path=str(here), line=7, column=3)
        self.assertEqual(there.read_text(), LINES + "x\n")


for first, second in itertools.combinations_with_replacement(ALL, 2):
    def test(self, first=first, second=second):
        self.check_both_ways(first, second)

    setattr(PositionTests, f"test_{first.name}_to_{second.name}_and_back", test)


class FindingTests(EditorTest):
    def test_file_in_a_shared_folder(self):
        here = self.file(self.laptop, "Notes/to do.txt", LINES)
        there = self.file(self.desktop, "Documents/Notes/to do.txt", LINES)
        for kind in ALL:
            with self.subTest(kind.name):
                origin = self.editor(Vim, self.laptop, here)
                receiver = self.editor(kind, self.desktop)
                self.wait_for_offer(self.desktop, "to do.txt")
                origin.go(9, 2)
                receiver.resume()
                receiver.wait_for(path=str(there), line=9, column=2)
                self.assertIn("in the shared folder Notes", receiver.messages())
                origin.end_now()
                receiver.end_now()

    def test_fetched_files_do_not_replace_others(self):
        here = self.file(self.laptop, "draft.txt", "one\ntwo\n")
        own = self.file(self.desktop, "Handoff/draft.txt", "my own\n")
        self.editor(Vim, self.laptop, here)
        self.wait_for_offer(self.desktop, "draft.txt")
        receiver = self.editor(Neovim, self.desktop)
        receiver.resume()
        receiver.wait(lambda: receiver.text() == "one\ntwo", "has the file")
        self.assertEqual(own.read_text(), "my own\n")
        self.assertEqual(receiver.state()["path"], str(own.with_name("draft-2.txt")))

    def test_directories_in_emacs(self):
        origin = self.editor(Emacs, self.laptop, "/usr/share")
        receiver = self.editor(Emacs, self.desktop)
        self.wait_for_offer(self.desktop, "share")
        receiver.resume()
        receiver.wait_for(mode="dired-mode")
        self.assertEqual(receiver.do("default-directory"), "/usr/share/")
        origin.open("/usr/lib")
        origin.move()
        self.wait_for_offer(self.desktop, "lib")
        receiver = self.editor(Vim, self.desktop)
        receiver.resume()
        receiver.wait(lambda: "only Emacs can show it" in receiver.messages(), "says so")

    def test_several_files_are_asked_about(self):
        here, there = self.clones(content=LINES)
        # Another clone of the same repository.
        subprocess.run(["cp", "-a", there.parent, self.homes[self.desktop] / "src/copy"], check=True)
        paths = [str(there), str(self.homes[self.desktop] / "src/copy/notes.txt")]
        for kind, answer in ((Vim, "j\r"), (Neovim, "2\r"), (Emacs, paths[1] + "\r")):
            with self.subTest(kind.name):
                origin = self.editor(Vim, self.laptop, here)
                self.wait_for_offer(self.desktop, "notes.txt")
                receiver = self.editor(kind, self.desktop)
                receiver.resume()
                wait_until(lambda: b"Which file?" in receiver.screen, "the question")
                receiver.type(answer)
                state = receiver.wait(lambda: (state := receiver.state())["path"] and state, "opens one")
                self.assertIn(state["path"], paths)
                origin.end_now()
                receiver.end_now()


class StateTests(EditorTest):
    """What the person does while a text of another machine comes."""

    def check_states(self, kind, states):
        here, there = self.clones(content=LINES)
        origin = self.editor(Vim, self.laptop, here)
        for number, (keys, more) in enumerate(states):
            with self.subTest(keys):
                receiver = self.editor(kind, self.desktop)
                origin.go(50 + number, 3)
                self.wait_for_offer(self.desktop, "notes.txt")
                receiver.wait_for(path="")
                receiver.type(keys)
                receiver.do("call timer_start(0, {-> execute('BatonContinue')})")
                # It waits for the end of what the person does.
                receiver.type(more)
                receiver.wait_for(path=str(there), line=50 + number, column=3)
                receiver.end_now()

    STATES = [
        ("ihello", ""), ("v", ""), ("Rx", ""), (":echo 1", "\x1b"), ("q:", ":q\r"), ("d", "\x1b"), (":terminal\r", ""),
        (":set nohidden autowrite autochdir\rix\x1b", ""), (":diffthis\r", ""),
    ]

    def test_states_of_vim(self):
        self.check_states(Vim, self.STATES)

    def test_states_of_neovim(self):
        self.check_states(Neovim, self.STATES)

    def test_compatible_vim(self):
        kind = type("Compatible", (Vim,), {"program": ["vim", "-X", "--cmd", "set cpo=aAbBcCdDeEfFgHiIjJkKlLmMnoOpPqrRsStuvwWxXyZ"],
                                           "more": "set compatible\n"})
        here, there = self.clones(content=LINES)
        origin = self.editor(kind, self.laptop, here)
        receiver = self.editor(kind, self.desktop)
        origin.append("not saved")
        origin.go(12)
        self.wait_for_offer(self.desktop, "notes.txt")
        receiver.resume()
        receiver.wait_for(path=str(there), line=12, modified=1)


class UnsavedTextTests(EditorTest):
    def hand_over(self, first, second, here, *, daemon_path=None):
        """The unsaved text of a file goes to the other machine. Returns both editors."""
        origin = self.editor(first, self.laptop, here)
        receiver = self.editor(second, self.desktop)
        origin.append("not saved")
        origin.wait_for(modified=1)
        self.wait_for_offer(self.desktop, here.name)
        return origin, receiver

    # Each is a line of text, in as many ways as files have it.
    CONTENTS = {
        "latin1.txt": "Käse\nüber\n".encode("latin1"),
        "crlf.txt": b"one\r\ntwo\r\n",
        "utf8.txt": LINES.encode(),
        "bom.txt": b"\xef\xbb\xbfone\ntwo\n",
        "utf16.txt": b"\xff\xfe" + "Käse\r\n日本\r\n".encode("utf-16-le"),
        "big endian.txt": b"\xfe\xff" + "Käse\n日本\n".encode("utf-16-be"),
        "mixed.txt": b"one\r\ntwo\nthree\r\n",
        "damaged.txt": "Käse 日本\n".encode() + b"\xff\xfe\x80 x\n",
        "null.txt": b"a\0b\nc\n",
        "long.txt": b"x" * 1_000_000 + b"\nend\n",
        "empty.txt": b"",
        "odd [1]*{b},c$d^~#%'\" |x.txt": b"one\ntwo\n",
    }

    def check_contents(self, first, second):
        origin = self.editor(first, self.laptop)
        receiver = self.editor(second, self.desktop)
        for name, content in self.CONTENTS.items():
            with self.subTest(name):
                here = self.file(self.laptop, f"Notes/{name}", content)
                there = self.file(self.desktop, f"Documents/Notes/{name}", content)
                origin.open(here)
                origin.append("not saved")
                origin.move()
                origin.wait_for(modified=1)
                self.wait_for_offer(self.desktop, name)
                receiver.resume()
                receiver.wait_for(path=str(there), modified=1, isDiff=0)
                # Nothing was written on either machine.
                self.assertEqual(here.read_bytes(), content)
                self.assertEqual(there.read_bytes(), content)
                origin.save()
                receiver.save()
                self.assertNotEqual(there.read_bytes(), content)
                self.assertEqual(there.read_bytes(), here.read_bytes())

    def test_contents_from_vim_to_neovim(self):
        self.check_contents(Vim, Neovim)

    def test_contents_from_neovim_to_emacs(self):
        self.check_contents(Neovim, Emacs)

    def test_contents_from_emacs_to_vim(self):
        self.check_contents(Emacs, Vim)

    def test_no_end_of_the_last_line(self):
        here, there = self.clones(content=b"one\ntwo")
        origin, receiver = self.hand_over(Vim, Neovim, here)
        receiver.resume()
        receiver.wait_for(path=str(there), modified=1)
        self.assertEqual(receiver.text(), "one\ntwo\nnot saved")
        self.assertEqual(receiver.do("let g:answer = &endofline"), 0)

    def test_closed_folds(self):
        content = "one {{{\na\ntwo {{{\nb\n"
        here, there = self.clones(content=content)
        folds = ("marker", "expr foldexpr=getline(v:lnum)=~'{{{'?'>1':'='")
        for kind, fold, other in itertools.product((Vim, Neovim), folds, ("", "other\n")):
            with self.subTest(kind.name, fold=fold, isConflict=other != ""):
                there.write_text(other + content)
                kind = type("Folding", (kind,), {"more": f"set foldlevel=0 foldmethod={fold}\n"})
                origin, receiver = self.hand_over(Vim, kind, here)
                receiver.resume()
                receiver.wait(lambda: f"{content}not saved" in receiver.windows(), "has all of it")
                for editor in (origin, receiver):
                    editor.end_now()

    def test_large_text(self):
        content = b"".join(b"%08d %s\n" % (number, b"x" * 90) for number in range(200_000))
        self.assertGreater(len(content), 19_000_000)
        here, there = self.clones(content=content)
        origin, receiver = self.hand_over(Vim, Emacs, here)
        receiver.resume()
        receiver.wait_for(path=str(there), modified=1)
        self.assertEqual(
            receiver.do('(secure-hash \'sha256 (current-buffer))'),
            hashlib.sha256(content + b"not saved\n").hexdigest(),
        )
        self.assertEqual(hashlib.sha256(there.read_bytes()).digest(), hashlib.sha256(content).digest())
        # Nothing is left of it.
        self.assertEqual(list(self.directory.glob("*-run/baton-editor-*/*")), [])

    def check_conflict(self, first, second, prepare):
        """`prepare` gets the receiving editor and its file, and makes a conflict."""
        here, there = self.clones(content=LINES)
        origin, receiver = self.hand_over(first, second, here)
        prepare(receiver, there)
        before = there.read_bytes()
        receiver.resume()
        receiver.wait_for(isDiff=1)
        texts = receiver.wait(
            lambda: (found := receiver.windows()) and any("not saved" in text for text in found) and found, "shows both"
        )
        self.assertEqual(sum("not saved" in text for text in texts), 1)
        self.assertEqual(there.read_bytes(), before)
        return texts

    def test_conflict_in_vim(self):
        self.check_conflict(Neovim, Vim, lambda editor, path: path.write_text(LINES + "other\n"))

    def test_conflict_in_neovim(self):
        self.check_conflict(Vim, Neovim, lambda editor, path: path.write_text("other\n" + LINES))

    def test_conflict_in_emacs(self):
        self.check_conflict(Vim, Emacs, lambda editor, path: path.write_text(LINES + "other\n"))

    def test_a_new_first_line_is_seen_in_the_difference(self):
        here, there = self.clones(content=LINES)
        there.write_text(LINES + "other\n")
        for kind in (Vim, Neovim):
            with self.subTest(kind.name):
                origin = self.editor(Vim, self.laptop, here)
                origin.type("Oa new first line\x1b")
                origin.wait_for(modified=1)
                self.wait_for_offer(self.desktop, "notes.txt")
                receiver = self.editor(kind, self.desktop)
                receiver.resume()
                receiver.wait_for(isDiff=1)
                other = "map(filter(getwininfo(), {_, w -> w.winid != win_getid()}), {_, w -> w.topline})"
                receiver.wait(lambda: receiver.do(f"let g:answer = {other}") == [1], "shows the line")
                for editor in (origin, receiver):
                    editor.end_now()

    def test_unsaved_changes_here_are_not_overwritten(self):
        for kind in (Vim, Emacs):
            with self.subTest(kind.name):
                def change(editor, path):
                    editor.open(path)
                    editor.append("my own")
                    editor.wait_for(modified=1)

                texts = self.check_conflict(Neovim, kind, change)
                self.assertTrue(any("my own" in text for text in texts))
                for editor in self.editors:
                    editor.end_now()
                for home in self.homes.values():
                    subprocess.run(["rm", "-r", home / "src"], check=True)

    def test_file_that_changed_on_the_disk_is_no_base(self):
        here, there = self.clones(content=LINES)
        origin, receiver = self.hand_over(Vim, Neovim, here)
        # Both machines have the same file, but the text was made from an older one.
        for path in (here, there):
            path.write_text("new\n" + LINES)
        receiver.resume()
        receiver.wait_for(path=str(there), isDiff=1, modified=0)

    def test_file_behind_a_link_that_changed_is_no_base(self):
        """Vim calls a file by its name without links to directories, but not in all events."""
        for kind in (Vim, Neovim):
            with self.subTest(kind.name):
                here, there = self.clones(content=LINES)
                link = self.homes[self.laptop] / "link"
                link.symlink_to(here.parent)
                origin = self.editor(kind, self.laptop)
                origin.open(link / here.name)
                self.wait_for_offer(self.desktop, here.name)
                for path in (here, there):
                    path.write_text("new\n" + LINES)
                # The editor does not look at the disk.
                origin.do("set noautoread")
                origin.move()
                origin.wait_until_told()
                origin.append("not saved")
                origin.move()
                origin.wait_for(modified=1)
                receiver = self.editor(Neovim, self.desktop)
                receiver.resume()
                receiver.wait_for(path=str(there), isDiff=1, modified=0)
                for editor in (origin, receiver):
                    editor.end_now()
                link.unlink()
                for home in self.homes.values():
                    subprocess.run(["rm", "-r", home / "src"], check=True)

    def test_a_file_that_changes_before_the_text_is_shown_is_not_replaced(self):
        """The host compares the file, and the editor waits for the end of what the person does. A fake of the host is
        later than that by any time."""
        real, size = self.file(self.desktop, "real.txt", LINES), len(LINES.encode())
        os.utime(real, (1000, 1000))
        there = self.homes[self.desktop] / "notes.txt"
        there.symlink_to(real)
        for kind, (time, size, isDiff) in itertools.product(ALL, ((1000, size, 0), (1000, size - 1, 1), (999, size, 1))):
            with self.subTest(kind.name, time=time, size=size):
                text = self.file(self.desktop, "text", "theirs\n")
                message = {"type": "open", "path": str(there), "line": 1, "device": "laptop", "text": str(text),
                           "fileTime": time, "fileSize": size}
                editor = self.fed(kind, message)
                editor.wait_for(isDiff=isDiff)
                texts = editor.wait(
                    lambda: (found := editor.windows()) and any("theirs" in text for text in found) and found, "shows it"
                )
                self.assertEqual(LINES.strip() in texts, isDiff == 1)
                editor.end_now()

    def test_file_that_changed_in_the_same_second_is_no_base(self):
        here, there = self.clones(content=LINES)
        for kind in ALL:
            with self.subTest(kind.name):
                here.write_text(LINES)
                os.utime(here, (1000, 1000))
                # Emacs asks before it changes a buffer that is older than its file.
                more = """(load "userlock") (fset 'ask-user-about-supersession-threat #'ignore)""" if kind is Emacs else ""
                origin = self.editor(type("Hasty", (kind,), {"more": more}), self.laptop, here)
                receiver = self.editor(Neovim, self.desktop)
                self.wait_for_offer(self.desktop, "notes.txt")
                for path in (here, there):
                    path.write_text("new\n" + LINES)
                    os.utime(path, (1000, 1000))
                origin.move()
                # The host looks at the file again.
                self.desktop.json("continue", "--type", TYPE)
                origin.append("not saved")
                origin.move()
                origin.wait_for(modified=1)
                self.wait_for_offer(self.desktop, "notes.txt")
                receiver.resume()
                receiver.wait_for(path=str(there), isDiff=1, modified=0)
                for editor in (origin, receiver):
                    editor.end_now()

    def test_text_of_a_file_that_was_never_saved(self):
        receiver = self.editor(Neovim, self.desktop)
        for kind in ALL:
            with self.subTest(kind.name):
                path = self.homes[self.laptop] / f"{kind.name}.txt"
                origin = self.editor(kind, self.laptop, path)
                origin.append(f"only in {kind.name}")
                origin.move()
                self.wait_for_offer(self.desktop, path.name)
                receiver.resume()
                receiver.wait(lambda: f"only in {kind.name}" in receiver.text(), "has the text")
                self.assertEqual(receiver.state()["path"], "")
                self.assertFalse(path.exists())
                origin.end_now()

    def test_buffer_that_is_older_than_its_file(self):
        here, there = self.clones(content=LINES)
        for number, kind in enumerate(ALL):
            with self.subTest(kind.name):
                receiver = self.editor(kind, self.desktop, there)
                receiver.wait_for(path=str(there))
                content = f"new {number}\n{LINES}"
                for path in (here, there):
                    path.write_text(content)
                    os.utime(path, (number + 1, number + 1))
                origin = self.editor(Vim, self.laptop, here)
                origin.append("not saved")
                origin.go(10, 2)
                self.wait_for_offer(self.desktop, "notes.txt")
                receiver.resume()
                receiver.wait_for(modified=1, line=10, isDiff=0)
                receiver.save()
                self.assertEqual(there.read_text(), content + "not saved\n")
                for editor in (origin, receiver):
                    editor.end_now()

    def test_a_modified_buffer_of_a_file_behind_a_link(self):
        """Vim calls its buffer by another name than the configuration calls its shared folder."""
        home = self.homes[self.desktop]
        (home / "Documents").rename(home / "elsewhere")
        (home / "Documents").symlink_to("elsewhere")
        here = self.file(self.laptop, "Notes/notes.txt", LINES)
        there = self.file(self.desktop, "Documents/Notes/notes.txt", LINES)
        for kind in ALL:
            with self.subTest(kind.name):
                origin, receiver = self.hand_over(Vim, kind, here)
                receiver.open(there.relative_to(home))
                receiver.append("my own")
                receiver.wait_for(modified=1)
                receiver.resume()
                receiver.wait_for(isDiff=1)
                texts = receiver.wait(
                    lambda: (found := receiver.windows()) and any("not saved" in text for text in found) and found, "shows both"
                )
                self.assertTrue(any("my own" in text for text in texts))
                for editor in (origin, receiver):
                    editor.end_now()

    def test_verilog_in_emacs_is_a_text(self):
        """Saving does something before, and then writes the text."""
        here, there = self.clones(name="gate.v", content="module gate;\nendmodule\n")
        origin, receiver = self.hand_over(Emacs, Emacs, here)
        self.assertEqual(origin.state()["mode"], "verilog-mode")
        receiver.resume()
        receiver.wait_for(path=str(there), modified=1, isDiff=0)

    def test_file_that_another_editor_has_open(self):
        here, there = self.clones(content=LINES)
        for kind, more in ((Vim, "set swapfile\n"), (Emacs, "(setq create-lockfiles t)")):
            with self.subTest(kind.name):
                kind = type("Careful", (kind,), {"more": more})
                other = self.editor(kind, self.desktop, there)
                other.append("other")
                other.wait_for(modified=1)
                origin, receiver = self.hand_over(Neovim, kind, here)
                receiver.resume()
                receiver.wait_for(isDiff=1)
                self.assertEqual(there.read_text(), LINES)
                for editor in (origin, receiver, other):
                    editor.end_now()

    def test_undo_brings_back_the_text_of_the_file(self):
        here, there = self.clones(content=LINES)
        for kind in ALL:
            with self.subTest(kind.name):
                origin, receiver = self.hand_over(Vim, kind, here)
                receiver.resume()
                receiver.wait_for(path=str(there), modified=1)
                receiver.do("(undo)" if kind is Emacs else "undo")
                receiver.wait_for(modified=0)
                self.assertEqual(receiver.text() + "\n", LINES)
                for editor in (origin, receiver):
                    editor.end_now()

    def test_text_without_a_file(self):
        for first, second in ((Vim, Neovim), (Neovim, Emacs)):
            with self.subTest(first.name):
                origin = self.editor(first, self.laptop)
                receiver = self.editor(second, self.desktop)
                origin.append("no file yet")
                origin.type("\x1bG")
                self.wait_for_offer(self.desktop, "Unsaved text")
                receiver.resume()
                receiver.wait(lambda: "no file yet" in receiver.text(), "has the text")
                self.assertEqual(receiver.state()["path"], "")
                for editor in (origin, receiver):
                    editor.end_now()


    def test_emacs_asks_before_a_text_without_a_file_goes(self):
        origin = self.editor(Vim, self.laptop)
        receiver = self.editor(Emacs, self.desktop)
        origin.append("no file yet")
        origin.type("\x1bG")
        self.wait_for_offer(self.desktop, "Unsaved text")
        receiver.resume()
        receiver.wait(lambda: "no file yet" in receiver.text(), "has the text")
        # Each is whether Emacs asks, and whether the buffer remains.
        for command, expected in (("(kill-buffer)", [True, True]),
                                  ("(progn (text-mode) (kill-buffer))", [True, True]),
                                  ("(save-some-buffers nil t)", [True, True]),
                                  ("(progn (set-buffer-modified-p nil) (kill-buffer))", [False, False])):
            with self.subTest(command):
                self.assertEqual(receiver.do(
                    "(let ((asked :json-false) (buffer (current-buffer)))"
                    " (cl-letf (((symbol-function 'yes-or-no-p) (lambda (&rest _) (setq asked t) nil))"
                    "           ((symbol-function 'map-y-or-n-p) (lambda (prompter _ list &rest _)"
                    "             (when (seq-some prompter list) (setq asked t)) 0)))"
                    f" {command}) (vector asked (if (buffer-live-p buffer) t :json-false)))"
                ), expected)


class LifeTests(EditorTest):
    """What happens to activities when programs end, and what they cost."""

    def test_quitting_withdraws(self):
        for kind in ALL:
            with self.subTest(kind.name):
                path = self.file(self.laptop, f"{kind.name}.txt", "text\n")
                editor = self.editor(kind, self.laptop, path)
                offer = self.wait_for_offer(self.desktop, path.name)
                editor.quit()
                self.desktop.wait_until_not_offered(offer["id"])
                self.assertEqual(editor.hosts(), [])

    def test_host_is_killed(self):
        for kind in ALL:
            with self.subTest(kind.name):
                path = self.file(self.laptop, f"{kind.name}.txt", "one\ntwo\nthree\n")
                editor = self.editor(kind, self.laptop, path)
                offer = self.wait_for_offer(self.desktop, path.name)
                host, = editor.hosts()
                os.kill(host, signal.SIGKILL)
                self.desktop.wait_until_not_offered(offer["id"])
                editor.type("\x1b[B")
                self.wait_for_offer(self.desktop, path.name)
                self.assertNotEqual(editor.hosts(), [host])
                editor.wait_for(line=2)
                editor.quit()

    def test_the_host_starts_again_if_its_command_is_a_list(self):
        for kind in (Vim, Neovim):
            with self.subTest(kind.name):
                path = self.file(self.laptop, f"{kind.name}.txt", "one\ntwo\nthree\n")
                listed = type("Listed", (kind,), {"more": "let g:baton_command = ['baton']\n"})
                editor = self.editor(listed, self.laptop, path)
                for _ in range(2):
                    offer = self.wait_for_offer(self.desktop, path.name)
                    host, = editor.hosts()
                    os.kill(host, signal.SIGKILL)
                    self.desktop.wait_until_not_offered(offer["id"])
                    editor.move()
                self.wait_for_offer(self.desktop, path.name)
                self.assertEqual(editor.do("let g:answer = g:baton_command"), ["baton"])
                editor.quit()

    def test_daemon_is_restarted(self):
        path = self.file(self.laptop, "notes.txt", "text\n")
        editor = self.editor(Vim, self.laptop, path)
        self.wait_for_offer(self.desktop, "notes.txt")
        self.laptop.restart()
        self.desktop.wait_for_offer(self.laptop.wait_for_current("notes.txt"))
        editor.wait_for(line=1)

    def test_many_moves_cost_little(self):
        path = self.file(self.laptop, "notes.txt", LINES * 40)
        for kind in ALL:
            with self.subTest(kind.name):
                editor = self.editor(kind, self.laptop, path)
                self.wait_for_offer(self.desktop, "notes.txt")
                host, = editor.hosts()
                before = self.characters(host)
                editor.type(("\x0e" if kind is Emacs else "j") * 10_000)
                editor.wait_for(line=10_001)
                # Far less than 10,000 messages of 200 bytes.
                self.assertLess(self.characters(host) - before, 60_000)
                receiver = self.desktop.json("continue", "--type", TYPE)
                self.assertEqual(receiver["activity"]["userInfo"]["line"], 10_001)
                editor.quit()

    def characters(self, host):
        """How many bytes a process has read."""
        text = pathlib.Path(f"/proc/{host}/io").read_text()
        return int(next(line for line in text.splitlines() if line.startswith("rchar:")).split()[1])

    def test_private_files_are_not_offered(self):
        other = self.file(self.laptop, "other.txt", "text\n")
        for kind in ALL:
            with self.subTest(kind.name):
                editor = self.editor(kind, self.laptop, other)
                offer = self.wait_for_offer(self.desktop, "other.txt")
                for name in ("secret.kdbx" if kind is Emacs else "secret.gpg", ".ssh/config", "id_ed25519", ".netrc", "x.pem",
                             "vault.yml"):
                    path = self.file(self.laptop, name, "$ANSIBLE_VAULT;1.1;AES256\n" if "vault" in name else "secret\n")
                    editor.open(path)
                    editor.append("more")
                    editor.type("\x1b[A")
                    editor.wait_for(path=str(path))
                # What is offered now comes after what was seen of these.
                editor.open(self.file(self.laptop, "last.txt", "text\n"))
                editor.type("\x1b[B")
                self.wait_for_offer(self.desktop, "last.txt")
                editor.end_now()
        for log in (self.laptop.log_text(), self.desktop.log_text()):
            for name in ("secret.", "id_ed25519", ".netrc", "x.pem", "vault.yml"):
                self.assertNotIn(name, log)

    def test_private_links_to_directories_are_not_offered(self):
        """As with ~/.ssh in a repository of dotfiles. The private name is that of the link."""
        self.file(self.laptop, "dot/ssh/config", "Host x\n")
        (self.homes[self.laptop] / ".ssh").symlink_to("dot/ssh")
        last = self.file(self.laptop, "last.txt", "text\n")
        watch, titles = self.desktop.connect().more("ListOffers"), []
        for kind in ALL:
            # The last one in a shell that is in the directory.
            for command in ("edit ~/.ssh/config", "edit .ssh/config", "edit config"):
                with self.subTest(kind.name, command=command):
                    if kind is Emacs:
                        editor = self.editor(kind, self.laptop)
                        editor.do('(find-file "~/.ssh/config")')
                    else:
                        directory = "~/.ssh" if command == "edit config" else "~"
                        words = f'cd {directory}; exec {" ".join(kind.program)} "$@"'
                        editor = self.editor(type("There", (kind,), {"program": ["sh", "-c", words, "sh"]}), self.laptop)
                        editor.do(command)
                    editor.append("more")
                    editor.move()
                    editor.wait_for(modified=1)
                    editor.wait_until_told()
                    editor.do('(set-buffer-modified-p nil)' if kind is Emacs else "set nomodified")
                    editor.open(last)
                    editor.move()
                    while "last.txt" not in titles:
                        titles += [offer["title"] for offer in watch.receive()["offers"]]
                    self.assertEqual(set(titles), {"last.txt"})
                    editor.end_now()
                    # Nothing is offered when the editor has ended.
                    while watch.receive()["offers"]:
                        pass
                    titles = []

    def test_a_text_stays_offered_when_the_person_comes_back(self):
        def focus(editor):
            # What a terminal sends to Emacs.
            editor.type("\x1b[I") if editor.name == "emacs" else editor.do("doautocmd FocusGained")

        path = self.file(self.laptop, "notes.txt", LINES)
        for kind in ALL:
            with self.subTest(kind.name):
                editor = self.editor(kind, self.laptop, path)
                offer = self.wait_for_offer(self.desktop, "notes.txt")
                # The terminal says that the person leaves and comes back; another program was current.
                connection, _ = self.laptop.publish(title="Other")
                self.desktop.wait_until_not_offered(offer["id"])
                focus(editor)
                self.wait_for_offer(self.desktop, "notes.txt")
                editor.do("(shell)" if kind is Emacs else "terminal")
                focus(editor)
                self.assertEqual(self.current(), str(path))
                connection.close()
                editor.end_now()

    def test_scripts_offer_nothing(self):
        path = self.file(self.laptop, "notes.txt", LINES)
        words = ["--headless"], ["-es"]
        for kind, more in zip((Neovim, Vim), words):
            with self.subTest(kind.name):
                editor = self.editor(type("Script", (kind,), {"program": [*kind.program, *more]}), self.laptop, path)
                editor.wait_until_told()
                self.assertEqual(editor.hosts(), [])
                editor.end_now()

    def current(self):
        """The path that the other machine gets now."""
        return self.desktop.json("continue", "--type", TYPE)["activity"]["userInfo"]["document"]["path"]

    # What shows something else than a text of the person.
    ELSEWHERE = {
        "vim": ["terminal", "edit .", "enew | call setline(1, 'x') | setf gitcommit"],
        "emacs": ["(shell)", '(progn (make-directory "~/.ssh" t) (dired "~/.ssh"))',
                  '(progn (switch-to-buffer "remote") (setq buffer-file-name "/ssh:x:/etc/a") (insert "x"))'],
    }

    def test_what_is_no_text_of_the_person_is_not_offered(self):
        path = self.file(self.laptop, "notes.txt", LINES)
        for kind in ALL:
            for command in self.ELSEWHERE["emacs" if kind is Emacs else "vim"]:
                with self.subTest(kind.name, command=command):
                    editor = self.editor(kind, self.laptop, path)
                    self.wait_for_offer(self.desktop, "notes.txt")
                    editor.do(command)
                    # The host asks the editor where the person is.
                    self.assertEqual(self.current(), str(path))
                    editor.end_now()

    def test_what_vim_reads_from_a_program_is_not_offered(self):
        secret = self.file(self.laptop, "secret", "secret\n")
        path = self.file(self.laptop, "notes.txt", LINES)
        for kind in (Vim, Neovim):
            with self.subTest(kind.name):
                words = f'exec {" ".join(kind.program)} "$@" - < {secret}'
                editor = self.editor(type("Reader", (kind,), {"program": ["sh", "-c", words, "sh"]}), self.laptop)
                editor.wait_for(path="", modified=1)
                editor.open(path)
                editor.move()
                self.wait_for_offer(self.desktop, "notes.txt")
                editor.do("buffer 1")
                self.assertEqual(editor.text(), "secret")
                # The host asks the editor where the person is.
                self.assertEqual(self.current(), str(path))
                editor.end_now()

    def fetch(self, activity, part):
        """What the other machine gets through the stream of an activity that it has continued."""
        reply, content, stream = self.desktop.connect().upgrade("OpenStream", activity=activity)
        stream.sendall(b'{"get":"%s"}\n' % part.encode())
        stream.shutdown(1)
        while data := stream.recv(4096):
            content += data
        return content.partition(b"\n")[2].decode()

    def test_a_stream_has_what_was_continued(self):
        first, second = (self.file(self.laptop, f"{name}.txt", f"{name}\n") for name in ("first", "second"))
        for kind in ALL:
            with self.subTest(kind.name):
                editor = self.editor(kind, self.laptop, first)
                editor.append("not saved")
                editor.move()
                editor.wait_for(modified=1)
                offer = self.wait_for_offer(self.desktop, "first.txt")
                self.assertEqual(self.current(), str(first))
                # While the other person chooses one of several files, this one goes on.
                editor.open(second)
                editor.move()
                self.wait_for_offer(self.desktop, "second.txt")
                self.assertEqual(self.fetch(offer["id"], "document"), "first\n")
                self.assertEqual(self.fetch(offer["id"], "unsavedText"), "first\nnot saved\n")
                editor.end_now()

    def test_what_becomes_private_is_not_handed_over(self):
        path = self.file(self.laptop, "notes.txt", LINES)
        for kind in ALL:
            with self.subTest(kind.name):
                editor = self.editor(kind, self.laptop, path)
                offer = self.wait_for_offer(self.desktop, "notes.txt")
                editor.do("(setq-local baton-private t)" if kind is Emacs else "let b:baton_private = 1")
                self.desktop.baton("continue", "--type", TYPE, status=4)
                self.desktop.wait_until_not_offered(offer["id"])
                editor.end_now()

    def test_a_dump_in_emacs_is_no_text_of_its_file(self):
        """Saving a buffer in Hexl mode writes something else than its text."""
        here, there = self.clones(name="data", content=bytes(range(100)))
        receiver = self.editor(Emacs, self.desktop, there)
        receiver.do("(hexl-mode)")
        origin = self.editor(Emacs, self.laptop, here)
        self.wait_for_offer(self.desktop, "data")
        origin.do("(progn (hexl-mode) (hexl-insert-char ?x 1) t)")
        origin.wait_for(modified=1)
        self.desktop.baton("continue", "--type", TYPE, status=4)
        self.assertTrue(receiver.do("(and (baton--blocked-p (current-buffer)) t)"))

    def test_an_emacs_that_nobody_sees_takes_nothing(self):
        path = self.file(self.laptop, "notes.txt", LINES)
        kind = type("Server", (Emacs,), {"command": lambda self: ["emacs", "--fg-daemon=test", *Emacs.command(self)[2:]]})
        server = self.editor(kind, self.laptop, environment={"TMPDIR": str(self.directory)})
        server.open(path)
        server.wait_until_told()
        self.assertEqual(server.hosts(), [])
        client = type("Client", (Emacs,), {
            "name": "client", "command": lambda self: ["emacsclient", "-t", "-s", "test"],
        })
        client = self.editor(client, self.laptop, path, environment={"TMPDIR": str(self.directory)})
        client.move()
        self.wait_for_offer(self.desktop, "notes.txt")
        self.assertEqual(len(server.hosts()), 1)
        client.end_now()
        wait_until(lambda: server.hosts() == [], "the host ends with the last frame")

    def test_folded_text_is_shown_in_emacs(self):
        here, there = self.clones(name="notes.txt", content="* One\ntext\n* Two\ntext\n")
        origin = self.editor(Emacs, self.laptop, here)
        origin.go(4)
        receiver = self.editor(Emacs, self.desktop, there)
        receiver.do("(progn (outline-mode) (outline-hide-body) t)")
        self.wait_for_offer(self.desktop, "notes.txt")
        receiver.resume()
        receiver.wait_for(path=str(there), line=4)
        self.assertFalse(receiver.do("(and (invisible-p (point)) t)"))

    def test_views_of_a_text_in_emacs(self):
        path = self.file(self.laptop, "notes.txt", LINES)
        for command in ("(switch-to-buffer (clone-indirect-buffer \"copy\" nil))",
                        "(rename-buffer \"copy\") (narrow-to-region (progn (goto-line 20) (point)) (point-max))"):
            with self.subTest(command):
                editor = self.editor(Emacs, self.laptop, path)
                editor.do(f'(progn (goto-char (point-max)) (insert "more\\n") {command} (goto-char (point-max)))')
                editor.move()
                self.wait_for_offer(self.desktop, "notes.txt")
                receiver = self.editor(Vim, self.desktop)
                receiver.resume()
                # Neither machine shares it, so its text is shown beside the fetched file, or in its place.
                receiver.wait(lambda: any(text.endswith("\nmore") for text in receiver.windows()), "has the text")
                for one in (editor, receiver):
                    one.end_now()

    def test_names_that_are_no_text_are_skipped(self):
        path = self.file(self.laptop, "notes.txt", LINES)
        (self.homes[self.laptop] / "odd").mkdir()
        with open(os.fsencode(self.homes[self.laptop]) + b"/odd/b\xffd.txt", "w") as file:
            file.write("1\n2\n")
        for kind in ALL:
            with self.subTest(kind.name):
                editor = self.editor(kind, self.laptop, path)
                self.wait_for_offer(self.desktop, "notes.txt")
                editor.do('(find-file (car (directory-files "~/odd" t "^b")))' if kind is Emacs
                          else "execute 'edit' fnameescape(glob('~/odd/b*', 0, 1)[0])")
                self.assertEqual(self.current(), str(path))
                self.assertNotIn("E474", editor.messages())
                editor.end_now()

    def test_without_baton_nothing_happens(self):
        for kind in ALL:
            with self.subTest(kind.name):
                path = self.file(self.laptop, "notes.txt", "one\ntwo\n")
                editor = self.editor(kind, self.laptop, path, environment={"PATH": "/usr/bin:/bin"})
                editor.type("\x1b[B")
                editor.wait_for(line=2)
                self.assertNotIn("baton", editor.messages())
                try:
                    editor.resume()
                except AssertionError as error:
                    self.assertRegex(str(error), "n[o']t installed")
                else:
                    self.assertRegex(editor.messages(), "n[o']t installed")
                editor.end_now()

    def test_a_person_hears_that_nothing_is_offered(self):
        for kind in ALL:
            with self.subTest(kind.name):
                editor = self.editor(kind, self.desktop)
                editor.resume()
                editor.wait(lambda: "no other machine is offering a file" in editor.messages(), "says so")
                editor.end_now()

    def test_edit_position(self):
        here, there = self.clones(content=LINES)
        process = self.laptop.spawn_baton("edit-position", f"{here}:12:3")
        self.wait_for_offer(self.desktop, "notes.txt")
        receiver = self.editor(Vim, self.desktop)
        receiver.resume()
        receiver.wait_for(path=str(there), line=12, column=3)
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)

    def test_edit_position_needs_a_file(self):
        for name, message in ((f"{self.directory}/none:3", "There's no file"), (self.directory, "isn't a file"),
                              ("/dev/null", "isn't a file"), ("", "There's no file")):
            with self.subTest(name):
                self.laptop.baton("edit-position", name, status=1)
                self.assertIn(message, self.laptop.last_error)

    def test_edit_position_of_odd_names(self):
        for name, place in (("a:12", ":3"), ("b:1:2", ""), ("c:", ":4:5"), ("d e\n", ":6"), ("-e", ":7"), ("ü:x:8", ":9")):
            with self.subTest(name):
                path = self.file(self.laptop, f"odd/{name}", LINES)
                process = self.laptop.spawn_baton("edit-position", f"{path}{place}")
                wait_until(self.desktop.offers, "the offer")
                info = self.desktop.json("continue", "--type", TYPE)["activity"]["userInfo"]
                self.assertEqual(info["document"]["path"], str(path))
                numbers = [int(number) for number in place.split(":")[1:]]
                self.assertEqual([info["line"], info.get("column")], (numbers or [1]) + [None] * (2 - (len(numbers) or 1)))
                process.terminate()
                process.wait(PATIENCE)
                wait_until(lambda: not self.desktop.offers(), "its end")

    def test_edit_position_of_standard_input(self):
        first, second = (self.file(self.laptop, name, "1\n2\n3\n") for name in ("first.txt", "second.txt"))
        process = self.spawn(
            self.laptop.command_line("edit-position", "-"), stdin=subprocess.PIPE,
            # Files below /tmp are private, but not in a home directory.
            env={**self.laptop.environment, "HOME": str(self.homes[self.laptop])},
        )
        process.stdin.write(f"{first}:1\n".encode())
        process.stdin.flush()
        self.wait_for_offer(self.desktop, "first.txt")
        process.stdin.write(f"{second}:3:1\n".encode())
        process.stdin.flush()
        self.wait_for_offer(self.desktop, "second.txt")
        receiver = self.editor(Neovim, self.desktop)
        receiver.resume()
        # Neither machine shares it, so it is fetched.
        receiver.wait_for(path=str(self.homes[self.desktop] / "Handoff/second.txt"), line=3)
        process.stdin.write(f"{second}:1\n".encode())
        process.stdin.flush()
        offer = self.wait_for_offer(self.desktop, "second.txt")
        # What is private is not offered, and neither is what a private name leads to.
        (self.homes[self.laptop] / ".env").symlink_to(second)
        for private in (self.file(self.laptop, "key.pem", "secret"), self.homes[self.laptop] / ".env"):
            process.stdin.write(f"{private}:1\n".encode())
            process.stdin.flush()
            self.desktop.wait_until_not_offered(offer["id"])
            process.stdin.write(f"{second}:1\n".encode())
            process.stdin.flush()
            offer = self.wait_for_offer(self.desktop, "second.txt")
        process.stdin.close()
        self.wait_for_exit(process)
