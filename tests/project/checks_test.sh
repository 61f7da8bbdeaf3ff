#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The checks of the sources must fail when they should: each is run on a small tree with and without a violation.
set -euo pipefail
scripts=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../scripts" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0
slash=/

# expect STATUS TEXT CHECK: the check's exit status, and a text in its output (empty: there must be no output).
expect() {
  local status=0 said
  said=$("$scripts/$3" "$tree" 2>&1) || status=$?
  if [[ $status -ne $1 || ($2 && $said != *"$2"*) || (! $2 && $said) ]]; then
    printf 'FAILED: %s: expected status %s and "%s", got status %s and:\n%s\n' "$3" "$1" "$2" "$status" "$said"
    failures=$((failures + 1))
  fi
}

# file NAME LINES…
file() {
  mkdir -p "$tree/$(dirname -- "$1")"
  printf '%s\n' "${@:2}" >"$tree/$1"
}

cp "$scripts/../.clang-format" "$tree/.clang-format"
file base/a.h '#pragma once' 'int a();'
file base/a.cpp '#include "base/a.h"' '' 'int a() {' '  return 1;' '}'
file rtl_tlm/signals/flit.h '#pragma once' '#include <systemc>' '' '#include "base/a.h"' '#include "topologies/t.h"'
file tests/t.cpp '#include "testbench/x.h"' '// build/release, ./run, a/b, https://example.org/home/x, ~/run' \
  '// see /usr/share and /dev/full'
for check in check-format check-floors check-paths; do expect 0 '' $check; done

file base/up.h '#pragma once' '#include "rtl_tlm/signals/flit.h"'
expect 1 'base/up.h:2:#include "rtl_tlm/signals/flit.h"' check-floors
file base/up.h '#pragma once' '  #  include <topologies/t.h>'
expect 1 'base/up.h:2:' check-floors
file base/up.h '#pragma once' '#include <systemc>'
expect 1 'must not use SystemC' check-floors
file base/up.h '#pragma once' '#include "tests/support/x.h"'
expect 1 'base/up.h:2:' check-floors
rm "$tree/base/up.h"
file analysis/deep/er/a.cpp '#include "traces/w.h"'
expect 1 'analysis/deep/er/a.cpp:1:' check-floors
file analysis/deep/er/a.cpp '#include "protocols/p.h"'
expect 0 '' check-floors
for place in router/parts/crossbar.cpp registers/x.h mechanisms/kills/k.h parameters.h; do
  file rtl_tlm/$place '#include "rtl_tlm/router/router.h"'
  expect 1 "rtl_tlm/$place:1:" check-floors
  rm "$tree/rtl_tlm/$place"
done
file rtl_tlm/fabric/f.cpp '#include "rtl_tlm/router/router.h"'
expect 0 '' check-floors
file rtl_tlm/novelty/n.h '#include "base/a.h"'
expect 1 'rtl_tlm/novelty/n.h: its folder has no floor' check-floors
rm -r "$tree/rtl_tlm/fabric" "$tree/rtl_tlm/novelty"

file base/ugly.cpp 'int   ugly( ) ;'
expect 1 'base/ugly.cpp:1' check-format
rm "$tree/base/ugly.cpp"

backslash=\\
file base/a.py 'print(1)'
expect 1 'base/a.py' check-spdx
file base/a.py '#!/usr/bin/env python3' '# SPDX-License-Identifier: Apache-2.0' 'print(1)'
for name in a.h a.cpp; do sed -i "1i $slash$slash SPDX-License-Identifier: Apache-2.0" "$tree/base/$name"; done
sed -i "1i $slash$slash SPDX-License-Identifier: Apache-2.0" "$tree/rtl_tlm/signals/flit.h" "$tree/tests/t.cpp" "$tree/analysis/deep/er/a.cpp"
expect 0 '' check-spdx

file docs/page.md "first" "the file ${slash}home/somebody/x." "in (${slash}tmp/x)" "${slash}work/y" "C:${backslash}Users"
expect 1 'docs/page.md:2:' check-paths
for line in 3 4 5; do expect 1 "docs/page.md:$line:" check-paths; done

file docs/references.md '- **[Dally87]** A paper.' '- **[SBRP]** Another.'
file base/cites.h "$slash$slash SPDX-License-Identifier: Apache-2.0" '// [Dally87], [SBRP Fig. 44]; not citations: a[i], [8, 8], [LINKS …], [[nodiscard]]'
expect 0 '' check-references
for citation in '[Dalli87]' '[Dalli87 eq. 3]' '[SBPR Fig. 44]'; do
  file base/cites.h "$slash$slash SPDX-License-Identifier: Apache-2.0" "// see $citation"
  expect 1 'base/cites.h:2: [' check-references
done
rm "$tree/base/cites.h"
file docs/references.md '- **[Dally87]** A paper.' '- **[Dally87]** The same.'
expect 1 'lists twice: Dally87' check-references
file docs/references.md '- **[Dally87]** A paper.' '- **[SBRP]** Another.'

# finds ROW…: docs/architecture.md with these rows in its table.
finds() { file docs/architecture.md '# Architecture' '## Finding things' '| a | b | c |' '|---|---|---|' "$@" '' '## Other' '| `x` |'; }
finds '| Where is a? | `base/a.cpp` | `a` |' '| And? | `base/a.h` | `a`, `int` |'
expect 0 '' check-references
finds '| Where is a? | `base/a.cpp` | `a` |' '| And? | `base/b.h` | `a` |'
expect 1 'there is no file base/b.h' check-references
finds '| Where is a? | `base/a.cpp` | `a`, `retur` |'
expect 1 'base/a.cpp does not contain retur' check-references
finds '| Where is a? | `base/a.cpp` | somewhere |'
expect 1 'no file and name in: | Where is a?' check-references
finds
expect 1 'has no rows' check-references
rm "$tree/docs/architecture.md"

file docs/page.md 'flits per cycle, all the same size, a message after the warm-up, there is no folder x'
expect 0 '' check-words
while IFS= read -r bad; do
  file docs/page.md 'first' "$bad"
  expect 1 'docs/page.md:2:' check-words
done <<'BAD'
2 flits a cycle
0.2 flits a node and cycle
messages a node
bytes a node, at most
virtual channels a physical channel
a register is asked for ahead
the listener hears of messages
no longer ago than a day
the router stands behind it
it runs all the same.
the cycles behind the warm-up
this is no folder
a head asks for the crossbar
the lane knows no faults
a head with no way on
it waits so long
the page tells of faults
a flit has come
the check takes long
such a hit is no failure
its messages are given up at the source
BAD
file docs/page.md 'it has come back; there is no hit; it is no longer there'
expect 0 '' check-words
file base/a.cpp "$slash$slash SPDX-License-Identifier: Apache-2.0" '// a flit has come' 'int a() { return 1; }'
expect 1 'base/a.cpp:2:' check-words
rm "$tree/base/a.cpp"
rm "$tree/docs/page.md"
file docs/statistics.md 'generated: 2 flits a cycle'
expect 0 '' check-words
file rtl_tlm/signals/channel.h "$slash$slash SPDX-License-Identifier: Apache-2.0" '// 2 flits a cycle'
expect 1 'rtl_tlm/signals/channel.h:2:' check-words

if ((failures)); then exit 1; fi
echo "all checks notice violations"
