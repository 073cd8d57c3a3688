#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small programs that need more than a floor allows, and one that does not."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMPILER = shutil.which("clang") or "cc"
FLOOR = """
version GLIBC 2.35  # a comment
version LIBSYSTEMD 221
needs program libc.so.6 libplain.so.1
runpath program $ORIGIN
symbols libplain.so.1 listed
loads program libsystemd.so.0 sd_
"""
SOURCE = """
#include <sys/stat.h>
int listed(void), newer(void);
const char *const loaded = "{loaded}";
int (*const pointers[])(void) = {{ {used} }};
int main(int count, char **words) {{ struct stat s; return stat(words[0], &s) + pointers[count - 1]() + (int)(long)loaded; }}
"""


class SymbolsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.compile("int listed(void) { return 1; } int newer(void) { return 2; }", "libplain.so",
                     "-shared", "-fPIC", "-Wl,-soname,libplain.so.1")

    def compile(self, source, name, *options):
        file = self.folder / "source.c"
        file.write_text(source)
        # Debug information would have the names, too.
        command = [COMPILER, "-O1", "-g", "-fPIE", "-o", self.folder / name, file, f"-L{self.folder}", *options]
        subprocess.run(command, check=True, capture_output=True, text=True)

    def complaints(self, *options, used="listed", loaded="sd_bus_call", floor=FLOOR, runpath="$ORIGIN"):
        source = SOURCE.format(used=used, loaded=loaded)
        self.compile(source, "program", "-pie", "-fuse-ld=lld", f"-Wl,-rpath,{runpath}", "-lplain", *options)
        (self.folder / "floor.txt").write_text(floor)
        command = [ROOT / "Scripts/check-symbols", "--floor", self.folder / "floor.txt", self.folder / "program"]
        result = subprocess.run(command, capture_output=True, text=True)
        self.status = result.returncode
        prefix = f"{self.folder / 'program'} "
        return [line.removeprefix(prefix) for line in result.stdout.splitlines()] + result.stderr.splitlines()

    def test_what_the_floor_has_is_allowed(self):
        self.assertEqual(self.complaints(), [])
        self.assertEqual(self.status, 0)

    def test_newer_symbols_are_refused_by_name(self):
        found = self.complaints(floor=FLOOR.replace("2.35", "2.9"))
        self.assertIn("needs GLIBC_2.33, which is newer than 2.9: stat", found)
        self.assertEqual(self.status, 1)
        # 2.9 is older than 2.34.
        self.assertFalse([line for line in found if "GLIBC_2.2.5" in line], found)

    def test_compact_relocations_are_refused(self):
        found = self.complaints("-Wl,-z,pack-relative-relocs")
        self.assertIn("has relocations (RELR) that glibc 2.35 does not understand", found)
        self.assertIn("needs GLIBC_ABI_DT_RELR, which is not in the floor: the file itself", found)

    def test_another_library_is_refused(self):
        self.assertEqual(self.complaints("-Wl,--no-as-needed", "-lm"), ["needs the library libm.so.6"])

    def test_a_function_that_is_not_listed_is_refused(self):
        found = self.complaints(used="listed, newer")
        self.assertEqual(found, ["uses newer, which the floor does not list. Find out since when its library has it"])

    def test_another_place_for_libraries_is_refused(self):
        self.assertRegex(" ".join(self.complaints(runpath="/tmp")), r"^looks for libraries elsewhere than in \$ORIGIN: RUNPATH")

    def test_functions_that_are_looked_up_are_refused(self):
        found = self.complaints(floor=FLOOR.replace("LIBSYSTEMD 221", "LIBSYSTEMD 220"))
        self.assertEqual(found, ["looks up sd_bus_call, and LIBSYSTEMD_221 is newer than 220"])
        found = self.complaints(loaded="sd_bus_of_tomorrow")
        self.assertEqual(found, ["looks up sd_bus_of_tomorrow, which libsystemd.so.0 of this machine does not have"])
        self.assertEqual(len(self.complaints(loaded="nothing")), 1)

    def test_what_cannot_be_found_out_does_not_pass(self):
        for floor in (FLOOR.replace("needs program", "needs other"), FLOOR + "needed program libz.so.1\n"):
            self.assertEqual(len(self.complaints(floor=floor)), 1)
            self.assertEqual(self.status, 2)


if __name__ == "__main__":
    unittest.main()
