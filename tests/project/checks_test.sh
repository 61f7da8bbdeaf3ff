#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The checks of the sources must fail where they should: each is run on a small tree with and without a breach.
set -euo pipefail
scripts=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../scripts" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0
slash=/

# expect STATUS TEXT CHECK: the check's exit status, and what it must say (nothing: no word at all).
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
file rtl_tlm/r.h '#pragma once' '#include <systemc>' '' '#include "base/a.h"' '#include "topologies/t.h"'
file tests/t.cpp '#include "testbench/x.h"' '// build/release, ./run, a/b, https://example.org/home/x, ~/run' \
  '// see /usr/share and /dev/full'
for check in check-format check-floors check-paths; do expect 0 '' $check; done

file base/up.h '#pragma once' '#include "rtl_tlm/r.h"'
expect 1 'base/up.h:2:#include "rtl_tlm/r.h"' check-floors
file base/up.h '#pragma once' '  #  include <topologies/t.h>'
expect 1 'base/up.h:2:' check-floors
file base/up.h '#pragma once' '#include <systemc>'
expect 1 'does without SystemC' check-floors
file base/up.h '#pragma once' '#include "tests/support/x.h"'
expect 1 'base/up.h:2:' check-floors
rm "$tree/base/up.h"
file analysis/deep/er/a.cpp '#include "traces/w.h"'
expect 1 'analysis/deep/er/a.cpp:1:' check-floors
file analysis/deep/er/a.cpp '#include "protocols/p.h"'
expect 0 '' check-floors

file base/ugly.cpp 'int   ugly( ) ;'
expect 1 'base/ugly.cpp:1' check-format
rm "$tree/base/ugly.cpp"

backslash=\\
file base/a.py 'print(1)'
expect 1 'base/a.py' check-spdx
file base/a.py '#!/usr/bin/env python3' '# SPDX-License-Identifier: Apache-2.0' 'print(1)'
for name in a.h a.cpp; do sed -i "1i $slash$slash SPDX-License-Identifier: Apache-2.0" "$tree/base/$name"; done
sed -i "1i $slash$slash SPDX-License-Identifier: Apache-2.0" "$tree/rtl_tlm/r.h" "$tree/tests/t.cpp" "$tree/analysis/deep/er/a.cpp"
expect 0 '' check-spdx

file docs/page.md "first" "the file ${slash}home/somebody/x." "in (${slash}tmp/x)" "${slash}work/y" "C:${backslash}Users"
expect 1 'docs/page.md:2:' check-paths
for line in 3 4 5; do expect 1 "docs/page.md:$line:" check-paths; done

if ((failures)); then exit 1; fi
echo "all checks notice their breaches"
