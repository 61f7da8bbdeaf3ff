#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2016
# scripts/install-dependencies with stand-ins for dpkg-query, apt-get, sudo and env that log their calls: what is
# installed, as which user, and what is said if that is impossible.
set -euo pipefail
script=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../scripts" && pwd)/install-dependencies
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failures=0
check() { # check WHAT CONDITION…
  if ! eval "$2"; then
    printf 'FAILED: %s\n  status %s, said: %s\n  calls:\n%s\n' "$1" "$status" "$said" "$(cat "$box/calls")"
    failures=$((failures + 1))
  fi
}

# stand_in NAME BODY: a command in the box that hides the real one.
stand_in() {
  printf '#!/bin/bash\n%s\n' "$2" >"$box/bin/$1"
  chmod +x "$box/bin/$1"
}
# run [GROUP]: the script, with only the stand-ins and the tools that it may use.
run() {
  : >"$box/calls"
  status=0
  said=$(BOX=$box PATH=$box/bin "$BASH" "$script" "${1-test}" </dev/null 2>&1) || status=$?
}
fresh() {
  rm -rf "${box:?}/bin"
  mkdir "$box/bin"
  for tool in dirname nproc awk env; do ln -s "$(command -v "$tool")" "$box/bin/$tool"; done
  stand_in apt-get 'echo "apt-get $*" >>"$BOX/calls"; [[ "$*" != *"$FAILS"* || -z $FAILS ]]'
  export FAILS=
}
here() { stand_in dpkg-query 'case $* in '"$1"') exit 1 ;; *) printf "installed " ;; esac'; }

fresh
here '*nothing-is-missing*'
run
check "quiet where all is there" '[[ $status == 0 && -z $said && ! -s $box/calls ]]'

fresh
here '*xvfb*|*libbz2-dev*'
stand_in sudo 'echo "sudo $*" >>"$BOX/calls"; [[ $1 == -n ]] && shift; exec "$@"'
run
check "installs just what is missing" \
  '[[ $status == 0 ]] && grep -q "apt-get .*install -y --no-install-recommends libbz2-dev xvfb$" $box/calls'
if ((EUID == 0)); then
  check "root needs no sudo" '! grep -q ^sudo $box/calls'
else
  check "sudo does not ask where nobody answers" 'grep -q "^sudo -n" $box/calls'
fi

fresh
here 'npm|*" npm"'
stand_in sudo '[[ $1 == -n ]] && shift; exec "$@"'
run
check "installs npm where there is none" 'grep -q "install .* npm$" $box/calls'
stand_in npm ''
run
check "takes the npm that is there" '[[ $status == 0 && -z $said && ! -s $box/calls ]]'

fresh
stand_in dpkg-query 'exit 1'
stand_in sudo '[[ $1 == -n ]] && shift; exec "$@"'
run build
check "running needs no test library, browser, cluster, display server, linter" \
  'grep -q "install.* libsystemc-dev " $box/calls &&
   ! grep -E "gtest|benchmark|chromium|slurm|xvfb|gtkwave|clang|valgrind|lintian" $box/calls'
run nightly
check "nothing is missing at night" 'grep -q "install.* libsystemc-dev .*libbenchmark-dev .*chromium .*lintian" $box/calls'
for group in '' 'everything'; do
  run "$group"
  check "a group must be named" '[[ $status == 1 && $said == *"build, bench, test or nightly"* && ! -s $box/calls ]]'
done

fresh
here '*xvfb*|*libbz2-dev*'
stand_in sudo '[[ $1 == -n ]] && shift; exec "$@"'
FAILS=update
run
check "a failing package source does not stop it" '[[ $status == 0 && $said == *"continuing"* ]]'
FAILS=install
run
check "a failed installation is a failure" '[[ $status == 1 && $said == *"could not install libbz2-dev xvfb"* ]]'

fresh
rm "$box/bin/apt-get"
run
check "says what to do elsewhere than on Debian" \
  '[[ $status == 1 && $said == *"not a Debian system"*FLITMEND_SKIP_INSTALL=1*libsystemc-dev* ]]'
FLITMEND_SKIP_INSTALL=1 run
check "leaves it to you when told" '[[ $status == 0 && -z $said ]]'

# Neither root nor sudo. EUID cannot be set, so this part needs another user if the test runs as root.
fresh
here '*libbz2-dev*'
chmod 755 "$box" "$box/bin"
if ((EUID == 0)) && command -v setpriv >/dev/null; then
  copy=$box/project/scripts
  mkdir -p "$copy"
  cp "$(dirname "$script")"/{common.sh,install-dependencies} "$copy"
  : >"$box/calls"
  status=0
  said=$(BOX=$box setpriv --reuid 65534 --clear-groups env PATH="$box/bin" "$BASH" \
    "$copy/install-dependencies" test </dev/null 2>&1) || status=$?
else
  run
fi
check "says what root must do" \
  '[[ $status == 1 && $said == *"needs root or sudo: libbz2-dev"*"apt-get install libbz2-dev"* ]]'

if ((failures)); then exit 1; fi
echo "install-dependencies does what it says"
