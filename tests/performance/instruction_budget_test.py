#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions of a run per flit-hop, counted by callgrind, against the budget in instruction_budgets.txt.

The count does not depend on the machine's load, clock rate or caches. The difference between two runs of different
length is used, so that elaboration and the start of the run do not count. Enter a justified slowdown with --update,
and also a speed-up, otherwise the budget does not protect it.

instruction_budget_test.py PROGRAM BUILD_TYPE CASE
instruction_budget_test.py --update PROGRAM    measures all cases and writes measured value + 5 %

Exit status: 0 within the budget, 1 above it, 77 (skipped) if it cannot be measured."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BUDGETS = pathlib.Path(__file__).resolve().parent / "instruction_budgets.txt"
SKIPPED = 77
ROOM = 1.05  # budget relative to the measured value; compilers and C libraries differ by less
ONE_CYCLE = "{routing: 0, vc_allocation: 0, switch_allocation: 0, switch_traversal: 0}"
PIPELINES = {"one-cycle": ONE_CYCLE, "four-stage": "{}"}
SHORT, LONG = 1000, 4000  # cycles


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def measure(program, pipeline, cycles):
    """Instructions and flit-hops of a run."""
    with tempfile.TemporaryDirectory() as folder:
        configuration = pathlib.Path(folder) / "run.yaml"
        configuration.write_text(f"""network: {{topology: mesh, size: [8, 8]}}
router: {{preset: iq, pipeline: {pipeline}}}
traffic: {{pattern: uniform, load: 0.2, message_length: 5}}
simulation: {{warmup: 0, measure: {cycles}, drain: false, seed: 1}}
""")
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "run",
                               configuration, "--quiet", "--no-cache", "--out", f"{folder}/out"], capture_output=True, text=True)
        counted = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode != 0 or not counted:
            sys.exit(f"the run under callgrind ended with status {done.returncode}; it said:\n{done.stdout}{done.stderr}")
        stats = json.loads((pathlib.Path(folder) / "out" / "stats.json").read_text())
        return int(counted[1]), stats["simulation"]["flit_hops"]


def instructions_a_flit_hop(program, case):
    before, after = (measure(program, PIPELINES[case], cycles) for cycles in (SHORT, LONG))
    return (after[0] - before[0]) / (after[1] - before[1])


def budgets():
    lines = (line.split("#")[0].split() for line in BUDGETS.read_text().splitlines())
    return {words[0]: float(words[1]) for words in lines if words}


def update(program):
    lines = ["# Maximum instructions per flit-hop: 8x8 mesh, load 0.2, preset iq; see instruction_budget_test.py."]
    for case in PIPELINES:
        measured = instructions_a_flit_hop(program, case)
        lines.append(f"{case} {ROOM * measured:.0f}")
        print(f"{case}: measured {measured:.1f}")
    BUDGETS.write_text("\n".join(lines) + "\n")


def main():
    if not shutil.which("valgrind"):
        skip("valgrind is not installed (Debian: apt-get install valgrind)")
    if len(sys.argv) == 3 and sys.argv[1] == "--update":
        return update(sys.argv[2])
    if len(sys.argv) != 4 or sys.argv[3] not in PIPELINES:
        sys.exit(__doc__)
    program, build_type, case = sys.argv[1:]
    if build_type != "Release":
        skip(f"the budget is one of Release builds, and this is one of type '{build_type}'")
    budget = budgets()[case]
    measured = instructions_a_flit_hop(program, case)
    print(f"{case}: {measured:.1f} instructions per flit-hop, budget {budget:.0f}")
    if measured > budget:
        sys.exit(f"above the budget in tests/performance/{BUDGETS.name}")
    if measured * ROOM**2 < budget:
        print("far below it: enter the new value (--update), or the budget guards nothing")


if __name__ == "__main__":
    main()
