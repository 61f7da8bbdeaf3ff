#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2016,SC2034
# scripts/run, build, test, sanitize, nightly and bench with stand-ins for cmake, ctest and the installation: which packages each asks for,
# and with which options it configures.
set -euo pipefail
scripts=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../scripts" && pwd)
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failures=0

mkdir -p "$box/bin" "$box/project/scripts"
cp "$scripts"/{common.sh,run,build,test,sanitize,nightly,bench} "$box/project/scripts"
stand_in() {
  printf '#!/bin/bash\n%s\n' "$2" >"$1"
  chmod +x "$1"
}
stand_in "$box/project/scripts/install-dependencies" 'echo "install $*" >>"$BOX/calls"'
stand_in "$box/bin/ctest" 'echo "ctest $*" >>"$BOX/calls"'
# Configuring leaves a cache, building leaves the program.
stand_in "$box/bin/cmake" 'echo "cmake $*" >>"$BOX/calls"
if [[ $1 == --preset ]]; then mkdir -p build/$2 && touch build/$2/CMakeCache.txt; fi
if [[ $1 == --build ]]; then
  printf "#!/bin/bash\necho \"flitmend \$*\" >>\"\$BOX/calls\"\n" >"$2/flitmend" && chmod +x "$2/flitmend"
fi'

# fresh: no build folder. start SCRIPT WORDS…: runs it; calls has what it called, a line per call.
fresh() { rm -rf "$box/project/build"; }
start() {
  : >"$box/calls"
  if ! BOX=$box PATH=$box/bin:$PATH "$box/project/scripts/$1" "${@:2}" >"$box/said" 2>&1 </dev/null; then
    printf 'FAILED: %s ended with an error:\n%s\n' "$1" "$(cat "$box/said")"
    failures=$((failures + 1))
  fi
  calls=$(cat "$box/calls")
}
check() {
  if ! eval "$2"; then
    printf 'FAILED: %s; calls:\n%s\n' "$1" "$calls"
    failures=$((failures + 1))
  fi
}
configured() { grep -q "^cmake --preset $1 .*$2" <<<"$calls"; }
without='-DFLITMEND_BUILD_TESTS=OFF -DFLITMEND_BUILD_BENCHMARKS=OFF$'
with='-DFLITMEND_BUILD_TESTS=ON -DFLITMEND_BUILD_BENCHMARKS=ON -DFLITMEND_LONG_TESTS=OFF$'
with_long=${with/OFF/ON}

fresh
start run --set traffic.load=0.3
check "run installs what building needs" '[[ $calls == "install build"* ]]'
check "run configures neither tests nor benchmarks" 'configured release "$without"'
check "run starts the program with the arguments" 'grep -q "^flitmend run .*mesh.yaml .*--set traffic.load=0.3$" <<<"$calls"'
start test -R some
check "test installs its packages" '[[ $calls == "install test"* ]]'
check "test configures tests and benchmarks where run had none" 'configured release "$with"'
check "test leaves the sanitizers alone" '! configured sanitize ""'
check "test hands its arguments to ctest" 'grep -q "^ctest .* -R some$" <<<"$calls"'
start nightly -R some
check "nightly installs its packages" '[[ $calls == "install nightly"* ]]'
check "nightly builds with clang" 'configured clang "-DFLITMEND_BUILD_TESTS=ON -DFLITMEND_LONG_TESTS=OFF$" && grep -q "^cmake --build .*/clang" <<<"$calls"'
check "nightly runs the unit tests of the clang build" \
  'grep -q "^ctest .*build/clang .*--label-regex ^(unit)\$ -R some$" <<<"$calls"'
check "nightly builds studies and long tests" 'configured release "$with_long"'
check "nightly sanitizes the program and the analysis too" \
  'configured sanitize "-DFLITMEND_BUILD_TESTS=ON -DFLITMEND_BUILD_PROGRAM=ON -DFLITMEND_LONG_TESTS=ON$"'
check "nightly runs the unit, property and long tests of the sanitizer build" \
  'grep -q "^ctest .*build/sanitize .*--label-regex ^(unit|property|long)\$ -R some$" <<<"$calls"'
check "nightly runs every test of the release" 'grep -q "^ctest .*build/release .*--label-regex ^(.\*)\$ -R some$" <<<"$calls"'
start run
check "run leaves a build folder its tests" '! configured release FLITMEND_BUILD'

fresh
start build
check "build installs what building needs" '[[ $calls == "install build"* ]]'
check "build configures neither tests nor benchmarks" 'configured release "$without"'
check "build makes the program" 'grep -q "^cmake --build .*--target flitmend_program$" <<<"$calls"'

# The project as a clone whose origin has landed its first commit: the rooms that changed since then are sanitized.
version_control() { git -C "$box/project" -c user.name=A -c user.email=a@b.invalid -c init.defaultBranch=main "$@" >/dev/null; }
# change FILE …: they change, from the landed commit on.
change() {
  version_control reset --hard landed
  for file in "$@"; do mkdir -p "$box/project/$(dirname "$file")" && echo changed >>"$box/project/$file"; done
  version_control add -A
  version_control commit --allow-empty -m change
}
sanitized() { grep -qF -- "--target $1" <<<"$calls" && grep -qF -- "--label-regex ^($2)" <<<"$calls"; }
printf '/build/\n' >"$box/project/.gitignore"
include() { mkdir -p "$box/project/$(dirname "$1")" && echo "#include \"$2\"" >"$box/project/$1"; }
include tests/support/walk.h string
include tests/support/steps.h support/walk.h
include tests/traces/steps_test.cpp support/steps.h
version_control init
version_control add -A
version_control commit -m landed
version_control tag landed
start sanitize
check "sanitize does all where it does not know what landed" \
  'configured sanitize "-DFLITMEND_BUILD_TESTS=ON -DFLITMEND_BUILD_PROGRAM=OFF -DFLITMEND_LONG_TESTS=OFF$" &&
   grep -qF -- "--label-regex ^(unit|property)" <<<"$calls"'
version_control update-ref refs/remotes/origin/main landed
change rtl_tlm/router/router.cpp tests/traces/waves_test.cpp docs/building.md
start sanitize
check "sanitize does the rooms that changed" 'sanitized "tests.rtl_tlm tests.traces" "room\.(rtl_tlm|traces)"'
change exploration/sweeps/runner.cpp
start sanitize
check "sanitize builds the program if that changed" 'configured sanitize "-DFLITMEND_BUILD_PROGRAM=ON .*"'
change docs/building.md
start sanitize
check "sanitize does nothing for a page" '[[ ! $calls ]]'
change tests/support/walk.h tests/CMakeLists.txt
start sanitize
check "sanitize does the rooms whose tests include what changed" 'sanitized "tests.traces" "room\.(traces)"'
change tests/support/main.cpp
start sanitize
check "sanitize does all for what no test includes" 'grep -qF -- "--label-regex ^(unit|property)" <<<"$calls"'
change cmake/Targets.cmake
start sanitize
check "sanitize does all for how the project is compiled" 'grep -qF -- "--label-regex ^(unit|property)" <<<"$calls"'

fresh
# There are no benchmarks to list, which bench says.
: >"$box/calls"
BOX=$box PATH=$box/bin:$PATH "$box/project/scripts/bench" --list >"$box/said" 2>&1 </dev/null || true
calls=$(cat "$box/calls")
check "bench installs what measuring needs" 'grep -q "^install bench$" <<<"$calls"'
check "bench configures benchmarks and no tests" 'configured release "-DFLITMEND_BUILD_TESTS=OFF .*-DFLITMEND_BUILD_BENCHMARKS=ON$"'

if ((failures)); then exit 1; fi
echo "the scripts install and configure what they need"
