# SPDX-License-Identifier: Apache-2.0
"""accessible.py ROLE: prints what a screen reader says of each thing with this role on the screen, as JSON: name and description."""
import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib


def walk(node):
    """Yields what is shown, even if parts of it disappear meanwhile."""
    try:
        if node.get_role_name() == sys.argv[1] and node.get_state_set().contains(Atspi.StateType.SHOWING):
            yield [node.get_name(), node.get_description()]
        children = [node.get_child_at_index(index) for index in range(node.get_child_count())]
    except GLib.Error:
        return
    for child in filter(None, children):
        yield from walk(child)


print(json.dumps(list(walk(Atspi.get_desktop(0)))))
