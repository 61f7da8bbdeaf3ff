#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/doc-outputs notices an output that a command no longer prints, and mends it.  doc_outputs_test.py PROGRAM"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "doc-outputs"
PROGRAM = pathlib.Path(sys.argv.pop()).resolve()
PAGE = """```yaml
a: block
```
<!-- output -->
```
$ echo "two
lines"
two
lines

$ flitmend analyze paper --list | grep -o '^kns-lemmas'
kns-lemmas
```

<!-- output of 0123abc -->
```
$ sleep 1000
```
"""


class DocOutputs(unittest.TestCase):
    def run_on(self, text, *options):
        """Exit status, what is printed, and the page afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(text)
            done = subprocess.run([SCRIPT, "--program", PROGRAM, *options, page], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr, page.read_text()

    def test_a_page_that_is_right_stays_as_it_is(self):
        self.assertEqual(self.run_on(PAGE, "--check"), (0, "", PAGE))
        self.assertEqual(self.run_on(PAGE), (0, "", PAGE))

    def test_a_stale_output_is_shown_and_mended(self):
        stale = PAGE.replace("\nkns-lemmas\n", "\nkns-dilemmas\n")
        status, said, after = self.run_on(stale, "--check")
        self.assertEqual((status, after), (1, stale))
        self.assertIn("-kns-dilemmas\n+kns-lemmas\n", said)
        self.assertEqual(self.run_on(stale), (0, "", PAGE))

    def test_refuses_an_output_without_a_marker(self):
        status, said, _ = self.run_on(PAGE.replace("<!-- output -->\n", ""))
        self.assertEqual(status, 1)
        self.assertIn("put <!-- output --> before the block that begins with: $ echo", said)

    def test_a_command_that_fails_is_named(self):
        status, said, _ = self.run_on(PAGE.replace("analyze paper", "analyse paper"), "--check")
        self.assertEqual(status, 1)
        self.assertIn("exit status 1 of: flitmend analyse paper", said)

    def test_leaves_out_what_depends_on_the_machine(self):
        page = "<!-- output -->\n```\n$ printf 'host  7 s CPU\\nhosts\\n'\nhosts\n```\n"
        self.assertEqual(self.run_on(page, "--check"), (0, "", page))


unittest.main()
