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

    def test_a_hundred_mebibytes_each_way_in_every_style(self):
        laptop, desktop = self.two()
        for styles in itertools.product(STYLES, STYLES):
            with self.subTest(styles=styles):
                self.exchange(laptop, desktop, styles)
