#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# find_systemc_test.sh MODULES WORK: how CMake finds SystemC, and what it says if it does not.
set -euo pipefail
modules=$1 work=$2
fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}
rm -rf "$work"
mkdir -p "$work/project" "$work/home/include/sysc/kernel" "$work/home/lib-linux64"
# A SystemC of one's own, as configure installs it, as far as CMake looks at it.
touch "$work/home/include/systemc"
printf '#define SC_VERSION_%s %s\n' ORIGINATOR '"Nobody"' MAJOR 2 MINOR 3 PATCH 5 >"$work/home/include/sysc/kernel/sc_ver.h"
printf '\0_ZN7sc_core31sc_api_version_2_3_5_cxx202002LIX\0' >"$work/home/lib-linux64/libsystemc.so"
cat >"$work/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(find_systemc LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH $modules)
find_package(SystemC 2.3.4 REQUIRED)
get_target_property(definitions SystemC::systemc INTERFACE_COMPILE_DEFINITIONS)
get_target_property(folders SystemC::systemc INTERFACE_INCLUDE_DIRECTORIES)
message(STATUS "found \${SystemC_VERSION} \${definitions} in \${folders}")
END
unset SYSTEMC_HOME
configure_again() { cmake -S "$work/project" -B "$work/build" "$@" >"$work/said" 2>&1; }
configure() {
  rm -rf "$work/build"
  configure_again -D CMAKE_DISABLE_FIND_PACKAGE_SystemCLanguage=ON "$@"
}
expect_found() {
  grep -qF "found 2.3.5 SC_CPLUSPLUS=202002L in $work/home/include" "$work/said" || fail "$1: $(cat "$work/said")"
}

configure -D SYSTEMC_HOME="$work/home" || fail "SYSTEMC_HOME as a variable of CMake: $(cat "$work/said")"
expect_found "SYSTEMC_HOME as a variable of CMake"
SYSTEMC_HOME=$work/home configure || fail "SYSTEMC_HOME in the environment: $(cat "$work/said")"
expect_found "SYSTEMC_HOME in the environment"

# make_package FOLDER VERSION: a SystemC as CMake installs it, as far as CMake looks at it.
make_package() {
  local folder=$1/lib/cmake/SystemCLanguage
  mkdir -p "$folder"
  cat >"$folder/SystemCLanguageConfig.cmake" <<END
add_library(SystemC::systemc INTERFACE IMPORTED)
set_target_properties(SystemC::systemc PROPERTIES INTERFACE_INCLUDE_DIRECTORIES $1)
set(SystemC_CXX_STANDARD 17)
END
  echo "set(PACKAGE_VERSION $2)" >"$folder/SystemCLanguageConfigVersion.cmake"
}
make_package "$work/elsewhere" 2.3.7
make_package "$work/package" 3.0.1
expect_package() {
  grep -qF "found $2 SC_CPLUSPLUS=201703L in $work/$1" "$work/said" || fail "$3: $(cat "$work/said")"
}
rm -rf "$work/build"
elsewhere=(-D CMAKE_PREFIX_PATH="$work/elsewhere")
configure_again "${elsewhere[@]}" || fail "a CMake package: $(cat "$work/said")"
expect_package elsewhere 2.3.7 "a CMake package"
SYSTEMC_HOME=$work/home configure_again "${elsewhere[@]}" || fail "a new SYSTEMC_HOME: $(cat "$work/said")"
expect_found "SYSTEMC_HOME before a CMake package elsewhere"
SYSTEMC_HOME=$work/package configure_again "${elsewhere[@]}" || fail "another SYSTEMC_HOME: $(cat "$work/said")"
expect_package package 3.0.1 "another SYSTEMC_HOME, with a CMake package"
SYSTEMC_HOME=$work/home configure_again "${elsewhere[@]}" || fail "the first SYSTEMC_HOME again: $(cat "$work/said")"
expect_found "the first SYSTEMC_HOME again"
configure_again "${elsewhere[@]}" || fail "SYSTEMC_HOME is gone: $(cat "$work/said")"
expect_package elsewhere 2.3.7 "SYSTEMC_HOME is gone"

if configure -D SYSTEMC_HOME=/nowhere; then fail "a SYSTEMC_HOME without SystemC is accepted"; fi
tr '\n' ' ' <"$work/said" | grep -q "SYSTEMC_HOME is /nowhere, and there is no include/systemc" ||
  fail "a wrong SYSTEMC_HOME: $(cat "$work/said")"
if PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH='' configure; then fail "SystemC is found nowhere"; fi
tr '\n' ' ' <"$work/said" | grep -q "apt-get install libsystemc-dev pkg-config), or give the folder .* -D SYSTEMC_HOME=FOLDER" ||
  fail "without SystemC: $(cat "$work/said")"
echo "SystemC is found in SYSTEMC_HOME, and missed with a remedy"
