#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/bench-compare on made-up measurements: what it calls slower, what noise, and what it cannot decide."""
import itertools
import json
import pathlib
import random
import runpy
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "bench-compare"


def case(name, hop_times=(), times=(), memory=()):
    """Entries of a case, one per repetition, and the aggregate, which must not count as a repetition."""
    entries = []
    for i in range(max(len(hop_times), len(times), len(memory))):
        entry = {"name": name, "run_name": name, "run_type": "iteration", "repetition_index": i, "time_unit": "ms",
                 "real_time": 1.0, "cpu_time": times[i] if times else 1.0}
        if hop_times:
            entry["ns_per_flit_hop"] = hop_times[i]
        if memory:
            entry["bytes_per_node"] = memory[i]
        entries.append(entry)
    return entries + [dict(entries[0], name=name + "_median", run_type="aggregate", ns_per_flit_hop=1e9)]


class BenchCompare(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, *cases):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(json.dumps({"context": {}, "benchmarks": list(itertools.chain(*cases))}))
        return str(path)

    def compare(self, old, new, *options):
        """Exit status of a comparison, and its standard output followed by standard error."""
        done = subprocess.run([sys.executable, SCRIPT, old, new, *options], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def compare_hops(self, old, new, *options):
        return self.compare(self.file("old", case("a", old)), self.file("new", case("a", new)), *options)

    def test_the_same_file_has_no_change(self):
        path = self.file("a", case("a", [50, 51, 52, 50, 51], memory=[9, 9, 9, 9, 9]))
        self.assertEqual(self.compare(path, path), (0, "0 worse, 0 better, 2 unchanged\n"))

    def test_names_what_got_slower(self):
        status, said = self.compare_hops([50, 51, 52, 50, 51], [60, 61, 62, 60, 61])
        self.assertEqual(status, 1)
        self.assertIn("Slower or larger: a: 51 -> 61 ns/flit-hop (+19.6 %)", said)
        self.assertIn("1 worse, 0 better, 0 unchanged", said)

    def test_names_what_got_faster_and_succeeds(self):
        status, said = self.compare_hops([60, 61, 62, 60, 61], [50, 51, 52, 50, 51])
        self.assertEqual(status, 0)
        self.assertIn("Faster or smaller: a: 61 -> 51 ns/flit-hop (-16.4 %)", said)

    def test_a_change_within_the_spread_is_noise(self):
        # The medians differ by 10 %, but the repetitions overlap.
        status, said = self.compare_hops([50, 40, 60, 52, 48], [55, 45, 65, 57, 49])
        self.assertEqual((status, said), (0, "0 worse, 0 better, 1 unchanged\n"))

    def test_one_disturbed_repetition_hides_nothing_and_invents_nothing(self):
        status, _ = self.compare_hops([50, 51, 52, 50, 51], [50, 51, 52, 50, 400])
        self.assertEqual(status, 0)
        status, _ = self.compare_hops([50, 51, 52, 50, 51], [60, 61, 62, 60, 20])
        self.assertEqual(status, 0)  # that one is too much of five
        status, _ = self.compare_hops([50, 51, 52, 50, 51, 50, 52], [60, 61, 62, 60, 51.5, 61, 60])
        self.assertEqual(status, 1)

    def test_a_change_below_the_threshold_is_none_however_sure(self):
        old, new = [50.0, 50.1, 50.2, 50.1, 50.0], [51.0, 51.1, 51.2, 51.1, 51.0]
        self.assertEqual(self.compare_hops(old, new)[0], 0)
        self.assertEqual(self.compare_hops(old, new, "--threshold", "1")[0], 1)

    def test_too_few_repetitions_are_no_answer(self):
        status, said = self.compare_hops([50, 51, 52], [60, 61, 62])
        self.assertEqual(status, 2)
        self.assertIn("Too few repetitions to tell: a:", said)
        self.assertEqual(self.compare_hops([50, 51, 52], [60, 61, 62], "--significance", "0.05")[0], 1)
        self.assertEqual(self.compare_hops([50], [50])[0], 0)

    def test_cases_without_flit_hops_are_compared_by_cpu_time(self):
        old = self.file("old", case("a", times=[10, 11, 10, 11, 10]))
        new = self.file("new", case("a", times=[20, 21, 20, 21, 20]))
        status, said = self.compare(old, new)
        self.assertEqual(status, 1)
        self.assertIn("a: 0.01 -> 0.02 CPU seconds (+100.0 %)", said)

    def test_memory_that_grows_is_worse(self):
        old = self.file("old", case("a", [50] * 5, memory=[1000] * 5))
        new = self.file("new", case("a", [50] * 5, memory=[2000] * 5))
        status, said = self.compare(old, new)
        self.assertEqual(status, 1)
        self.assertIn("a: 1000 -> 2000 bytes/node (+100.0 %)", said)
        self.assertIn("1 worse, 0 better, 1 unchanged", said)

    def test_says_which_cases_only_one_file_has(self):
        old = self.file("old", case("a", [50] * 5), case("gone", [50] * 5))
        new = self.file("new", case("a", [50] * 5), case("fresh", [50] * 5))
        status, said = self.compare(old, new)
        self.assertEqual(status, 0)
        self.assertIn(f"Only in {old}: gone\nOnly in {new}: fresh\n", said)

    def test_refuses_what_it_cannot_compare(self):
        good = self.file("good", case("a", [50] * 5))
        other = self.file("other", case("b", [50] * 5))
        broken = pathlib.Path(self.folder.name) / "broken"
        broken.write_text("{")
        for new, text in ((other, "no case in common"), (str(broken), f"{broken} is not a file of scripts/bench"),
                          (good + "x", "No such file")):
            status, said = self.compare(good, new)
            self.assertEqual(status, 2)
            self.assertIn("bench-compare: ", said)
            self.assertIn(text, said)

    def test_chances_are_those_of_the_tables(self):
        chance = runpy.run_path(str(SCRIPT))["chance"]
        # All values of one side are above all of the other: one order of C(n + m, n).
        self.assertAlmostEqual(chance([1, 2, 3], [4, 5, 6]), 1 / 20)
        self.assertAlmostEqual(chance([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]), 1 / 252)
        # One pair is in the opposite order: two orders have as many or more.
        self.assertAlmostEqual(chance([1, 2, 3, 4, 6], [5, 7, 8, 9, 10]), 2 / 252)
        self.assertAlmostEqual(chance([4, 5, 6], [1, 2, 3]), 1.0)
        self.assertAlmostEqual(chance([5, 5, 5], [5, 5, 5]), 1.0)
        # The approximation for many repetitions agrees with the exact figure where both can be computed.
        low, high = list(range(0, 20, 2)), list(range(5, 25, 2))
        exact = chance(low, high)
        n = len(low)
        orders = 0
        ordered = sorted([*low, *high])
        rank = {v: i + 1 for i, v in enumerate(ordered)}
        seen = sum(rank[v] for v in high)
        total = 0
        for chosen in itertools.combinations(range(1, 2 * n + 1), n):
            total += 1
            orders += sum(chosen) >= seen
        self.assertAlmostEqual(exact, orders / total)
        many_low = [random.Random(1).random() for _ in range(30)]
        self.assertLess(chance(many_low, [v + 2 for v in many_low]), 1e-9)
        self.assertGreater(chance(many_low, many_low), 0.4)


if __name__ == "__main__":
    unittest.main()
