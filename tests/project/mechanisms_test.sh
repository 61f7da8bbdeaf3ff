#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mechanisms_test.sh ROOT: few files of rtl_tlm outside its folder know a mechanism. Those that may: its parameters, the
# list of rows, the list of register maps, the control lines, the router's cycle, and what refuses a router of one's own.
# Circuits raise kill lines for kills of their own.
set -euo pipefail
cd "$1/rtl_tlm"
at_most=5
failed=0
while read -r mechanism words; do
  [[ -d mechanisms/$mechanism ]] || { echo "FAILED: there is no mechanisms/$mechanism" && exit 1; }
  grep -rqE "$words" "mechanisms/$mechanism" || { echo "FAILED: mechanisms/$mechanism has none of: $words" && exit 1; }
  mapfile -t files < <(grep -rlE "$words" . | grep -v "^./mechanisms/$mechanism/" | sort)
  echo "$mechanism: ${#files[@]} other files: ${files[*]}"
  ((${#files[@]} <= at_most)) || { echo "FAILED: at most $at_most may know it" && failed=1; }
done <<'END'
circuits [cC]ircuit|CIRCUIT
kills FKILL|BKILL|Kills?\b|Kill[A-Z]|[kK]ill.?([lL]ine|[tT]imer)|(forward|backward)_kill\b|\bkill(ed)?\(|_killed\(
copies keeps_copies|flit_copies|\bCopies\b|Copy(Counts|Masks|Words|Arrivals|InputRegisters|InjectorRegisters)|InjectorCopies|copy_(masks|registers)|copies_kept|COPIED|ControlLine::copied|[tT]wo-step|[uU]ncopied|kBackupCycles|own_head|Mechanism::copies
deadlock_lane deadlock.?(lane|buffer|timeout)|DeadlockLane|[lL]ane_?(State|Counters|Registers|Lines|counters)|rows::Lane|ControlLine::(lane|token)|[tT]oken_?[oO]bserver
narrow_links [nN]arrow_?([lL]ink|[pP]ort)|NarrowOutput|link_busy|narrower than a flit
precedence [pP]recedence
tail_signals tail_?(signals?|waits?|gates?|shadows?|gone|received|owed)\b|Tail(Signals|Waits|Rings|Wires|Gates|Words|Arrivals|Ports?|Shadows?)\b|[sS]hadow|follows?_?.?tails|[lL]inger|LINGER|TAILGONE
vectors [vV]ector_(elements|wires|round|bits|lines?|registers|counters)|Vector(State|Port|Element|Counters|s\b)|probability.vector
END
exit $failed
