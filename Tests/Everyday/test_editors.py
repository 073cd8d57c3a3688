"""Places in texts, handed over between the real editors of two machines."""
# Labs: pair
import hashlib
import itertools
import json
import os
import pathlib
import shlex
import signal
import subprocess

from editors import ALL, Emacs, Neovim, Vim
from lab import BUILD, PATIENCE, ROOT, LabTest, wait_until

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
                           f"#!/bin/sh\nread line\ncat <<'.'\n{lines}.\nexec cat >/dev/null\n")
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
                wait_until(lambda: b"Which file is it?" in receiver.screen, "the question")
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
                    self.assertIn("not installed", str(error))
                else:
                    self.assertIn("not installed", editor.messages())
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
        for name, message in ((f"{self.directory}/none:3", "There is no file"), (self.directory, "is not a file"),
                              ("/dev/null", "is not a file"), ("", "There is no file")):
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


class HostileTests(EditorTest):
    """A member of the team sends places that are meant to harm."""

    def publish(self, **info):
        """An activity of a member, with any `userInfo`. Returns its connection and its ID."""
        self.number = getattr(self, "number", 0) + 1
        connection, activity = self.laptop.publish(
            TYPE, title=f"evil-{self.number}", userInfo=info, supportsContinuationStreams=True
        )
        self.desktop.wait_for_offer(activity)
        return connection, activity

    def serve(self, connection, content):
        """Serves a document to whoever asks, as an editor host does."""
        requested = connection.receive_until(lambda reply: reply["event"] == "streamRequested")
        _, early, stream = self.laptop.connect().upgrade("AcceptStream", stream=requested["stream"])
        while b"\n" not in early:
            early += stream.recv(4096)
        digest = hashlib.sha256(content).hexdigest()
        stream.sendall(b'{"size":%d,"sha256":"%s"}\n' % (len(content), digest.encode()) + content)
        stream.shutdown(1)

    def test_paths_lead_nowhere(self):
        secret = self.file(self.desktop, "secret.txt", "secret\n")
        editor = self.editor(Vim, self.desktop)
        for document in ({"path": str(secret)}, {"path": "/etc/passwd"}, {"path": "../../etc/passwd"}, {"path": 7},
                         {"path": "/x", "repositoryPath": "../../etc/passwd", "repositories": ["example.org/a/b"]},
                         {"path": "/x", "url": {"$url": "file:///etc/passwd"}}):
            with self.subTest(document):
                connection, activity = self.publish(document=document, line=1)
                editor.resume()
                # A document that is not allowed is not even fetched.
                if str(document["path"]).startswith("/") and "repositoryPath" not in document:
                    self.serve(connection, b"harmless\n")
                    path = editor.wait(lambda: editor.state()["path"], "opens a file")
                    self.assertTrue(path.startswith(str(self.homes[self.desktop] / "Handoff/")), path)
                    self.assertEqual(editor.text(), "harmless")
                else:
                    editor.wait(lambda: "not on this machine" in editor.messages(), "says so")
                connection.close()
                self.desktop.wait_until_not_offered(activity)
                editor.do("%bwipeout! | messages clear")
        self.assertEqual(secret.read_text(), "secret\n")

    def test_huge_numbers(self):
        for kind in ALL:
            with self.subTest(kind.name):
                here, there = self.clones(content=LINES)
                editor = self.editor(kind, self.desktop)
                connection, _ = self.publish(
                    document={"path": "/x", "repositories": ["git.example.org/ada/notes"],
                              "repositoryPath": "notes.txt"},
                    line=2**62, column=-5, topLine=2**31 - 1,
                    **{"org.vim.view": {"topline": 2**62, "leftcol": -1, "lnum": -7, "skipcol": 2**40}},
                )
                editor.resume()
                editor.wait_for(path=str(there), line=1, column=1)
                connection.close()
                editor.end_now()
                for home in self.homes.values():
                    subprocess.run(["rm", "-r", home / "src"], check=True)

    def test_nothing_in_a_fetched_file_is_obeyed(self):
        trap = self.directory / "trap"
        content = (
            "one\n"
            f"vim: set shiftwidth=13 foldexpr=writefile([],'{trap}') foldmethod=expr statusline=%{{writefile([],'{trap}')}}:\n"
            f"-*- mode: emacs-lisp; eval: (write-region \"\" nil \"{trap}\") -*-\n"
            "Local Variables:\n"
            "fill-column: 13\n"
            f"eval: (write-region \"\" nil \"{trap}\")\n"
            "End:\n"
        ).encode()
        for kind in ALL:
            with self.subTest(kind.name):
                editor = self.editor(kind, self.desktop)
                if kind is Emacs:
                    editor.do("(setq enable-local-variables :all enable-local-eval t)")
                else:
                    editor.do("set modeline modelineexpr")
                connection, _ = self.publish(document={"path": "/x/trap.txt"}, line=2)
                editor.resume()
                self.serve(connection, content)
                editor.wait(lambda: "trap" in editor.state()["path"], "opens it")
                editor.wait_for(line=2)
                self.assertFalse(trap.exists())
                value = editor.do("fill-column" if kind is Emacs else "let g:answer = &shiftwidth")
                self.assertNotEqual(value, 13)
                connection.close()
                editor.end_now()

    def test_a_fetched_file_is_read_although_a_buffer_has_its_name(self):
        for kind, leave in ((Vim, ""), (Vim, "enew | bdelete #"), (Neovim, "enew | bdelete #"), (Emacs, "")):
            with self.subTest(kind.name, leave=leave):
                more = "" if kind is Emacs else "set modeline swapfile directory=.\n"
                editor = self.editor(type("Careful", (kind,), {"more": more}), self.desktop)
                path = self.file(self.desktop, "Handoff/gone.txt", "old\n")
                editor.open(path)
                if leave:
                    editor.do(leave)
                path.unlink()
                # What an editor has left that was killed.
                swap = self.file(self.desktop, "Handoff/.gone.txt.swp", "x") if leave else None
                connection, activity = self.publish(document={"path": "/x/gone.txt"}, line=1)
                editor.resume()
                self.serve(connection, b"new\nvim: set shiftwidth=13 :\n")
                editor.wait(lambda: editor.state()["path"] == str(path) and editor.text().startswith("new"), "shows it")
                if kind is not Emacs:
                    self.assertNotEqual(editor.do("let g:answer = &shiftwidth"), 13)
                connection.close()
                self.desktop.wait_until_not_offered(activity)
                editor.end_now()
                for file in (path, swap):
                    if file:
                        file.unlink()

    def test_fetched_files_are_shown_as_text_in_emacs(self):
        editor = self.editor(Emacs, self.desktop)
        self.assertEqual(editor.do(
            '(let ((emacs-version "29.3")) (baton--distrusting (with-temp-buffer'
            ' (setq buffer-file-name "/x.org") (set-auto-mode) (setq buffer-file-name nil) (symbol-name major-mode))))'
        ), "fundamental-mode")
        self.assertEqual(editor.do(
            '(let ((emacs-version "29.3") (buffer (generate-new-buffer "x.org")))'
            ' (with-temp-file "~/text" (insert "#+LINK: y %(lambda (x) x)\\n"))'
            ' (with-current-buffer buffer (org-mode) (setq buffer-file-name "/x.org"))'
            ' (cl-letf (((symbol-function \'ediff-buffers) #\'ignore))'
            '  (baton--show-difference buffer `((path . "/x.org") (text . ,(expand-file-name "~/text")) (device . "laptop"))))'
            ' (prog1 (symbol-name (buffer-local-value \'major-mode (get-buffer "x.org from laptop")))'
            '  (with-current-buffer buffer (setq buffer-file-name nil)) (kill-buffer buffer) (kill-buffer "x.org from laptop")))'
        ), "fundamental-mode")
        for name, content in (("trap.zip", b"PK\x05\x06" + bytes(18)), ("trap.pdf", b"%PDF-1.4\n"), ("trap.svg", b"<svg/>"),
                              ("trap.tar", bytes(10240)), ("trap.txt.gz", b"\x1f\x8b\x08")):
            with self.subTest(name):
                connection, activity = self.publish(document={"path": f"/x/{name}"}, line=1)
                editor.resume()
                self.serve(connection, content)
                path = str(self.homes[self.desktop] / "Handoff" / name)
                mode = editor.wait(lambda: (state := editor.state())["path"] == path and state["mode"], "opens it")
                self.assertIn(mode, ("fundamental-mode", "nxml-mode", "text-mode"))
                connection.close()
                self.desktop.wait_until_not_offered(activity)

    def test_emacs_converts_nothing(self):
        content = "Content-Type: text/enriched\nText-Width: 70\n\n<bold>x</bold> <<y"
        editor = self.editor(Emacs, self.desktop)
        for info in ({"document": {"path": "/x/enriched.txt"}}, {"isModified": True}):
            with self.subTest(info):
                connection, activity = self.publish(line=1, **info)
                editor.resume()
                self.serve(connection, f"{content}\n".encode())
                editor.wait(lambda: "bold" in editor.text(), "has the text")
                self.assertEqual(editor.text(), content)
                connection.close()
                self.desktop.wait_until_not_offered(activity)
                editor.do('(progn (set-buffer-modified-p nil) (kill-buffer))')

    def test_nothing_in_unsaved_text_is_obeyed(self):
        trap = self.directory / "trap"
        content = (
            f"vim: set shiftwidth=13 foldexpr=writefile([],'{trap}') foldmethod=expr:\n"
            f"-*- mode: emacs-lisp; eval: (write-region \"\" nil \"{trap}\") -*-\n"
        ).encode()
        for kind in ALL:
            with self.subTest(kind.name):
                editor = self.editor(kind, self.desktop)
                if kind is Emacs:
                    editor.do("(setq enable-local-variables :all enable-local-eval t)")
                else:
                    editor.do("set modeline modelineexpr")
                connection, _ = self.publish(line=1, isModified=True, language="../../x|!touch y")
                editor.resume()
                self.serve(connection, content)
                editor.wait(lambda: "shiftwidth" in editor.text(), "has the text")
                self.assertFalse(trap.exists())
                if kind is not Emacs:
                    self.assertNotEqual(editor.do("let g:answer = &shiftwidth"), 13)
                connection.close()
                editor.end_now()

    def test_bookmarks_that_call_functions(self):
        trap = self.directory / "trap"
        directories = [
            # Emacs makes the name of another machine of some of these, and asks its handler while it looks at them.
            "/x/../ssh:$(cd;touch${IFS}TRAP)@localhost:/", "//ssh:a@evil.example:/", "/./sudo::/", "/x/..//su::/",
            "/x/../../telnet:a@evil.example:/", "/x/../ssh:a|sudo:b:/", "/:/tmp/", "/x/../:/ssh:a:/", "/a@evil.example:/",
            "/x/../[ssh/evil.example]/", "/ssh:evil.example:/", "/rclone:evil:/", "/adb::/", "/docker:a:/", "/x/../ftp:a:/",
            "~root/", "~/", "tmp/", "", "/net/evil.example/", "/proc/self/", "/x.tar/", "/usr/x.zip/y/", "/*",
            "/\\0/", "/\\n/", "http://127.0.0.1/", "file:///", "-l", "$HOME/", "/$HOME/", "/x/../../../ssh:a:/",
        ]
        manuals = ["/ssh:evil.example:/x", "*Apropos*", "*Finder*", "..", ".", "", "$HOME", "a b", "x;touch TRAP", "~", "a:b"]
        bookmarks = [
            f'((handler . delete-file) (filename . "{trap}"))',
            f'((handler . (lambda (x) (write-region "" nil "{trap}"))))',
            f'((handler lambda (x) (write-region "" nil "{trap}")))',
            f'((handler . Info-bookmark-jump) (x . #.(write-region "" nil "{trap}")))',
            f'((handler . dired-bookmark-jump) (dired-directory . "/ssh:evil.example:/"))',
            f'((handler . eww-bookmark-jump) (location . "http://evil.example/")) (write-region "" nil "{trap}")',
            f'((handler . Man-bookmark-jump) (man-args . "ls; touch {trap}"))',
            f'((handler . help-bookmark-jump) (help-fn . write-region) (help-args "" nil "{trap}"))',
            f'((handler . dired) (dired-directory . "/*") (dired-switches . "-l; touch {trap};"))',
            f'((handler . dired) (dired-directory "/" "{trap}"))',
            '((handler . dired) (dired-directory . "/usr/") (dired-directory . "/ssh:evil.example:/"))',
            '((handler . dired) (handler . eww-bookmark-jump) (dired-directory . "/usr/"))',
            '((handler . dired) (dired-directory . "/usr/") (position . -1))',
            '((handler . dired) (dired-directory . "/usr/") ("dired-directory" . "/x/"))',
            '((handler . dired) (dired-directory . ["/usr/"]))',
            '((handler . dired) (dired-directory . "/usr/") (dired-subdirs "/ssh:evil.example:/"))',
            # An address is not a place in a text.
            '((handler . eww-bookmark-jump) (location . "http://127.0.0.1:1/"))',
            '((handler . eww-bookmark-jump) (location . "file:///etc/passwd"))',
            '((handler . bookmark-default-handler) (filename . "/etc/passwd"))',
            '((handler . doc-view-bookmark-jump) (filename . "/usr/x.pdf"))',
            '((handler . image-bookmark-jump) (filename . "/usr/x.svg"))',
            '((handler . eshell-bookmark-jump) (location . "/usr"))',
            '((handler . woman-bookmark-jump) (filename . "/usr/x"))',
            '((handler . w3m-bookmark-jump) (url . "http://127.0.0.1:1/"))',
            '((handler . org-bookmark-jump) (location . "[[shell:id]]"))',
            '((handler . desktop-restore) (filename . "/usr/"))',
            '((handler) (filename . "emacs") (info-node . "Top"))',
            '((filename . "/etc/passwd"))',
            "((handler . Info-bookmark-jump) (a . #1=(x . #1#)))",
            '((handler . Info-bookmark-jump) (filename . "emacs") (info-node . "*Index*"))',
            '((handler . Info-bookmark-jump) (filename . "emacs") (info-node . "(/ssh:evil.example:/x)Top"))',
            '((handler . Info-bookmark-jump) (filename . "emacs"))', "(" * 500, "()", "nil", "dired", "",
        ]
        bookmarks += [f'((handler . dired) (dired-directory . "{name}"))'.replace("TRAP", str(trap)) for name in directories]
        bookmarks += [f'((handler . Info-bookmark-jump) (filename . "{name}") (info-node . "Top"))' for name in manuals]
        said = '(with-current-buffer (messages-buffer) (let ((inhibit-read-only t)) (erase-buffer)))'
        # What a name means is asked of nobody, although the handlers are there.
        watch = (
            "(progn (setq asked nil) (define-advice find-file-name-handler (:filter-return (x) asked) (when x (push x asked)) x)"
            " (push (cons \"\\\\`/[^/]*:\" (lambda (&rest call) (push call asked) nil)) file-name-handler-alist) t)"
        )
        messages = [{"type": "open", "line": 1, "device": "laptop", "view": {"org.gnu.emacs.bookmark": text}} for text in bookmarks]
        editor = self.fed(Emacs, more=f"{watch}\n")
        for message in messages:
            with self.subTest(message["view"]):
                editor.do(said)
                editor.do("(progn (setq asked nil) (baton--carry-out (json-parse-string %s :object-type 'alist)) t)"
                          % json.dumps(json.dumps(message), ensure_ascii=False))
                self.assertRegex(editor.messages(), "cannot show|is not a directory of this machine|is not on this machine")
                self.assertIsNone(editor.do("(and asked (format \"%S\" asked))"))
                self.assertFalse(trap.exists())
                self.assertEqual(editor.state()["buffer"], "*scratch*")
        self.assertIsNone(editor.do("(featurep 'tramp)"))
        # It is the same through the host.
        connection, _ = self.publish(line=1, **{"org.gnu.emacs.bookmark": f'((handler . dired) (dired-directory . "{directories[0]}"))'})
        editor = self.editor(Emacs, self.desktop)
        editor.resume()
        editor.wait(lambda: "cannot show" in editor.messages(), "refuses it")
        self.assertFalse(trap.exists())
        connection.close()

    def test_names_of_files_are_those_of_this_machine(self):
        trap = self.directory / "trap"
        for kind, path in itertools.product(ALL, (f"/x/../ssh:$(cd;touch${{IFS}}{trap})@localhost:/x", "scp://evil.example/x", "x.txt")):
            with self.subTest(kind.name, path=path):
                editor = self.fed(kind, {"type": "open", "path": path, "line": 1, "device": "laptop"})
                if kind is not Emacs and path[0] == "/":
                    # To Vim, it is a name like any other.
                    editor.wait(lambda: "from laptop" in editor.messages(), "opens it")
                else:
                    editor.wait(lambda: "not a file of this machine" in editor.messages(), "refuses it")
                self.assertFalse(trap.exists())
                editor.end_now()

    def test_names_that_are_let_through_mean_only_themselves(self):
        """Names made of all that has a meaning to Emacs, with everything loaded that gives one."""
        script = self.file(self.desktop, "names.el", r"""
(mapc #'require '(tramp jka-compr epa-file ange-ftp))
(random "baton")
(let ((parts ["/" "//" ".." "." "~" "ssh:" "su::" "sudo:root@h:" ":" "[ssh/h]" "[" "x" "a@b" "|" "\\" "$HOME" "${x}" "/ssh:h:"
              "/:" "file:" "http://" "*" " " "\u0301" "\u0d4e" "\n" "tmp" ".gz" ".tar" ".gpg" ".zip/" "-l" "net" "proc" ";" "`"])
      (inhibit-message t)
      (count 0))
  (dolist (syntax '(default simplified separate))
    (tramp-change-syntax syntax)
    (dotimes (_ 20000)
      (let ((name "/"))
        (dotimes (_ (1+ (random 7)))
          (setq name (concat name (aref parts (random (length parts))))))
        (dolist (result (list (baton--local-name name) (baton--local-directory name)))
          (when result
            (setq count (1+ count))
            (when (or (file-remote-p result) (not (equal result (expand-file-name result)))
                      (and (string-suffix-p "/" result) (find-file-name-handler result 'file-directory-p)))
              (error "%S is %S" name result)))))))
  (princ count))
""")
        done = subprocess.run(["emacs", "-Q", "--batch", "-L", ROOT / "Editors/emacs", "-l", "baton", "-l", script],
                              capture_output=True, text=True, timeout=PATIENCE * 4)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(int(done.stdout), 1000)

    def test_what_emacs_shows_of_another_machine(self):
        editor = self.fed(Emacs)
        text = '((handler . dired) (dired-directory . "/usr/../usr//share") (position . 5))'
        self.assertEqual(editor.do(
            f"(progn (baton--jump {json.dumps(text)}) (with-current-buffer (window-buffer)"
            " (vector (symbol-name major-mode) default-directory)))"
        ), ["dired-mode", "/usr/share/"])
        self.file(self.desktop, "info/x.info", "This is x.info.\n\n\x1f\nFile: x.info,  Node: Top,  Next: One\n\nTop\n"
                  "\n\x1f\nFile: x.info,  Node: One,  Prev: Top\n\nThe first\n")
        editor.do("(progn (require 'info) (info-initialize) (push (expand-file-name \"~/info\") Info-directory-list) t)")
        text = '((handler . Info-bookmark-jump) (filename . "/opt/x.info.gz") (info-node . "One"))'
        self.assertEqual(editor.do(
            f"(progn (baton--jump {json.dumps(text)}) (with-current-buffer (window-buffer)"
            " (vector (symbol-name major-mode) Info-current-node)))"
        ), ["Info-mode", "One"])
        # A manual is known by its name, wherever it is.
        self.assertEqual(editor.do(
            "(baton--read \"((handler . Info-bookmark-jump) (filename . \\\"/opt/share/info/emacs.info.gz\\\") (info-node . \\\"Top\\\"))\")"
        ), {"manual": "emacs", "node": "Top", "position": None})

    def test_no_program_of_a_language_reads_text_of_another_machine(self):
        """Neither what the editor brings along nor what the person has set up."""
        programs = self.homes[self.desktop] / "programs"
        for program in ("perl", "python", "python3", "ruby", "zig", "gawk", "awk"):
            self.file(self.desktop, f"programs/{program}", '#!/bin/sh\necho "$0 $*" >> "$TRAP"\n').chmod(0o755)
        texts = {"pl": "BEGIN { system 'touch x' }\n", "rb": "# x\nBEGIN { system 'touch x' }\n", "py": "# x\nimport os\n",
                 "zig": "const x = 1;\n", "awk": "# x\nBEGIN { }\n", "el": "(eval-when-compile (write-region \"\" nil \"x\"))\n"}
        names = {"pl": "perl", "rb": "ruby", "py": "python", "zig": "zig", "awk": "awk", "el": "lisp"}
        setup = """
(require 'flymake)
(add-hook 'prog-mode-hook #'flymake-mode)
(setq flymake-no-changes-timeout 0.05)
(add-hook 'after-change-major-mode-hook (lambda () (when (derived-mode-p 'prog-mode) (call-process "perl"))))
(define-globalized-minor-mode checked-mode flymake-mode (lambda () (when buffer-file-name (call-process "ruby"))))
(checked-mode 1)
"""
        vim = "syntax on\nfiletype plugin indent on\nautocmd FileType * call system('perl')\n"
        # Each language that an editor brings a program for.
        ends = {Vim: ("pl", "zig", "py"), Neovim: ("pl", "rb"), Emacs: texts}
        for kind, end, hasFile in ((kind, end, hasFile) for kind in ALL for end in ends[kind] for hasFile in (True, False)):
            with self.subTest(kind.name, end=end, hasFile=hasFile):
                text = texts[end]
                trap = self.directory / f"trap-{self.number if hasattr(self, 'number') else 0}"
                path = self.file(self.desktop, f"Handoff/x.{end}", text)
                message = {"type": "open", "line": 1, "device": "laptop", "language": names[end]}
                if hasFile:
                    message |= {"path": str(path), "isFetched": True}
                else:
                    message["text"] = str(self.file(self.desktop, "text", text))
                editor = self.fed(kind, message, more=setup if kind is Emacs else vim, environment={
                    "TRAP": str(trap), "PATH": f"{programs}:{os.environ['PATH']}",
                })
                editor.wait(lambda: "from laptop" in editor.messages(), "shows it")
                self.assertEqual(editor.text(), text.removesuffix("\n"))
                if kind is Emacs:
                    self.assertIsNone(editor.do("flymake-mode"))
                    if hasFile:
                        mode = {"pl": "perl-mode", "rb": "ruby-mode", "py": "python-mode", "el": "lisp-data-mode",
                                "awk": "awk-mode"}.get(end, "fundamental-mode")
                        self.assertEqual(editor.state()["mode"], mode)
                        self.assertEqual(editor.do("font-lock-mode"), True)
                        # It stays so if it is read again.
                        editor.do("(revert-buffer t t)")
                        self.assertEqual(editor.state()["mode"], mode)
                else:
                    self.assertEqual(editor.do("let g:answer = [&filetype, &syntax]"), ["", names[end]])
                editor.wait_until_told()
                self.assertFalse(trap.exists(), trap.read_text() if trap.exists() else "")
                editor.end_now()

    def test_programs_stop_before_text_of_another_machine_is_in_a_file(self):
        """What looked at the person's own text in the buffer is gone, whether or not it is known by its name."""
        here, there = self.clones(name="x.pl", content="1;\n")
        programs, trap = self.homes[self.desktop] / "programs", self.directory / "trap"
        self.file(self.desktop, "programs/perl", f'#!/bin/sh\ncat >> "{trap}"\n').chmod(0o755)
        setup = """
(add-hook 'prog-mode-hook #'flymake-mode)
(setq flymake-no-changes-timeout 0.05)
(defun check (&rest _) (call-process-region nil nil "perl"))
(add-hook 'perl-mode-hook (lambda () (add-hook 'after-change-functions #'check nil t)))
"""
        vim = """syntax on
set omnifunc=
function! Check()
  call system('perl', join(getline(1, '$'), ''))
endfunction
autocmd FileType perl setlocal omnifunc=Complete
autocmd TextChanged * if &filetype ==# 'perl' | call Check() | endif
"""
        for kind in ALL:
            with self.subTest(kind.name):
                trap.unlink(missing_ok=True)
                text = self.file(self.desktop, "text", "BEGIN { system 'touch x' }\n")
                status = there.stat()
                message = {"type": "open", "path": str(there), "line": 1, "device": "laptop", "text": str(text),
                           "fileTime": int(status.st_mtime), "fileSize": status.st_size}
                editor = self.fed(kind, message, more=setup if kind is Emacs else vim,
                                  environment={"PATH": f"{programs}:{os.environ['PATH']}"})
                editor.wait(lambda: "BEGIN" in editor.text(), "has the text")
                editor.type("x" if kind is Emacs else "ix\x1b")
                editor.wait(lambda: editor.text().startswith("x"), "has what was typed")
                editor.wait_until_told()
                # Its own file is the person's.
                self.assertNotIn("BEGIN", trap.read_text() if trap.exists() else "")
                if kind is Emacs:
                    self.assertEqual(editor.do("(vector flymake-mode (symbol-name major-mode))"), [None, "perl-mode"])
                    # That is how it is shown like the person's own.
                    editor.do("(progn (normal-mode) t)")
                    self.assertEqual(editor.do("flymake-mode"), True)
                else:
                    self.assertEqual(editor.do("let g:answer = [&filetype, &syntax, &omnifunc]"), ["", "perl", ""])
                    editor.do("filetype detect")
                    self.assertEqual(editor.do("let g:answer = &filetype"), "perl")
                editor.end_now()

    def test_modes_that_run_what_a_text_says_do_not_show_unsaved_text(self):
        here, there = self.clones(name="x.org", content="* One\n")
        text = self.file(self.desktop, "text", "#+begin_src perl\nBEGIN { }\n#+end_src\n")
        status = there.stat()
        editor = self.fed(Emacs, {
            "type": "open", "path": str(there), "line": 1, "device": "laptop", "text": str(text),
            "fileTime": int(status.st_mtime), "fileSize": status.st_size,
        })
        editor.wait(lambda: "BEGIN" in editor.text(), "has the text")
        editor.wait_for(path=str(there), mode="fundamental-mode")

    def test_scripts_that_are_no_language_do_not_run(self):
        for kind in (Vim, Neovim):
            for language in ("2html", "colortest", "perl.hitest", "nosyntax", "manual", "syncolor"):
                with self.subTest(kind.name, language=language):
                    text = self.file(self.desktop, "text", "one\n")
                    message = {"type": "open", "line": 1, "device": "laptop", "language": language, "text": str(text)}
                    editor = self.fed(kind, message, more="syntax on\n")
                    editor.wait(lambda: "from laptop" in editor.messages(), "shows it")
                    self.assertEqual((editor.windows(), editor.do("let g:answer = &syntax")), (["one"], ""), editor.messages())
                    editor.end_now()

    def test_editors_that_baton_continue_starts_take_a_fetched_file_as_text(self):
        programs = self.homes[self.desktop] / "programs"
        for program in ("perl", "emacs-perl"):
            self.file(self.desktop, f"programs/{program}", '#!/bin/sh\necho "$0 $*" >> "$TRAP"\n').chmod(0o755)
        setup = """
(setq enable-local-variables :all enable-local-eval t flymake-no-changes-timeout 0.05)
(add-hook 'prog-mode-hook #'flymake-mode)
(add-hook 'perl-mode-hook (lambda () (call-process "perl")))
"""
        vim = "set modeline modelineexpr\nsyntax on\nfiletype plugin indent on\nautocmd FileType * call system('perl')\n"
        for number, (kind, more) in enumerate((
            (Vim, vim), (Neovim, vim), (Emacs, setup), (Emacs, f"{setup}(fmakunbound 'baton-visit-fetched)\n"),
        )):
            with self.subTest(kind.name, number=number):
                trap = self.directory / f"trap-{number}"
                content = (
                    f"# vim: set shiftwidth=13 :\nBEGIN {{ }} # \u00e9\n# Local Variables:\n# mode: perl\n"
                    f'# eval: (write-region "" nil "{trap}")\n# End:\n'
                )
                connection, activity = self.publish(document={"path": f"/x/é \"{number}\\.pl"}, line=2, column=3)

                def command(editor, kind=kind, activity=activity):
                    editor.environment["VISUAL"] = shlex.join(map(str, kind.command(editor)))
                    return ["baton", "continue", activity]

                editor = self.editor(
                    type("Continued", (kind,), {"more": more, "command": command}), self.desktop,
                    environment={"TRAP": str(trap), "PATH": f"{BUILD}:{programs}:{os.environ['PATH']}"},
                )
                self.serve(connection, content.encode())
                editor.wait_for(line=2, column=3)
                self.assertEqual(editor.text(), content.removesuffix("\n"))
                self.assertTrue(editor.state()["path"].endswith(f'/Handoff/é "{number}\\.pl'), editor.state())
                if kind is Emacs:
                    self.assertIsNone(editor.do("(bound-and-true-p flymake-mode)"))
                    self.assertEqual(editor.state()["mode"], ["perl-mode", "fundamental-mode"][number - 2])
                else:
                    self.assertEqual(editor.do("let g:answer = [&filetype, &syntax, &modeline]"), ["", "perl", 0])
                    self.assertNotEqual(editor.do("let g:answer = &shiftwidth"), 13)
                    # Other files are the person's.
                    editor.do("edit ~/own.pl")
                    self.assertEqual(editor.do("let g:answer = &filetype"), "perl")
                    trap.unlink()
                self.assertFalse(trap.exists(), trap.read_text() if trap.exists() else "")
                connection.close()
                editor.end_now()

    def test_names_in_a_text_are_not_looked_at(self):
        editor = self.fed(Emacs)
        patch = self.file(self.desktop, "Handoff/x.patch", "--- /ssh:evil.example:/a\n+++ /ssh:evil.example:/a\n@@ -1 +1 @@\n-a\n+b\n")
        self.file(self.desktop, "Handoff/schemas.xml",
                  '<locatingRules xmlns="http://thaiopensource.com/ns/locating-rules/1.0">'
                  '<documentElement localName="x" uri="/ssh:evil.example:/x.rnc"/></locatingRules>\n')
        document = self.file(self.desktop, "Handoff/x.xml", "<?xml version='1.0'?>\n<x/>\n")
        org = self.file(self.desktop, "Handoff/x.org", "#+SETUPFILE: /ssh:evil.example:/x\n#+STARTUP: latexpreview\n")
        for path in (patch, document, org):
            with self.subTest(path.name):
                editor.do(f'(progn (pop-to-buffer-same-window (baton--buffer "{path}" t)) (redisplay t) (font-lock-ensure) t)')
                editor.wait_for(path=str(path), mode="fundamental-mode")
                editor.wait_until_told()
                self.assertIsNone(editor.do("(featurep 'tramp)"))

    def test_a_large_text_does_not_stop_emacs(self):
        """To colour the end of this one in C mode takes minutes."""
        line = "{" * 9000
        content = "\n".join([line] * 200)
        path = self.file(self.desktop, "Handoff/x.c", content)
        for document in ({"path": str(path), "isFetched": True}, {"text": str(self.file(self.desktop, "text", content)), "language": "c"}):
            with self.subTest(document):
                editor = self.fed(Emacs, {"type": "open", "line": 200, "device": "laptop", **document})
                editor.wait(lambda: "from laptop" in editor.messages(), "shows it")
                editor.do("(redisplay t)")
                editor.wait_for(line=200, mode="fundamental-mode")
                editor.end_now()

    def test_a_long_line_does_not_stop_the_editor(self):
        """A line of 8 MiB with all that makes it hard: brackets, directions, and a language."""
        line = '{"a":[1,2,"x é"],(b)}\u05d0\u202e('
        content = line * (8 * 1024 * 1024 // len(line.encode()))
        for kind, end, column, hasFile in (
            (Emacs, "js", 1, True), (Emacs, "js", 4_000_000, False), (Emacs, "txt", 4_000_000, True),
            (Vim, "js", 4_000_000, True), (Neovim, "js", 4_000_000, False),
        ):
            with self.subTest(kind.name, end=end, hasFile=hasFile):
                path = self.file(self.desktop, f"Handoff/x.{end}", content)
                message = {"type": "open", "line": 1, "column": column, "device": "laptop"}
                if hasFile:
                    message |= {"path": str(path), "isFetched": True}
                else:
                    message["text"] = str(self.file(self.desktop, "text", content))
                editor = self.fed(kind, message)
                editor.wait(lambda: "from laptop" in editor.messages(), "shows it")
                for key in ("\x1b[B", "\x1b[C", "\x1b[D", "\x1b[A"):
                    editor.type(key)
                    begin = editor.cpu_time()
                    editor.do("(redisplay t)" if kind is Emacs else "redraw")
                    # Without what is done here, it takes many seconds for each key.
                    self.assertLess(editor.cpu_time() - begin, 5)
                if kind is Emacs:
                    self.assertEqual(editor.do("(vector font-lock-mode bidi-display-reordering truncate-lines)"), [None, None, True])
                editor.end_now()
