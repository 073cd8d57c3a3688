# SPDX-License-Identifier: Apache-2.0
"""Places in texts that a member of the team has made to do harm."""
# Labs: pair
import hashlib
import itertools
import json
import os
import shlex
import subprocess

from editor_test import LINES, TYPE, EditorTest
from editors import ALL, Emacs, Neovim, Vim
from lab import BUILD, PATIENCE, ROOT


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
                    editor.wait(lambda: "didn't specify the file" in editor.messages(), "says so")
                connection.close()
                self.desktop.wait_until_not_offered(activity)
                editor.do("%bwipeout! | messages clear")
        self.assertEqual(secret.read_text(), "secret\n")

    def test_a_menu_opens_what_it_showed(self):
        """A member changes its offer while the person reads the list."""
        connection, activity = self.publish(document={"path": "/x/plan.txt"}, line=1)
        host = self.desktop.spawn_baton("editor-host", stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        def ask(**message):
            host.stdin.write(json.dumps({"request": "a", **message}).encode() + b"\n")
            host.stdin.flush()
            return json.loads(host.stdout.readline())

        offer, = ask(type="list")["offers"]
        self.assertEqual(offer["id"], activity)
        chosen = {"type": "continue", "id": activity, "deviceID": offer["deviceID"]}
        self.laptop.call("UpdateActivity", activity={
            "id": activity, "activityType": TYPE, "title": "another", "supportsContinuationStreams": True,
            "userInfo": {"document": {"path": "/x/trap.txt"}, "line": 1},
        })
        self.wait_for_offer(self.desktop, "another")
        answer = ask(**chosen)
        self.assertEqual(answer["type"], "failed")
        self.assertIn("has changed since it was shown", answer["message"])
        # Whoever reads the list again sees the other one, and takes it.
        offer, = ask(type="list")["offers"]
        self.assertIn("another", json.dumps(offer))
        host.stdin.write(json.dumps({**chosen, "request": "b"}).encode() + b"\n")
        host.stdin.flush()
        self.serve(connection, b"harmless\n")
        self.assertEqual(json.loads(host.stdout.readline())["type"], "open")

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

    def test_no_number_of_a_view_ends_an_editor(self):
        """Neovim reads before its first line if a window has -2,147,483,648 lines above it."""
        here, there = self.clones(content="".join(f"line {number} {'x' * 300}\n" for number in range(1, 201)))
        for kind, number, key in itertools.product((Vim, Neovim), (-2**31, -1, 2**31 - 1, -2**63), ("topfill", "leftcol", "skipcol")):
            if kind is Vim and number != -2**31:
                continue
            with self.subTest(f"{kind.name} {key} {number}"):
                editor = self.editor(kind, self.desktop)
                editor.do("set wrap")
                connection, activity = self.publish(
                    document={"path": "/x", "repositories": ["git.example.org/ada/notes"], "repositoryPath": "notes.txt"},
                    line=60, topLine=50, **{"org.vim.view": {key: number}},
                )
                editor.resume()
                editor.wait_for(path=str(there), line=60)
                # It still answers after it has drawn its window.
                editor.do("redraw!")
                editor.wait_for(path=str(there), line=60)
                connection.close()
                self.desktop.wait_until_not_offered(activity)
                editor.end_now()

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
            "~root/", "~/", "tmp/", "", "/net/evil.example/", "/proc/self/", "/var/run/", "/x/../var/lock/", "/x.tar/", "/usr/x.zip/y/", "/*",
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
                self.assertRegex(editor.messages(), "cannot show|is not a directory on this machine|is not on this machine")
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
                    editor.wait(lambda: "not a file on this machine" in editor.messages(), "refuses it")
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
            # Neither does the text choose one, or the name of the file.
            for language, name in (("eruby", "x.erb"), ("liquid", "x.liquid"), ("eruby", "x.2html.erb"), ("liquid", "x.2html.liquid")):
                with self.subTest(kind.name, language=language, name=name):
                    text = "one\n" if "2html" in name else f"<%# {language}_subtype=2html %>\n"
                    path = self.file(self.desktop, f"Handoff/{name}", text)
                    message = {"type": "open", "line": 1, "device": "laptop", "path": str(path), "isFetched": True}
                    editor = self.fed(kind, message, more="syntax on\n")
                    editor.wait(lambda: "from laptop" in editor.messages(), "shows it")
                    self.assertEqual((editor.windows(), editor.do("let g:answer = &syntax")), ([text.strip()], language), editor.messages())
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
                    # It stays so if it is read again.
                    editor.do("set nohidden | enew | buffer # | edit")
                    self.assertEqual(editor.do("let g:answer = [&filetype, &syntax, &modeline]"), ["", "perl", 0])
                    # Other files are the person's.
                    editor.do("edit ~/own.pl")
                    self.assertEqual(editor.do("let g:answer = &filetype"), "perl")
                    trap.unlink()
                self.assertFalse(trap.exists(), trap.read_text() if trap.exists() else "")
                connection.close()
                editor.end_now()

    def test_a_fetched_file_that_vim_reads_again_stays_text(self):
        for kind in (Vim, Neovim):
            trap = self.directory / f"trap-{kind.name}"
            content = "BEGIN { }\nzwei\n# vim: set shiftwidth=13 :\n"
            path = self.file(self.desktop, "Handoff/x.pl", content)
            more = (
                "set nohidden modeline modelineexpr\nsyntax on\nfiletype plugin on\n"
                f"autocmd FileType perl call writefile([], '{trap}')\n"
            )
            editor = self.fed(kind, {"type": "open", "path": str(path), "line": 1, "device": "laptop", "isFetched": True}, more=more)
            editor.wait_for(path=str(path))
            for command in ("enew | buffer #", "edit", "edit! | edit ~/other.txt | edit #", "enew | bdelete # | buffer #"):
                with self.subTest(kind.name, command=command):
                    editor.do(command)
                    editor.wait_for(path=str(path), modified=0)
                    self.assertEqual(editor.text() + "\n", content)
                    self.assertEqual(
                        editor.do("let g:answer = [&filetype, &syntax, &modeline, &shiftwidth == 13, &readonly]"), ["", "perl", 0, False, 0]
                    )
                    self.assertFalse(trap.exists())
            # Nothing is lost where all of it is one closed fold.
            editor.do("setlocal foldmethod=expr foldexpr=1 foldlevel=0 | edit")
            self.assertEqual(editor.text() + "\n", content)
            # It is written as any file.
            editor.do("call setline(1, 'eins') | write")
            self.assertEqual(path.read_text(), content.replace("BEGIN { }", "eins"))
            editor.end_now()

    def test_a_text_that_is_saved_under_another_name_stays_text(self):
        """Saved for the first time or as another file, it would get the programs of the language that the name says."""
        programs, trap = self.homes[self.desktop] / "programs", self.directory / "trap"
        self.file(self.desktop, "programs/perl", f'#!/bin/sh\ncat >> "{trap}"\n').chmod(0o755)
        setup = "(require 'flymake)\n(add-hook 'prog-mode-hook #'flymake-mode)\n(setq flymake-no-changes-timeout 0.05)\n"
        vim = ("set modeline\nsyntax on\nfiletype plugin on\n"
               "autocmd FileType perl call system('perl', join(getline(1, '$'), ''))\n")
        content = "BEGIN { system 'touch x' }\n# vim: set shiftwidth=13 :\n"
        here, there = self.clones(name="own.txt", content="1;\n")
        status = there.stat()
        own = {"path": str(there), "fileTime": int(status.st_mtime), "fileSize": status.st_size}
        for kind, source in itertools.product(ALL, ("unsaved", "fetched", "own")):
            for number, command in enumerate(("",) if kind is Emacs else ("saveas", "write") if source == "unsaved" else ("saveas",)):
                with self.subTest(kind.name, source=source, command=command):
                    trap.unlink(missing_ok=True)
                    message = {"type": "open", "line": 1, "device": "laptop", "language": "perl"}
                    if source == "fetched":
                        message |= {"path": str(self.file(self.desktop, "Handoff/x.txt", content)), "isFetched": True}
                    else:
                        message["text"] = str(self.file(self.desktop, "text", content))
                    if source == "own":
                        message |= own
                    editor = self.fed(kind, message, more=setup if kind is Emacs else vim,
                                      environment={"PATH": f"{programs}:{os.environ['PATH']}"})
                    editor.wait(lambda: "BEGIN" in editor.text() and "from laptop" in editor.messages(), "has the text")
                    saved = self.homes[self.desktop] / f"saved-{kind.name}-{source}-{number}.pl"
                    editor.do(f'(progn (write-file "{saved}") t)' if kind is Emacs else f"silent {command} {saved}")
                    editor.wait_until_told()
                    self.assertEqual(saved.read_text(), content)
                    self.assertFalse(trap.exists(), trap.read_text() if trap.exists() else "")
                    if kind is Emacs:
                        self.assertIsNone(editor.do("(bound-and-true-p flymake-mode)"))
                    else:
                        self.assertEqual(editor.do("let g:answer = [&filetype, &modeline, &eventignore, &shiftwidth == 13]"), ["", 0, "", False])
                        # Other files have their languages.
                        editor.do(f"edit {self.file(self.desktop, 'own.pl', '')}")
                        self.assertEqual(editor.do("let g:answer = &filetype"), "perl")
                        trap.unlink()
                    editor.end_now()

    def test_a_text_that_is_saved_and_read_again_stays_text(self):
        """Vim reads a buffer again that was left, and Emacs one that is reverted. By then, it has a name that says a language."""
        programs, trap = self.homes[self.desktop] / "programs", self.directory / "trap"
        self.file(self.desktop, "programs/perl", f'#!/bin/sh\ncat >> "{trap}"; echo >> "{trap}"\n').chmod(0o755)
        setup = ("(require 'flymake)\n(require 'desktop)\n(setq desktop-restore-frames nil)\n(add-hook 'prog-mode-hook #'flymake-mode)\n"
                 "(setq flymake-no-changes-timeout 0.05)\n")
        vim = "syntax on\nfiletype plugin on\nset nohidden\nautocmd FileType perl call system('perl', join(getline(1, '$'), ''))\n"
        content = "BEGIN { system 'touch x' }\n"
        ways = {
            Vim: (["silent saveas NAME", "edit!"], ["file NAME", "silent write!", "edit!"], ["silent saveas NAME", "enew", "buffer #"]),
            Emacs: (['(progn (write-file "NAME") t)', "(progn (revert-buffer t t) t)"],
                    ['(progn (set-visited-file-name "NAME") (save-buffer) t)', "(progn (revert-buffer t t) t)", "(progn (revert-buffer t t) t)"],
                    ['(progn (write-file "NAME") t)', '(progn (find-alternate-file "NAME") t)'],
                    ['(progn (write-file "NAME") (kill-buffer) t)', '(progn (find-file "NAME") t)'],
                    ['(progn (write-file "NAME") (kill-buffer) t)', '(progn (find-file-literally "NAME") t)'],
                    ['(progn (write-file "NAME") (kill-buffer) (rename-file "NAME" "NAME.pl") t)', '(progn (find-file "NAME.pl") t)'],
                    ['(progn (write-file "NAME") (kill-buffer) (make-symbolic-link "NAME" "NAME.pl") t)', '(progn (find-file "NAME.pl") t)'],
                    ['(progn (write-file "NAME") (write-region nil nil (make-auto-save-file-name))'
                     " (set-file-times (make-auto-save-file-name) (time-add nil 10)))",
                     "(progn (require 'cl-lib) (cl-letf (((symbol-function 'yes-or-no-p) #'always)) (recover-file \"NAME\")) t)"],
                    ["(progn (write-file \"NAME\") (baton--dress 'perl-mode) t)", '(progn (make-directory "NAME.d") (desktop-save "NAME.d/" t) (kill-buffer) t)',
                     '(progn (setq baton--foreign-files nil) (desktop-read "NAME.d/") (switch-to-buffer (get-file-buffer "NAME")) t)']),
        }
        ways[Neovim] = ways[Vim]
        for kind, isFetched in itertools.product(ALL, (False, True)):
            for number, commands in enumerate(ways[kind]):
                with self.subTest(kind.name, isFetched=isFetched, commands=commands):
                    trap.unlink(missing_ok=True)
                    message = {"type": "open", "line": 1, "device": "laptop", "language": "perl"}
                    if isFetched:
                        message |= {"path": str(self.file(self.desktop, "Handoff/x.txt", content)), "isFetched": True}
                    else:
                        message["text"] = str(self.file(self.desktop, "text", content))
                    editor = self.fed(kind, message, more=setup if kind is Emacs else vim,
                                      environment={"PATH": f"{programs}:{os.environ['PATH']}"})
                    editor.wait(lambda: "BEGIN" in editor.text() and "from laptop" in editor.messages(), "has the text")
                    saved = self.homes[self.desktop] / f"again-{kind.name}-{isFetched}-{number}.pl"
                    for command in commands:
                        editor.do(command.replace("NAME", str(saved)))
                        editor.wait_until_told()
                    self.assertEqual(editor.text(), content.removesuffix("\n"))
                    if kind is Emacs:
                        self.assertIsNone(editor.do("(bound-and-true-p flymake-mode)"))
                    else:
                        self.assertEqual(editor.do("let g:answer = [&filetype, &eventignore]"), ["", ""])
                    self.assertFalse(trap.exists())
                    editor.end_now()

    def test_hooks_of_dired_do_not_run(self):
        """They ask git about a directory that another machine has chosen, and may have sent."""
        trap = self.directory / "trap"
        folder = self.homes[self.desktop] / "Handoff/photos"
        folder.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", folder], check=True)
        subprocess.run(["git", "-C", folder, "config", "core.fsmonitor", f"touch {trap}; false"], check=True)
        ask = '(lambda () (process-file "git" nil nil nil "status"))'
        editor = self.fed(Emacs, more=f"(add-hook 'dired-mode-hook {ask})\n(add-hook 'dired-after-readin-hook {ask})\n")
        text = f'((handler . dired) (dired-directory . "{folder}/"))'
        self.assertEqual(editor.do(
            f"(progn (baton--jump {json.dumps(text)}) (with-current-buffer (window-buffer)"
            " (vector (symbol-name major-mode) (expand-file-name default-directory) font-lock-mode)))"
        ), ["dired-mode", f"{folder}/", True])
        self.assertFalse(trap.exists())
        # The person's own way to it is as ever.
        editor.do(f'(progn (kill-buffer (window-buffer)) (dired "{folder}") t)')
        self.assertTrue(trap.exists())

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
        """To colour the end of these in their modes takes minutes."""
        for name, language, content in (
            ("x.c", "c", "\n".join(["{" * 9000] * 200)), ("x.py", "python", "\n".join(['"' * 9000] * 3)),
            ("many.py", "python", "\n".join(['"' * 900] * 250)),
        ):
            path, last = self.file(self.desktop, f"Handoff/{name}", content), content.count("\n") + 1
            for document in (
                {"path": str(path), "isFetched": True},
                {"text": str(self.file(self.desktop, "text", content)), "language": language},
            ):
                with self.subTest(document):
                    editor = self.fed(Emacs, {"type": "open", "line": last, "device": "laptop", **document})
                    editor.wait(lambda: "from laptop" in editor.messages(), "shows it")
                    editor.do("(redisplay t)")
                    editor.wait_for(line=last, mode="fundamental-mode")
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
