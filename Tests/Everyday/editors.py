# SPDX-License-Identifier: Apache-2.0
"""The real editors, each in a terminal of its own, and a way to ask them what they show."""
import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import termios
import threading

from lab import BUILD, PATIENCE, ROOT, wait_until

PLUGINS = ROOT / "Editors"
COMPILED = ROOT / ".build/emacs"

# Asks for commands every few milliseconds, whatever the person does. So tests need not type to look.
VIM = """
set nocompatible hidden noswapfile shortmess+=I viminfo= updatetime=100
set runtimepath^={plugins}/vim
filetype plugin on
let g:handoff_test = '{control}'
function! Test(...)
  let file = g:handoff_test . '/command'
  if filereadable(file)
    let lines = readfile(file)
    call delete(file)
    try
      let g:answer = v:null
      for line in lines
        execute line
      endfor
      let answer = json_encode([g:answer])
    catch
      let answer = json_encode(v:exception . ' at ' . v:throwpoint)
    endtry
    call writefile([answer], g:handoff_test . '/new')
    call rename(g:handoff_test . '/new', g:handoff_test . '/answer')
  endif
endfunction
call timer_start(20, 'Test', {{'repeat': -1}})
"""

# Without its first setting, Emacs would compile all that it loads from here on.
EMACS = """
(setq native-comp-deferred-compilation nil inhibit-startup-screen t make-backup-files nil auto-save-default nil create-lockfiles nil
      initial-scratch-message nil vc-handled-backends nil custom-file "/dev/null" ediff-window-setup-function
      'ediff-setup-windows-plain)
(push "{plugins}/emacs" load-path)
(require 'baton)
(setq baton-delay 0.05)
(baton-mode 1)
(defun handoff-test ()
  (let ((file "{control}/command"))
    (when (file-exists-p file)
      (let* ((form (with-temp-buffer (insert-file-contents file) (delete-file file) (read (current-buffer))))
             (answer (condition-case problem
                         (vector (with-current-buffer (window-buffer) (eval form t)))
                       (error (format "%S" problem))))
             (coding-system-for-write 'utf-8))
        (write-region (condition-case nil
                          (json-serialize answer :null-object nil :false-object :json-false)
                        (error "[null]"))
                      nil "{control}/new" nil 'quiet)
        (rename-file "{control}/new" "{control}/answer")))))
(run-with-timer 0.02 0.02 #'handoff-test)
"""


class Editor:
    """An editor of a person at the machine of `daemon`, whose home directory is `home`."""

    rows, columns = 30, 100
    # Lines that are added to its configuration.
    more = ""

    def __init__(self, case, daemon, home, *files, environment=None):
        self.case = case
        self.home = home
        self.control = case.directory / f"{daemon.name}-{self.name}-{len(case.editors)}"
        self.runtime = case.directory / f"{daemon.name}-run"
        self.control.mkdir()
        self.runtime.mkdir(mode=0o700, exist_ok=True)
        self.screen = b""
        control, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", self.rows, self.columns, 0, 0))
        self.environment = {
            **daemon.environment, "HOME": str(home), "XDG_RUNTIME_DIR": str(self.runtime), "TERM": "xterm",
            "PATH": f"{BUILD}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", **(environment or {}),
        }
        self.process = subprocess.Popen(
            [*map(str, self.command()), *map(str, files)], stdin=terminal, stdout=terminal, stderr=terminal,
            env=self.environment, cwd=home, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(terminal)
        self.terminal = control
        self.ending = os.pipe()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()
        case.editors.append(self)
        case.addCleanup(self.end)

    def read(self):
        while True:
            ready, _, _ = select.select([self.terminal, self.ending[0]], [], [])
            if self.ending[0] in ready:
                return
            try:
                data = os.read(self.terminal, 65536)
            except OSError:
                return
            if not data:
                return
            self.screen = (self.screen + data)[-100_000:]

    def type(self, text):
        data = text.encode()
        while data:
            data = data[os.write(self.terminal, data[:1024]):]

    def do(self, command):
        """Executes it in the editor; returns the answer."""
        answer = self.control / "answer"
        answer.unlink(missing_ok=True)
        (self.control / "new-command").write_text(command)
        (self.control / "new-command").rename(self.control / "command")
        try:
            wait_until(answer.exists, f"{self.name} answers")
        except AssertionError:
            raise AssertionError(f"{self.name} does not answer:\n{self.screen[-3000:]!r}\n{self.doings()}") from None
        result = json.loads(answer.read_text())
        if isinstance(result, str):
            raise AssertionError(f"{command}: {result}")
        return result[0]

    def doings(self):
        """What its processes wait for, and the files through which it is asked."""
        processes = subprocess.run(
            ["ps", "--forest", "-s", str(self.process.pid), "-o", "pid,stat,wchan:24,args"], capture_output=True, text=True
        ).stdout
        return processes + " ".join(sorted(path.name for path in self.control.iterdir()))

    def hosts(self):
        """The IDs of the hosts that it runs."""
        output = subprocess.run(
            ["ps", "-o", "pid=,args=", "--ppid", str(self.process.pid)], capture_output=True, text=True
        ).stdout
        return [int(line.split()[0]) for line in output.splitlines() if "editor-host" in line]

    def cpu_time(self):
        """In seconds."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            return sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")

    def wait(self, condition, what):
        try:
            return wait_until(condition, f"{self.name}: {what}", interval=0.05)
        except AssertionError as failure:
            raise AssertionError(f"{failure}\n{self.messages()}\n{self.state()}\n{self.screen[-2000:]!r}") from None

    def wait_for(self, **expected):
        """Waits until the editor shows this; returns everything that it shows."""
        def shows():
            state = self.state()
            return state if all(state[key] == value for key, value in expected.items()) else None

        return self.wait(shows, f"shows {expected}")

    def quit(self):
        """As a person does."""
        self.type(self.quitting)
        self.process.wait(PATIENCE)

    def end_now(self):
        """Kills it before the test's end."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        os.write(self.ending[1], b".")
        self.reader.join(PATIENCE)
        for descriptor in (*self.ending, self.terminal):
            os.close(descriptor)


class Vim(Editor):
    name = "vim"
    program = ["vim", "-X"]
    quitting = "\x1b:qall!\r"

    def command(self):
        configuration = self.control / "vimrc"
        configuration.write_text(VIM.format(plugins=PLUGINS, control=self.control) + self.more)
        return [*self.program, "-u", configuration, "-i", "NONE"]

    def state(self):
        return self.do(
            "let g:answer = {'path': expand('%:p'), 'line': line('.'), 'top': line('w0'), 'modified': &modified, "
            "'column': strchars(strpart(getline('.'), 0, col('.') - 1)) + 1, 'isDiff': &diff, 'buftype': &buftype}"
        )

    def messages(self):
        return self.do("let g:answer = execute('messages')")

    def text(self):
        return "\n".join(self.do("let g:answer = getline(1, '$')"))

    def open(self, path):
        self.do("execute 'edit' fnameescape('%s')" % str(path).replace("'", "''"))

    def move(self):
        """The person does something."""
        self.type("\x1b[B\x1b[C")

    def go(self, line, column=1):
        self.type(f"\x1b:call cursor({line}, byteidxcomp(getline({line}), {column} - 1) + 1)\r")
        self.wait_for(line=line, column=column)

    def top(self, line):
        self.type(f"\x1b:call winrestview({{'topline': {line}}})\r")
        self.wait_for(top=line)

    def append(self, text):
        """Adds a line at the end, without saving."""
        self.do(f"call append(line('$'), '{text}')")

    def save(self):
        self.do("write")

    def wait_until_told(self):
        """Waits for longer than the plugin gathers changes, by the editor's own clock."""
        self.do("let g:isTold = v:false | call timer_start(500, {-> execute('let g:isTold = v:true')})")
        self.wait(lambda: self.do("let g:answer = g:isTold"), "has told where it is")

    def resume(self):
        self.do("BatonContinue")

    def windows(self):
        """The texts of all windows."""
        return ["\n".join(lines) for lines in
                self.do("let g:answer = map(range(1, winnr('$')), {_, w -> getbufline(winbufnr(w), 1, '$')})")]


class Neovim(Vim):
    name = "nvim"
    program = ["nvim"]


class Emacs(Editor):
    name = "emacs"
    quitting = "\x1b\x1b\x1b\x18\x03"

    def command(self):
        # What Emacs loads before it reads any setting, it compiles. Each would do so again, because its home is new.
        compiled = self.home / ".emacs.d/eln-cache"
        if not compiled.is_symlink():
            COMPILED.mkdir(parents=True, exist_ok=True)
            compiled.parent.mkdir(parents=True, exist_ok=True)
            compiled.symlink_to(COMPILED)
        configuration = self.control / "init.el"
        configuration.write_text(EMACS.format(plugins=PLUGINS, control=self.control) + self.more)
        return ["emacs", "-nw", "-Q", "-l", configuration]

    def state(self):
        return self.do(
            "`((path . ,(or buffer-file-name \"\")) (line . ,(line-number-at-pos)) (buffer . ,(buffer-name))"
            " (column . ,(1+ (- (point) (line-beginning-position)))) (top . ,(line-number-at-pos (window-start)))"
            " (mode . ,(symbol-name major-mode))"
            " (modified . ,(if (buffer-modified-p) 1 0)) (isDiff . ,(if (get-buffer \"*Ediff Control Panel*\") 1 0)))"
        )

    def messages(self):
        return self.do("(with-current-buffer (messages-buffer) (buffer-string))")

    def text(self):
        return self.do("(buffer-substring-no-properties (point-min) (point-max))").removesuffix("\n")

    def open(self, path):
        self.do("(find-file %s)" % json.dumps(str(path), ensure_ascii=False))

    def move(self):
        self.type("\x0e\x06")

    def go(self, line, column=1):
        self.do(f"(progn (goto-char (point-min)) (forward-line {line - 1}) (forward-char {column - 1}))")

    def top(self, line):
        self.do(f"(save-excursion (goto-char (point-min)) (forward-line {line - 1}) (set-window-start nil (point)) t)")

    def append(self, text):
        self.do(f'(save-excursion (goto-char (point-max)) (insert "{text}\\n"))')

    def save(self):
        self.do("(save-buffer)")

    def wait_until_told(self):
        self.do("(progn (setq handoff-told nil) (run-with-timer 0.5 nil (lambda () (setq handoff-told t))) t)")
        self.wait(lambda: self.do("handoff-told"), "has told where it is")

    def resume(self):
        self.do("(baton-continue)")

    def windows(self):
        return self.do(
            "(vconcat (mapcar (lambda (w) (with-current-buffer (window-buffer w)"
            " (string-remove-suffix \"\\n\" (buffer-substring-no-properties (point-min) (point-max)))))"
            " (window-list nil 'no-minibuffer)))"
        )


ALL = [Vim, Neovim, Emacs]
