#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/same-results finds what differs between two programs: the real one, and one that changes a result of it.

same_results_test.py PROGRAM"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "same-results"
PROGRAM = pathlib.Path(sys.argv.pop()).resolve()


class SameResults(unittest.TestCase):
    def compare(self, case, change=None):
        """Exit status and output, if the new program runs `change` in its output folder afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            new = PROGRAM
            if change:
                new = pathlib.Path(folder) / "new"
                new.write_text(f"""#!/bin/bash
'{PROGRAM}' "$@" || exit
while [[ $1 != --out ]]; do shift; done
cd "$2" && {change}
""")
                new.chmod(0o755)
            done = subprocess.run([SCRIPT, PROGRAM, new, case], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

    def test_a_program_has_the_same_results_as_itself(self):
        self.assertEqual(self.compare("sbrp-1-kns"), (0, "1 cases: 1 the same, 0 differ, 0 cannot be run\n"))

    def test_a_trace_is_replayed(self):
        self.assertEqual(self.compare("trace-end-to-end")[0], 0)

    def test_names_a_figure_that_differs(self):
        status, said = self.compare("sbrp-1-kns", """sed -i 's/"cycles": 1/"cycles": 2/' stats.json""")
        self.assertEqual(status, 1)
        self.assertRegex(said, r"sbrp-1-kns: stats.json: simulation.cycles: 1\d+ -> 2\d+\n")

    def test_names_the_first_line_that_differs(self):
        status, said = self.compare("none", "sed -i '0,/repair/s//miracle/' events.csv && sed -i '$d' waves.vcd")
        self.assertEqual(status, 1)
        self.assertRegex(said, r"none: events.csv:\d+: .*repair.* -> .*miracle")
        self.assertRegex(said, r"none: waves.vcd:\d+: ")

    def test_names_another_exit_status(self):
        status, said = self.compare("sbrp-1-kns", "exit 3")
        self.assertEqual(status, 1)
        self.assertIn("sbrp-1-kns: exit status: 0 -> 3", said)

    def test_refuses_an_unknown_case(self):
        status, said = self.compare("sbrp-9")
        self.assertEqual(status, 2)
        self.assertIn("unknown case sbrp-9; known: iq, ", said)


unittest.main()
