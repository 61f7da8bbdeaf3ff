#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# debian_package_test.sh BUILD EXAMPLES WORK [lintian]: builds the Debian packages of BUILD in WORK, unpacks them into a
# root of their own and runs the program there. With "lintian", runs that over the packages instead.
set -euo pipefail
build=$1 examples=$2 work=$3 lintian=${4:-}
fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}
for tool in dpkg-deb dpkg-shlibdeps file; do
  if ! command -v $tool >/dev/null; then echo "$tool is not installed" && exit 77; fi
done

rm -rf "$work"
mkdir -p "$work"
cpack --config "$build/CPackConfig.cmake" -B "$work" >"$work/log" 2>&1 || { cat "$work/log" && fail "cpack failed"; }
program=$(echo "$work"/flitmend_*.deb)
development=$(echo "$work"/libflitmend-dev_*.deb)

if [[ $lintian ]]; then
  command -v lintian >/dev/null || { echo "lintian is not installed" && exit 77; }
  # bogus-mail-host…: whoever builds packages for others gives an address (FLITMEND_PACKAGE_MAINTAINER).
  # initial-upload-closes-no-bugs: only packages of Debian's own do.
  # pkg-config-unavailable-for-cross-compilation: libraries go to lib, as in any other prefix.
  exec lintian --fail-on error,warning --suppress-tags "$(printf '%s,' bogus-mail-host{,-in-debian-changelog} \
    initial-upload-closes-no-bugs pkg-config-unavailable-for-cross-compilation)" "$program" "$development"
fi

version=$("$build/flitmend" --version)
[[ $(dpkg-deb -f "$program" Version) == "${version#flitmend }"-* ]] || fail "the version is not that of $version"
depends=$(dpkg-deb -f "$program" Depends)
for library in libc6 libstdc++6 libsystemc libyaml-cpp libsqlite3 libbz2 zlib1g liblzma libexpat libnettle; do
  [[ ", $depends" == *", $library"* ]] || fail "the program's package does not depend on $library, but on: $depends"
done
depends=$(dpkg-deb -f "$development" Depends)
for library in libsystemc-dev libyaml-cpp-dev nlohmann-json3-dev libbz2-dev zlib1g-dev liblzma-dev libexpat1-dev nettle-dev; do
  [[ ", $depends" == *", $library"* ]] || fail "libflitmend-dev does not depend on $library, but on: $depends"
done

# Nothing in two packages, and nothing outside /usr.
for package in "$program" "$development"; do
  dpkg-deb --fsys-tarfile "$package" | tar -t | grep -v '/$' >>"$work/files"
  dpkg-deb -x "$package" "$work/root"
done
[[ -z $(sort "$work/files" | uniq -d) ]] || fail "files of both packages: $(sort "$work/files" | uniq -d)"
if grep -v '^\./usr/' "$work/files"; then fail "files outside /usr"; fi

# As on a machine that has the package alone.
cd "$work"
flitmend=$work/root/usr/bin/flitmend
[[ $("$flitmend" --version) == "$version" ]] || fail "the packaged program says $("$flitmend" --version)"
"$flitmend" run "$work/root/usr/share/doc/flitmend/examples/mesh.yaml" --set simulation.measure=2000 --out "$work/out" --quiet >"$work/said"
grep -q 'latency' "$work/said" || fail "a run printed no latency: $(cat "$work/said")"
[[ -s $work/out/stats.json ]] || fail "a run wrote no stats.json"
cmp -s "$examples/mesh.yaml" "$work/root/usr/share/doc/flitmend/examples/mesh.yaml" || fail "another examples/mesh.yaml"
for example in mesh ring chiplets concentrated-mesh kns-fat-tree fault-story/fault-story; do
  "$flitmend" check "$work/root/usr/share/doc/flitmend/examples/$example.yaml" >"$work/said" 2>&1 ||
    fail "examples/$example.yaml from another folder: $(cat "$work/said")"
done
cmp -s "$examples/../README.md" "$work/root/usr/share/doc/flitmend/README.md" || fail "no README.md in the package"
gzip -dc "$work/root/usr/share/man/man1/flitmend.1.gz" | cmp -s - <("$flitmend" reference --manual) ||
  fail "the manual page of the package is not that of the program"
"$flitmend" study --list | grep -q booksim || fail "the packaged program does not find its studies"
bash -n "$work/root/usr/share/bash-completion/completions/flitmend" || fail "the completion is not valid bash"

# The development package is found as it would be in /usr.
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/root" -name flitmend.pc)")
[[ $(pkg-config --modversion flitmend) == "${version#flitmend }" ]] || fail "flitmend.pc has another version"
pkg-config --cflags --libs flitmend | grep -q systemc || fail "flitmend.pc does not name SystemC"
find "$work/root" -name flitmendConfig.cmake | grep -q . || fail "libflitmend-dev has no CMake package"
[[ -s $work/root/usr/include/flitmend/rtl_tlm/fabric/fabric.h ]] || fail "libflitmend-dev has no rtl_tlm/fabric/fabric.h"
echo "the packages build, and the program in them runs"
