#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/check-tidy on a small repository: which files it takes for changed, what it finds in them, what it leaves.
set -euo pipefail
project=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
tree=$box/tree
failures=0

in_tree() { git -c user.name=A -c user.email=a@example.org -c init.defaultBranch=main -C "$tree" "$@"; }
commit() {
  in_tree add -A
  in_tree commit -qm "$1"
}
# file NAME LINES…
file() {
  mkdir -p "$tree/$(dirname -- "$1")"
  printf '%s\n' "${@:2}" >"$tree/$1"
}
# expect STATUS TEXT WORDS…: the exit status of check-tidy WORDS… in the tree, and what it must say; several texts are
# parted by |, and one that begins with ! must not be said.
expect() {
  local status=0 said texts text
  said=$("$tree/scripts/check-tidy" --database "$tree/build" "${@:3}" 2>&1) || status=$?
  IFS='|' read -r -a texts <<<"$2"
  if [[ $status -ne $1 ]]; then texts+=("the expected status $1, not $status"); fi
  for text in "${texts[@]}"; do
    if [[ $text == !* ]]; then
      [[ $said == *"${text#!}"* ]] || continue
    elif [[ $said == *"$text"* ]]; then
      continue
    fi
    printf 'FAILED: check-tidy %s: expected "%s"; it said:\n%s\n' "${*:3}" "$text" "$said"
    failures=$((failures + 1))
  done
}
# built NAMES…: the compilation database of these sources.
built() {
  local name separator=
  mkdir -p "$tree/build"
  {
    printf '['
    for name; do
      printf '%s{"directory": "%s", "file": "%s", "command": "clang++ -std=c++20 -I%s -c %s"}' \
        "$separator" "$tree" "$name" "$tree" "$name"
      separator=,
    done
    printf ']\n'
  } >"$tree/build/compile_commands.json"
}

mkdir -p "$tree/scripts"
cp "$project"/scripts/{check-tidy,common.sh} "$tree/scripts"
cp "$project/.clang-tidy" "$tree"
in_tree init -q
echo /build/ >"$tree/.gitignore"
file base/a.h '#pragma once' 'int a();'
file base/a.cpp '#include "base/a.h"' 'int a() { return 1; }'
file base/bad.cpp 'int Bad() { return 0; }'
file base/only.h '#pragma once' 'inline int only() { return 2; }'
file base/user.cpp '#include "base/between.h"' 'int user() { return only(); }'
file base/between.h '#pragma once' '#include "base/only.h"'
file base/lonely.h '#pragma once' 'inline int lonely() { return 3; }'
built base/a.cpp base/bad.cpp base/user.cpp
commit one
echo 'int more();' >>"$tree/base/a.h"
commit two
expect 0 'changed by the last commit: 1 sources and headers; checking 1 of them through 1 sources|base/a.cpp: good (base/a.h)'
expect 1 'all files: 7 sources|base/bad.cpp: FAILED|base/user.cpp: good (base/between.h base/only.h base/user.cpp)|not part of the build: base/lonely.h' --all

# A header is looked at through a source that includes it, not directly; a breach is named where it is.
file base/only.h '#pragma once' 'inline int Only() { return 0; }'
file base/user.cpp '#include "base/between.h"' 'int user() { return Only(); }'
expect 1 'changed by the last commit: 3 sources|base/user.cpp: FAILED|base/only.h:2:|!base/bad.cpp'
in_tree checkout -q base

# The newest first, of one commit what changed most; files that are not committed before all.
file base/new.cpp 'int fresh() { return 4; }'
echo 'int again();' >>"$tree/base/user.cpp"
printf '%s\n' '' 'int more() {' '  return 5;' '}' >>"$tree/base/bad.cpp"
commit three
echo 'int never();' >>"$tree/base/a.cpp"
built base/a.cpp base/bad.cpp base/user.cpp base/new.cpp
expect 1 'base/a.cpp: good|base/bad.cpp: FAILED|!base/user.cpp: |2 files were left for --at-most 2' --at-most 2
in_tree checkout -q base

# A branch: what it brings.
git clone -q "$tree" "$box/clone" 2>/dev/null
mkdir "$box/clone/build"
sed "s|$tree|$box/clone|g" "$tree/build/compile_commands.json" >"$box/clone/build/compile_commands.json"
tree=$box/clone
in_tree checkout -qb branch
echo 'int again();' >>"$tree/base/new.cpp"
commit four
expect 0 "changed since this branch left origin's main branch: 1 sources|base/new.cpp: good"

if ((failures)); then exit 1; fi
echo "check-tidy checks what changed"
