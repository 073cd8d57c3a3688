# SPDX-License-Identifier: Apache-2.0
"""What the agent keeps of what was copied."""
# Labs: lo
import os

from lab import wait_until
from test_clipboard import ClipboardTest


class MemoryTests(ClipboardTest):
    def held(self, machine):
        """How often the agent holds what was copied: files in memory."""
        folder = f"/proc/{machine.process.pid}/fd"
        links = []
        for name in os.listdir(folder):
            try:
                links.append(os.readlink(f"{folder}/{name}"))
            except FileNotFoundError:
                pass
        return sum("memfd:copied" in link for link in links)

    def test_nothing_is_held_of_what_was_withdrawn(self):
        laptop, desktop = self.machines()
        for size in (40, 3_000_000):
            laptop.copy(b"x" * size)
            desktop.wait_for_copy("laptop", size=size)
            self.assertEqual(desktop.run("paste"), b"x" * size)
            self.assertEqual(self.held(laptop), 1)
            laptop.run("copy", "--clear")
            wait_until(lambda: self.held(laptop) == self.held(desktop) == 0, "nothing is held")
