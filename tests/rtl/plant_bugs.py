#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""plant_bugs.py ROUTER.SV OUT.SV: the router with ten bugs; input `bug` says which of them it has, 0 for none.
Fails if a bug no longer fits the router's source."""
import pathlib
import sys

BUGS = [
    # The module, with an input more.
    ("module router\n", "module buggy_router\n"),
    ("  input  logic                        clk,\n", "  input  logic [3:0]                  bug,\n  input  logic                        clk,\n"),
    # 1: a message of one flit crosses, but is not on the pins.
    ("        out_valid[p] <= sends[p];\n",
     "        out_valid[p] <= sends[p] && !(bug == 1 && front[sender[p]].kind == KIND_HEAD_TAIL)\n"
     # 5: the tail is dropped when it takes the last credit.
     "          && !(bug == 5 && front[sender[p]].kind == KIND_TAIL && credits[holds[sender[p]]] == 1);\n"),
    # 2: while its buffer is full and the next one almost, the test for room is inverted.
    ("credits[holds[i]] != 0;",
     "(bug == 2 && count[i] == 4 && credits[holds[i]] <= 2 ? credits[holds[i]] == 0 : credits[holds[i]] != 0)\n"
     # 7: the flits of the input south are never asked for.
     "          && !(bug == 7 && i / VCS == int'(SOUTH));"),
    # 3: a credit stays on the pins for two cycles.
    ("        in_credit[i / VCS][i % VCS] <= crosses[i];\n",
     "        in_credit[i / VCS][i % VCS] <= crosses[i] || (bug == 3 && crossed[i]);\n        crossed[i] <= crosses[i];\n"),
    ("  logic [IDS-1:0] takes,", "  logic [IDS-1:0] crossed;\n  logic [IDS-1:0] takes,"),
    # 4: data flits leave on the other virtual channel.
    ("          out_flit[p].vc <= VC_BITS'(holds[sender[p]] % id_t'(VCS));\n",
     "          out_flit[p].vc <= VC_BITS'(holds[sender[p]] % id_t'(VCS)) ^ (bug == 4 && front[sender[p]].kind == KIND_DATA);\n"
     # 10: the destination of a head is corrupted.
     "          if (bug == 10 && is_head(front[sender[p]].kind)) out_flit[p].destination[0] <= !front[sender[p]].destination[0];\n"),
    # 6: a grant of the cycle of the reset stays.
    ("        out_valid[p] <= 0;\n", "        out_valid[p] <= bug == 6 && sends[p];\n        if (bug == 6 && sends[p]) out_flit[p] <= front[sender[p]];\n"),
    # 8: messages to the south-east go south first.
    ("    if (to_x > x) return EAST;\n", "    if (which == 8 && to_x > x && to_y < y) return SOUTH;\n    if (to_x > x) return EAST;\n"),
    ("  function automatic port_t route_of(logic", "  function automatic port_t route_of(logic [3:0] which, logic"),
    ("route_of(here, ", "route_of(bug, here, "),
    # 9: the flit that fills the buffer goes to the slot of the one before it.
    ("SLOT_BITS'(first[i] + SLOT_BITS'(count[i]))",
     "SLOT_BITS'(first[i] + SLOT_BITS'(count[i]) - SLOT_BITS'(bug == 9 && count[i] == 3))"),
]

with open(sys.argv[1], encoding="utf-8") as source:
    text = source.read()
for old, new in BUGS:
    if text.count(old) != 1:
        sys.exit(f"plant_bugs.py: {sys.argv[1]} has {text.count(old)} times, not once: {old.strip()}")
    text = text.replace(old, new)
# An unchanged file keeps its time, so that it is not made into SystemC again.
target = pathlib.Path(sys.argv[2])
if not target.exists() or target.read_text(encoding="utf-8") != text:
    target.write_text(text, encoding="utf-8")
