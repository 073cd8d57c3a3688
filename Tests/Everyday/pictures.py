# SPDX-License-Identifier: Apache-2.0
"""Images of terminals, from what programs have written to them. Scripts/record makes those of the documents."""
import pathlib
import subprocess
import tempfile

from lab import PATIENCE, ROOT

PICTURES = ROOT / ".build/everyday"


def screen(written, rows, columns):
    """The text that a terminal of this size shows when a program has written these bytes."""
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory, "written")
        file.write_bytes(written)
        tmux = ["tmux", "-S", f"{directory}/socket", "-f", "/dev/null"]
        command = f"stty raw -echo; cat {file}; tmux -S {directory}/socket wait-for -S drawn; sleep {PATIENCE}"

        def run(*words):
            return subprocess.run([*tmux, *words], check=True, capture_output=True, text=True, timeout=PATIENCE).stdout

        run("new-session", "-d", "-x", str(columns), "-y", str(rows + 1), command)
        try:
            run("wait-for", "drawn")
            return run("capture-pane", "-p").rstrip("\n")
        finally:
            run("kill-server")


def draw(name, text, rows, columns):
    """Draws light text on a dark ground."""
    lines = [line.ljust(columns) for line in text.split("\n")[:rows]]
    lines += [" " * columns] * (rows - len(lines))
    literally = "\n".join(lines).replace("\\", "\\\\").replace("%", "%%")
    PICTURES.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["convert", "-background", "#202020", "-fill", "#e8e8e8", "-font", "DejaVu-Sans-Mono", "-pointsize", "13", f"label:{literally}",
         "-bordercolor", "#202020", "-border", "6", "-strip", str(PICTURES / f"{name}.png")],
        check=True, timeout=PATIENCE,
    )
