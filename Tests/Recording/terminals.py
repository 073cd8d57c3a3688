# SPDX-License-Identifier: Apache-2.0
"""Xfce's terminal with Bash, Vim and Emacs, as a person sets them up."""
import subprocess

from stage import HOME, WIDTH, HEIGHT
from waiting import wait_until

# A clone of the same repository has different places on the two machines.
CLONES = {"laptop": "src/app", "desktop": "work/app"}
REMOTE = "https://git.example.org/ada/app.git"
SOURCE = '''\
"""Works out when the tide turns in the harbour."""
from datetime import timedelta

# Twice for each round of the moon.
PERIOD = timedelta(hours=12, minutes=25)


def next_high_water(last, now):
    """Returns the first high water after now."""
    count = (now - last) // PERIOD + 1
    return last + count * PERIOD


def is_rising(last, now):
    """Whether the water is rising."""
    return (now - last) % PERIOD > PERIOD / 2
'''
FILES = {
    "README.md": "# Tide clock\n", "tides/harbour.py": SOURCE, "tides/moon.py": "PHASES = 8\n", "tides/clock.py": "FACE = 12\n", "tests/test_harbour.py": "",
}
BASHRC = r"""
case $- in *i*) ;; *) return ;; esac
PS1='\[\e]0;\u@\h: \w\a\]\[\e[1;32m\]\u@\h\[\e[0m\]:\[\e[1;34m\]\w\[\e[0m\]$ '
alias ls='ls --color=auto'
eval "$(baton shell-init bash)"
"""
VIMRC = """
set nocompatible background={vim} number cursorline noswapfile laststatus=2 ruler title titlestring=%t\\ line\\ %l titleold=
syntax on
highlight CursorLine cterm=NONE ctermbg={line}
highlight CursorLineNr cterm=bold ctermbg={line}
highlight StatusLine cterm=NONE ctermfg=231 ctermbg=24
set mouse= t_u7= t_RV= shortmess+=I
"""
EMACS = """
(setq inhibit-startup-screen t make-backup-files nil auto-save-default nil)
(menu-bar-mode -1)
(load-theme '{theme} t)
(setq-default display-line-numbers t)
(baton-mode 1)
"""
TERMINAL = """[Configuration]
FontName=JetBrains Mono {points}
ColorForeground={theme.text}
ColorBackground={theme.ground}
ColorCursor={theme.accent}
ColorCursorUseDefault=FALSE
ColorPalette={theme.colours}
ColorBoldIsBright=FALSE
MiscMenubarDefault=FALSE
MiscToolbarDefault=FALSE
MiscBordersDefault=TRUE
MiscCursorBlinks=FALSE
MiscCursorShape=TERMINAL_CURSOR_SHAPE_BLOCK
MiscConfirmClose=FALSE
ScrollingBar=TERMINAL_SCROLLBAR_NONE
TitleMode=TERMINAL_TITLE_REPLACE
"""
# A window, without its frame: x, y, width, height. The frame of Arc adds a title.
PLACE = (22, 44, WIDTH - 44, HEIGHT - 66)


def set_up(machine, points=12):
    theme = machine.theme
    machine.write(".bashrc", BASHRC)
    machine.write(".inputrc", "set bell-style none\nset enable-bracketed-paste off\n")
    machine.write(".vimrc", VIMRC.format(vim=theme.name, line=236 if theme.is_dark else 254))
    machine.write(".emacs", EMACS.format(theme="modus-vivendi" if theme.is_dark else "modus-operandi"))
    machine.write(".config/xfce4/terminal/terminalrc", TERMINAL.format(theme=theme, points=points))


def clone(machines):
    """Makes a repository, and a clone of it on each machine."""
    stage = machines[0].stage
    origin = stage.directory / "app"

    def git(*words, cwd):
        subprocess.run(
            ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main", *words], cwd=cwd, check=True,
            capture_output=True, stdin=subprocess.DEVNULL,
        )

    for name, text in FILES.items():
        file = origin / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    git("init", cwd=origin)
    git("add", ".", cwd=origin)
    git("commit", "-m", "Work out when the tide turns", cwd=origin)
    for machine in machines:
        place = machine.home / CLONES[machine.name]
        place.parent.mkdir(parents=True, exist_ok=True)
        git("clone", origin, place, cwd=machine.home)
        git("remote", "set-url", "origin", REMOTE, cwd=place)
        machine.own()


def open_terminal(machine, place=PLACE, *words):
    """Opens a terminal, and returns its window when the shell waits for a command."""
    known = set(machine.x("search", "--onlyvisible", "--class", "Xfce4-terminal").split())
    machine.start("xfce4-terminal", "--disable-server", "--geometry=50x12", f"--working-directory={HOME}", *words, log="terminal")

    def new():
        return sorted(set(machine.x("search", "--onlyvisible", "--class", "Xfce4-terminal").split()) - known)

    window = wait_until(new, f"a terminal on the {machine.name}", 60)[0]
    machine.place(window, *place)
    wait_for_title(machine, window, f"ada@{machine.name}: ~")
    return window


def wait_for_title(machine, window, words, seconds=30):
    wait_until(lambda: words in machine.title(window), lambda: f"“{words}” in the title of the terminal: {machine.title(window)!r}", seconds)


def enter(machine, command, delay=36):
    """Types a command as a person does."""
    machine.type(command, delay)
    machine.press("Return")
