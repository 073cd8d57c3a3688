# SPDX-License-Identifier: Apache-2.0
"""The menu "Send with Baton" of Nautilus and Nemo, for nautilus-python and nemo-python."""
import gettext
import json
import sys

from gi.repository import Gio, GLib, GObject

# The file manager that loads this has loaded its own module before.
manager = next(
    sys.modules[name] for name in ("gi.repository.Nautilus", "gi.repository.Nemo") if name in sys.modules
)
PROGRAM = "@prefix@/lib/baton/send-files"
_ = gettext.translation("baton", "@prefix@/share/locale", fallback=True).gettext
TITLE = _("Send with Baton")
# In seconds: the shortest time between two questions.
PAUSE = 2


class SendMenu(GObject.GObject, manager.MenuProvider):
    """Nothing here waits: a menu shows the machines that are known, and asks again for the next menu."""

    def __init__(self):
        super().__init__()
        self.machines = []
        self.is_pausing = self.is_wanted = False
        self.ask()

    def ask(self):
        """Asks for the other machines: now, or after the pause."""
        if self.is_pausing:
            self.is_wanted = True
            return
        self.is_pausing, self.is_wanted = True, False
        try:
            if not GLib.find_program_in_path("baton"):
                raise FileNotFoundError
            flags = Gio.SubprocessFlags.STDOUT_PIPE | Gio.SubprocessFlags.STDERR_SILENCE
            process = Gio.Subprocess.new([PROGRAM, "--machines"], flags)
        except (GLib.Error, FileNotFoundError):
            self.know([])
        else:
            process.communicate_utf8_async(None, None, self.answered)

    def answered(self, process, result):
        try:
            _, output, _ = process.communicate_utf8_finish(result)
            self.know(json.loads(output) if process.get_successful() else [])
        except (GLib.Error, ValueError):
            self.know([])

    def know(self, machines):
        before, self.machines = self.machines, machines
        GLib.timeout_add_seconds(PAUSE, self.end_pause)
        if machines != before:
            # Builds the menu of the selected files again.
            self.emit_items_updated_signal()

    def end_pause(self):
        self.is_pausing = False
        if self.is_wanted:
            self.ask()
        return GLib.SOURCE_REMOVE

    def get_file_items(self, *arguments):
        """The last argument is the files. Some versions pass their window before it."""
        files = arguments[-1]
        self.ask()
        if not files or not self.machines:
            return []
        top = manager.MenuItem(name="Baton::Send", label=TITLE, tip=_("Send to another machine in your team"), icon="baton")
        menu = manager.Menu()
        top.set_submenu(menu)
        for machine in self.machines:
            name, tip = machine["name"].replace("_", "__"), _("Send to this machine")
            if not machine["connected"]:
                name, tip = _("{name} (offline)").format(name=name), _("Send when this machine is back online")
            item = manager.MenuItem(name=f"Baton::Send::{machine['id']}", label=name, tip=tip)
            item.connect("activate", self.send, machine, files)
            menu.append_item(item)
        return [top]

    @staticmethod
    def send(_, machine, files):
        names = [address(file) for file in files]
        words = [PROGRAM, "--to", machine["id"], "--team", machine["team"], "--", *names]
        try:
            Gio.Subprocess.new(words, Gio.SubprocessFlags.NONE)
        except GLib.Error:
            # More names than a program can be started with.
            Gio.Subprocess.new([PROGRAM, "--too-many"], Gio.SubprocessFlags.NONE)


def address(file):
    """The URL of a file. An entry in the list of recent files points to another URL."""
    uri, target = file.get_uri(), file.get_activation_uri()
    return target if not uri.startswith("file:") and (target or "").startswith("file:") else uri
