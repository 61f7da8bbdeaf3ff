#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/bench with stand-ins for benchmark programs and the yardstick: what it runs, writes and prints."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "bench"

# Has two cases, logs what it ran, and gives different figures in each round.
PROGRAM = """#!/usr/bin/env python3
import json, pathlib, re, sys
notes = pathlib.Path(__file__).parent / "notes"
CHILD = "net/8x8/0.2/iterations:1/manual_time"
names = [CHILD, "alone/ports:5"]
if "--benchmark_list_tests" in sys.argv:
    print("\\n".join(names))
    sys.exit()
pattern = [a.split("=", 1)[1] for a in sys.argv if a.startswith("--benchmark_filter=")][0]
chosen = [n for n in names if re.search(pattern, n)]
assert len(chosen) == 1 and "--benchmark_format=json" in sys.argv, sys.argv
name = chosen[0]
with notes.open("a") as file:
    file.write(name + "\\n")
round = notes.read_text().splitlines().count(name)
entry = {"name": name, "run_name": name, "run_type": "iteration", "repetitions": 1, "repetition_index": 0,
         "iterations": 1, "time_unit": "ms", "real_time": 500.0 * round, "cpu_time": 2e-4}
if name == CHILD:
    entry.update(flit_hops_per_second=1e7 / round, ns_per_flit_hop=100.0 * round, cycles_per_second=150000.0,
                 bytes_per_node=20480.0, label="plain_loop=8,4,8,5,0.2,9000")
FAILURE
print(json.dumps({"context": {"num_cpus": 2, "executable": __file__}, "benchmarks": [entry]}))
"""

YARDSTICK = """#!/usr/bin/env python3
import pathlib, sys
with (pathlib.Path(__file__).parent / "notes").open("a") as file:
    file.write("yardstick " + " ".join(sys.argv[1:]) + "\\n")
print("a first line")
print("cycles=9000 LAST avg_latency=3")
"""


class Bench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program("net_benchmark", PROGRAM.replace("FAILURE", ""))
        self.program("yardstick", YARDSTICK.replace("LAST", "ns/flit-hop=50.0"))
        self.program("not-one-of-them", "#!/bin/sh\nexit 1\n")

    def program(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)

    def bench(self, *options):
        out = self.folder / "results" / "bench.json"
        done = subprocess.run([sys.executable, SCRIPT, "--programs", self.folder, "--out", out, *options],
                              capture_output=True, text=True)
        document = json.loads(out.read_text()) if out.exists() else None
        return done.returncode, done.stdout, done.stderr, document

    def notes(self):
        return (self.folder / "notes").read_text().splitlines()

    def test_runs_rounds_and_writes_repetitions_and_medians(self):
        status, printed, said, document = self.bench("--repetitions", "3")
        self.assertEqual(status, 0, said)
        self.assertEqual(self.notes(), ["net/8x8/0.2/iterations:1/manual_time", "alone/ports:5"] * 3)
        entries = [e for e in document["benchmarks"] if e["run_name"] == "net/8x8/0.2"]
        self.assertEqual([e["ns_per_flit_hop"] for e in entries], [100, 200, 300, 200])
        self.assertEqual([e.get("repetition_index") for e in entries], [0, 1, 2, None])
        self.assertEqual([e["cpu_time"] for e in entries], [500, 1000, 1500, 1000])  # the child's, not the parent's
        self.assertEqual((entries[3]["name"], entries[3]["run_type"]), ("net/8x8/0.2_median", "aggregate"))
        self.assertEqual(document["context"]["num_cpus"], 2)
        self.assertIn("commit", document["context"])
        self.assertNotIn("executable", document["context"])
        row = [line for line in printed.splitlines() if line.startswith("net/8x8/0.2 ")][0]
        self.assertEqual(row.split(), "net/8x8/0.2 5 M 200 150 k 20.5 k 1 s 100 %".split())
        self.assertNotIn("plain loop", printed)

    def test_takes_turns_with_the_yardstick(self):
        status, printed, said, document = self.bench("--repetitions", "2", "--yardstick", self.folder / "yardstick")
        self.assertEqual(status, 0, said)
        self.assertEqual(self.notes(), ["net/8x8/0.2/iterations:1/manual_time", "yardstick 8 4 8 5 0.2 9000",
                                        "alone/ports:5"] * 2)
        self.assertIn("x plain loop", printed)
        self.assertTrue(printed.splitlines()[1].endswith(" 3.00"), printed)  # median of 2 and 4
        self.assertEqual(document["benchmarks"][0]["plain_loop_ns_per_flit_hop"], 50)

    def test_fails_where_a_case_does(self):
        self.program("net_benchmark", PROGRAM.replace("FAILURE", """if name == CHILD:
    entry.update(error_occurred=True, error_message="a deadlock")"""))
        status, _, said, document = self.bench()
        self.assertEqual((status, document), (1, None))
        self.assertIn("bench: net/8x8/0.2: a deadlock", said)
        self.program("net_benchmark", PROGRAM.replace("FAILURE", "sys.exit('broken')"))
        status, _, said, _ = self.bench()
        self.assertEqual(status, 1)
        self.assertIn("ended with status 1; it said:\nbroken", said)


if __name__ == "__main__":
    unittest.main()
