# SPDX-License-Identifier: Apache-2.0
# Labs: lo
"""The command in a language other than English: with the catalog beside it, as in /usr."""
import gettext
import json
import shutil
import subprocess

from lab import ROOT, LabTest


class LanguageTest(LabTest):
    labs = ("lo",)

    def setUp(self):
        super().setUp()
        if not shutil.which("msgfmt"):
            self.skipTest("msgfmt is not installed")
        self.laptop = self.batond("laptop").start()
        self.laptop.baton("team", "create", "Demo")
        # The command looks for catalogs beside the folder of its file. A link would lead it to the original.
        self.command = self.directory / "usr/bin/baton"
        self.command.parent.mkdir(parents=True)
        shutil.copy(self.laptop.build / "baton", self.command)
        catalogs = self.directory / "usr/share/locale"
        folder = catalogs / "de/LC_MESSAGES"
        folder.mkdir(parents=True)
        subprocess.run(["msgfmt", "-o", folder / "baton.mo", ROOT / "po/de.po"], check=True)
        self.catalog = gettext.translation("baton", catalogs, ["de"])

    def german(self, text):
        """The translation, which isn't the English text."""
        translation = self.catalog.gettext(text)
        self.assertNotEqual(translation, text, f"po/de.po has no {text!r}")
        return translation

    def run_baton(self, *arguments, status=0, language="de"):
        """Runs the command and returns what it prints and reports."""
        kept = {name: value for name, value in self.laptop.environment.items() if not name.startswith("LC_")}
        environment = {**kept, "LANG": "C.UTF-8", "LANGUAGE": language}
        result = subprocess.run(
            [self.command, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=60,
        )
        self.assertEqual(result.returncode, status, result.stderr)
        return result.stdout, result.stderr

    def test_help_is_translated(self):
        text, _ = self.run_baton("--help")
        for english in ("Usage: baton COMMAND [OPTIONS]", "More commands:"):
            self.assertIn(self.german(english), text)
            self.assertNotIn(english, text)

    def test_labels_are_translated_and_aligned(self):
        text, _ = self.run_baton("status")
        labels = [self.german(label) for label in ("Machine:", "Discovery:", "Offered:")]
        lines = {label: line for line in text.splitlines() for label in labels if line.startswith(label)}
        self.assertEqual(list(lines), labels)
        columns = {len(line) - len(line[len(label):].lstrip()) for label, line in lines.items()}
        self.assertEqual(len(columns), 1, text)
        self.assertIn("laptop", lines[labels[0]])

    def test_errors_are_translated(self):
        _, error = self.run_baton("status", "--nonsense", status=2)
        expected = self.german("Unknown option '%1$s'.").replace("%1$s", "--nonsense")
        self.assertEqual(error.splitlines()[0], f"baton: {expected}")

    def test_documents_for_programs_stay_english(self):
        german, english = (json.loads(self.run_baton("status", "--json", language=each)[0]) for each in ("de", "en"))
        for document in (german, english):
            # What has happened so far differs between two calls.
            del document["counters"]
        self.assertEqual(german, english)
        _, error = self.run_baton("status", "--nonsense", "--json", status=2)
        self.assertIn("Unknown option '--nonsense'.", json.loads(error)["message"])
