# SPDX-License-Identifier: Apache-2.0
"""Two apps that exchange a lot in both directions at once, each in its own style, and exit as soon as they have all."""
# Labs: lo
import itertools
import subprocess

from lab import BUILD, LabTest

STYLES = ("main", "runLoop", "threads", "callback")
LENGTH = 100 * 1024 * 1024


class ExchangeTests(LabTest):
    labs = ("lo",)

    def exchange(self, laptop, desktop, styles):
        processes = []
        for machine, verb, style in zip((laptop, desktop), ("offer", "await"), styles):
            command = [str(BUILD / "stream-app"), verb, "org.example.exchange", style, str(LENGTH)]
            processes.append(self.spawn(command, env=machine.environment, stdout=subprocess.PIPE))
        for process, style in zip(processes, styles):
            output, _ = process.communicate(timeout=60)
            self.assertEqual((process.returncode, output.decode()), (0, "Whole\n"), f"{style} of {styles}")

    def test_a_stream_that_is_only_released_is_a_break_at_both_ends(self):
        """Only close() ends a stream, although the app lives on, and its socket ends like any other."""
        laptop, desktop = self.two()
        for verbs, style in itertools.product((("offer", "await"), ("await", "offer")), ("release", "ignore")):
            with self.subTest(style=style, drops=verbs[0]):
                processes = []
                # The one that offers comes first.
                for verb, own in sorted(zip(verbs, (style, "callback")), reverse=True):
                    machine = laptop if verb == "offer" else desktop
                    command = [str(BUILD / "stream-app"), verb, "org.example.exchange", own, "1000"]
                    processes.append((own, self.spawn(
                        command, env=machine.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                    )))
                for own, process in processes:
                    if own == "ignore":
                        continue
                    output, _ = process.communicate(timeout=60)
                    self.assertEqual((process.returncode, output.splitlines()[-1]), (1, "Not whole"), own)
                    reason = "released before it was closed" if own == "release" else "closed the stream early"
                    self.assertIn(reason, output)
                for own, process in processes:
                    process.kill()
                    _, errors = process.communicate(timeout=60)
                    if own == "ignore" and verbs[0] == "offer":
                        self.assertIn("doesn't implement userActivity(_:didReceive:outputStream:)", errors)

    def test_a_hundred_mebibytes_each_way_in_every_style(self):
        laptop, desktop = self.two()
        for styles in itertools.product(STYLES, STYLES):
            with self.subTest(styles=styles):
                self.exchange(laptop, desktop, styles)
