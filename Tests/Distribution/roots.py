# SPDX-License-Identifier: Apache-2.0
"""Roots that package managers of other distributions install into, on this machine."""
import contextlib
import os
import pathlib
import subprocess
import tempfile

DIST = pathlib.Path(os.environ["BATON_DIST"])
# A Debian, whose copies run what packages do when they're installed.
DEBIAN = pathlib.Path(os.environ["BATON_ROOT"])


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def ask(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    return done.returncode, done.stdout + done.stderr


@contextlib.contextmanager
def debian():
    """A copy of the Debian, which isn't booted."""
    with tempfile.TemporaryDirectory() as folder:
        run("mount", "-t", "tmpfs", "tmpfs", folder)
        try:
            for name in ("up", "work", "root"):
                os.mkdir(f"{folder}/{name}")
            layers = f"lowerdir={DEBIAN},upperdir={folder}/up,workdir={folder}/work"
            run("mount", "-t", "overlay", "overlay", "-o", layers, f"{folder}/root")
            try:
                yield pathlib.Path(folder, "root")
            finally:
                run("umount", "-R", f"{folder}/root")
        finally:
            run("umount", folder)


def files(root):
    """The files and links below a folder."""
    found = (path for path in pathlib.Path(root).rglob("*") if path.is_symlink() or not path.is_dir())
    return {"/" + str(path.relative_to(root)) for path in found}


def ours(root):
    """The paths that have to do with Baton."""
    return sorted(path for path in files(root) if "baton" in path.lower())
