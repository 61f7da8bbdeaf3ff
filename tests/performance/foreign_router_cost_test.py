#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A router of one's own costs only itself: the first one in a mesh adds no more instructions per cycle than the second.

foreign_router_cost_test.py MIXED_MESH BUILD_TYPE

callgrind counts. If the first one slowed the other 63 routers down, it would add more than the second.
Exit status: 0 if so, 1 if not, 77 (skipped) if it cannot be measured."""
import re
import shutil
import subprocess
import sys

SKIPPED = 77
SHORT, LONG = 400, 1000  # cycles; before the first, queues and pools still grow
ROOM = 0.01  # of what the mesh without one costs


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def instructions(program, foreign, cycles):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, str(foreign), str(cycles)],
                          capture_output=True, text=True)
    counted = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not counted:
        sys.exit(f"the run under callgrind ended with status {done.returncode}; it said:\n{done.stdout}{done.stderr}")
    return int(counted[1])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if not shutil.which("valgrind"):
        skip("valgrind is not installed (Debian: apt-get install valgrind)")
    if sys.argv[2] != "Release":
        skip(f"optimised code is measured, and this build is of type '{sys.argv[2]}'")
    none, one, two = ((instructions(sys.argv[1], foreign, LONG) - instructions(sys.argv[1], foreign, SHORT)) / (LONG - SHORT)
                      for foreign in (0, 1, 2))
    print(f"instructions per cycle: {none:.0f} without, {one:.0f} with one, {two:.0f} with two routers of one's own")
    print(f"the first adds {one - none:.0f}, the second {two - one:.0f}")
    if one - none > two - one + ROOM * none:
        sys.exit("the first one slows other routers down")


if __name__ == "__main__":
    main()
