#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""manual_test.py FLITMEND: the manual page has every command and option of --help, and is well-formed."""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)


def flitmend(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


def section(text, title):
    found = re.search(rf"^{title}:\n(.*?)(?:^\S|\Z)", text, re.M | re.S)
    return found[1].splitlines() if found else []


def every_command(path=()):
    """Path and help text of every command, the program's own first."""
    text = flitmend(*path, "--help")
    yield path, text
    for line in section(text, "Subcommands"):
        name = re.match(r"  ([a-z][a-z-]*)(?: |$)", line)
        if name:
            yield from every_command((*path, name[1]))


class Manual(unittest.TestCase):
    page = flitmend("reference", "--manual")

    def part(self, path):
        """The page's text on that command, as a reader sees it."""
        title = ".SS " + " ".join(("flitmend", *path)).replace("-", "\\-") if path else ".SH OPTIONS"
        self.assertIn(title + "\n", self.page)
        text = self.page.split(title + "\n", 1)[1]
        text = re.split(r"^\.S[SH] ", text, maxsplit=1, flags=re.M)[0]
        return re.sub(r"\\f.", "", text).replace("\\-", "-")

    def test_has_what_help_has(self):
        commands = 0
        for path, text in every_command():
            commands += 1
            part = self.part(path)
            for line in section(text, "Options"):
                for name in re.findall(r"^  (-[-a-z,A-Z]+)", line):
                    for option in name.split(","):
                        self.assertIn(option, part, path)
        self.assertGreater(commands, 12)

    def test_has_every_exit_status(self):
        header = pathlib.Path(__file__).parents[2] / "testbench" / "run_end.h"
        declared = re.findall(r"^ +\w+ = (\d+), +///< (.*)$", header.read_text(), re.M)
        self.assertGreater(len(declared), 6)
        part = self.page.split(".SH EXIT STATUS\n", 1)[1].split(".SH ", 1)[0]
        self.assertEqual(part, "".join(f".TP\n{status}\n{text[0].upper()}{text[1:]}.\n" for status, text in declared))

    def test_names_the_folder_of_the_documentation(self):
        self.assertRegex(self.page, r"\n\.SH FILES\n\.TP\n\\fI\S+\\fR\nREADME\.md")

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_is_formatted_without_warnings(self):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=self.page, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
