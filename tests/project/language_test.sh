#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# language_test.sh ROOT COMPILER: every header that an example includes says once that C++20 is needed, and nothing else
# that a reader would have to look through, if it is compiled as C++17.
set -euo pipefail
root=$1 compiler=$2
cd "$root"
mapfile -t headers < <(grep -rhoE '^#include "[a-z_]+/[^"]+"' --exclude=extending.md examples docs README.md | sort -u | sed 's/#include "\(.*\)"/\1/')
((${#headers[@]} >= 5)) || { echo "FAILED: only ${#headers[@]} headers in examples" && exit 1; }
for header in "${headers[@]}"; do
  said=$(echo "#include \"$header\"" | "$compiler" -std=c++17 -I. -fsyntax-only -x c++ - 2>&1) && { echo "FAILED: $header compiles as C++17" && exit 1; }
  count=$(grep -c 'error: .*Flitmend needs C++20' <<<"$said") || true
  others=$(grep -E 'error: ' <<<"$said" | grep -vcE 'Flitmend needs C\+\+20|error: .?C\+\+20.?[: ]') || true
  ((count == 1 && others == 0)) || { echo "FAILED: $header: $said" && exit 1; }
done
echo "${#headers[@]} headers say that they need C++20"
