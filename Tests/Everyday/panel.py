# SPDX-License-Identifier: Apache-2.0
"""A window that prints a token for each key that is pressed in it: what a desktop's panel gives the programs that it starts."""
import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gio, GLib, Gtk  # noqa: E402


def pressed(*_):
    context = Gdk.Display.get_default().get_app_launch_context()
    print(context.get_startup_notify_id(Gio.AppInfo.create_from_commandline("true", "true", Gio.AppInfoCreateFlags.NONE), []), flush=True)


GLib.set_prgname("panel")
window = Gtk.Window()
window.connect("key-press-event", pressed)
window.show_all()
Gtk.main()
