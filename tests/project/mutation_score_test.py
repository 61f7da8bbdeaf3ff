#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/mutation-score with stand-ins for the compiler and the programs: what it plants, and what it says of each mutant."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "mutation-score"

# One mutant per line, in a body only.
SOURCE = """// SPDX-License-Identifier: Apache-2.0
namespace flitmend {
// if (comment) the text is left alone
constexpr int kLimit = 3;
int judge(int a) {
  if (wrong) return a;
  if (crash) return a;  // && a
  if (refused) return a;
  if (slow) return a;
  if (idle) return a;
  if (guarded) return a;
  static_assert(kLimit == 3);
  throw Error("no a == b");
}
}  // namespace flitmend
"""
FILE = "protocols/recovery/fcr/sender.cpp"

NINJA = f"""#!/bin/bash
cd "$2/../.." && ! grep -q '!(refused)' {FILE} || {{ echo 'sender.cpp: error: refused'; exit 1; }}
"""

PROGRAM = """#!/bin/bash
here=$(dirname "$0")
for protocol in fcr apcs; do "$here/flitmend-search" "recovery:
  protocol: $protocol" '{"faults": 1}' || exit; done
"""

SEARCH = f"""#!/usr/bin/env python3
import json, pathlib, sys
assert json.loads(sys.argv[2]) == {{"faults": 1}}
text = pathlib.Path(__file__).parents[2].joinpath("{FILE}").read_text()
fcr = "fcr" in sys.argv[1]
if "!(crash)" in text:
    sys.exit("crashed")
wrong = "!(wrong)" in text and fcr
failures = [dict(kind="livelock", cases=2)] if wrong else []
counts = dict(cases=7, resent=4 if "!(slow)" in text else 3, guarded=1 if "!(guarded)" in text else 0, edges=9)
print(json.dumps(dict(exhaustive=counts, failures=failures)))
"""


class MutationScore(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "project"
        for name, text in {FILE: SOURCE, "CMakeLists.txt": "", "examples/exhaustive-quick.yaml": "", "bin/ninja": NINJA,
                           "build/release/build.ninja": "", "build/release/flitmend": PROGRAM,
                           "build/release/flitmend-search": SEARCH}.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        (self.root / "scripts").mkdir()
        self.script = self.root / "scripts" / "mutation-score"
        shutil.copy(SCRIPT, self.script)

    def run_script(self, *options):
        done = subprocess.run([self.script, "--copy", self.root, *options], capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{self.root}/bin:{os.environ['PATH']}"})
        return done.returncode, done.stdout + done.stderr

    def test_only_code_is_changed(self):
        status, said = self.run_script("--list")
        self.assertEqual(status, 0)
        wanted = [f"{FILE}:{line}: negated: if ({word}) return a;{rest} -> if (!({word})) return a;{rest}" for line, word, rest in
                  [(6, "wrong", ""), (7, "crash", "  // && a"), (8, "refused", ""), (9, "slow", ""), (10, "idle", ""),
                   (11, "guarded", "")]]
        self.assertEqual(sorted(said.splitlines(), key=lambda line: int(line.split(":")[1])), wanted)

    def test_the_seed_chooses(self):
        orders = {self.run_script("--list", "--seed", str(seed))[1] for seed in range(6)}
        self.assertGreater(len(orders), 1)
        self.assertEqual(self.run_script("--list", "--seed", "3"), self.run_script("--list", "--seed", "3"))
        self.assertEqual(len(self.run_script("--list", "--count", "2")[1].splitlines()), 2)

    def test_every_result(self):
        status, said = self.run_script()
        self.assertEqual(status, 0)
        self.assertRegex(said, r"killed +protocols/recovery/fcr/sender.cpp:6: .*\(fcr: livelock \(2\) within 7 cases\)\n")
        self.assertRegex(said, r"killed +\S+:7: .*\(fcr: the search ends with status 1: crashed\)\n")
        self.assertRegex(said, r"refused +\S+:8: .*\(sender.cpp: error: refused\)\n")
        self.assertRegex(said, r"differs +\S+:9: .*\(7 cases: resent \+1\)\n")
        self.assertRegex(said, r"survived +\S+:10: .*\(the same counts in 7 cases\)\n")
        self.assertRegex(said, r"killed +\S+:11: .*\(fcr: guard \(1\) within 7 cases\)\n")
        self.assertTrue(said.endswith("6 mutants: 1 refused, 3 killed, 0 tests, 1 differs, 1 survived\nscore: 3 of 5, 60.0 %\n"), said)
        self.assertEqual((self.root / FILE).read_text(), SOURCE)

    def test_continues_where_it_stopped(self):
        results = self.root / "results"
        self.assertEqual(self.run_script("--results", results, "--count", "2")[0], 0)
        self.assertEqual(self.run_script("--results", results)[0], 2)
        status, said = self.run_script("--results", results, "--resume")
        self.assertEqual(status, 0)
        self.assertEqual(len(said.splitlines()), 4 + 2)
        records = [json.loads(line) for line in results.read_text().splitlines()]
        self.assertEqual(sorted(record["line"] for record in records), [6, 7, 8, 9, 10, 11])

    def test_sources_that_fail_already(self):
        (self.root / FILE).write_text(SOURCE.replace("(crash)", "(!(crash))"))
        status, said = self.run_script()
        self.assertEqual(status, 2)
        self.assertIn("the campaign fails without a mutant", said)


unittest.main()
