# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# Shared by the scripts. Sourced, not run: sets ROOT and defines functions.
ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

say() { printf '== %s\n' "$*"; }
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Parallel compilations: FLITMEND_JOBS, else one per processor, but no more than fit in free memory (1.5 GB each).
jobs() {
  if [[ ${FLITMEND_JOBS:-} ]]; then echo "$FLITMEND_JOBS" && return; fi
  local processors free_kb carried
  processors=$(nproc)
  free_kb=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo 2>/dev/null || true)
  carried=$((${free_kb:-0} / 1572864))
  if ((free_kb && carried < processors)); then processors=$((carried > 0 ? carried : 1)); fi
  echo "$processors"
}

# Sets FLITMEND_DATA, the folder of real traces for tests, to ../shared/data if it is not set and that folder exists.
export_data_folder() {
  if [[ ! ${FLITMEND_DATA:-} && -d $ROOT/../shared/data ]]; then
    FLITMEND_DATA=$(cd -- "$ROOT/../shared/data" && pwd -P)
    export FLITMEND_DATA
  fi
}

# The options of a build with tests and benchmarks.
EVERYTHING=(-DFLITMEND_BUILD_TESTS=ON -DFLITMEND_BUILD_BENCHMARKS=ON)

# configure PRESET [-DNAME=VALUE …]: configures build/PRESET without output. A new build folder has neither tests nor
# benchmarks, whose packages may be missing, unless the options enable them; an existing one keeps what it has.
configure() {
  local preset=$1 log launcher=() only=()
  shift
  if [[ ! -e $ROOT/build/$preset/CMakeCache.txt ]]; then only=(-DFLITMEND_BUILD_TESTS=OFF -DFLITMEND_BUILD_BENCHMARKS=OFF); fi
  # Paths relative to the project: another checkout finds what this one compiled.
  # It keeps nothing that uses a precompiled header.
  if command -v ccache >/dev/null; then
    launcher=("-DCMAKE_CXX_COMPILER_LAUNCHER=env;CCACHE_BASEDIR=$ROOT;CCACHE_NOHASHDIR=1;ccache" -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON)
  fi
  say "Configuring build/$preset"
  mkdir -p "$ROOT/build"
  log=$ROOT/build/configure-$preset.log
  if ! (cd "$ROOT" && cmake --preset "$preset" "${launcher[@]}" "${only[@]}" "$@") >"$log" 2>&1; then
    cat "$log" >&2
    fail "CMake could not configure the preset '$preset'"
  fi
}

# configure_and_build PRESET [-DNAME=VALUE …] [TARGET …]
configure_and_build() {
  local preset=$1 options=() at_a_time
  shift
  while [[ ${1:-} == -D* ]]; do options+=("$1") && shift; done
  configure "$preset" "${options[@]}"
  at_a_time=$(jobs)
  say "Building build/$preset ($at_a_time at a time)"
  cmake --build "$ROOT/build/$preset" --parallel "$at_a_time" ${1:+--target "$@"} ||
    fail "the preset '$preset' does not build"
}

# source_files PATTERN: the project's own files below the current folder whose name matches, each followed by a zero
# byte: files that git tracks or would add; without git (an unpacked archive), all files outside build folders.
source_files() {
  if [[ -e .git ]] && command -v git >/dev/null; then
    git -c safe.directory='*' ls-files -z --cached --others --exclude-standard --deduplicate |
      while IFS= read -r -d '' file; do if [[ -f $file ]]; then printf '%s\0' "$file"; fi; done
  else
    find . -type d \( -name build -o -name .git -o -name out \) -prune -o -type f -print0 | sed -z 's|^\./||'
  fi | grep -zE "$1" || true
}
