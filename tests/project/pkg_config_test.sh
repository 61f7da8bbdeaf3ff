#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pkg_config_test.sh BUILD EXAMPLE WORK COMPILER: installs BUILD into a prefix in WORK, moves that, then compiles and runs
# the testbench of EXAMPLE with what pkg-config says of it.
set -euo pipefail
build=$1 example=$2 work=$3 compiler=$4
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/prefix" >"$work/log"
mv "$work/prefix" "$work/moved"
PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name flitmend.pc)")${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
read -ra compile <<<"$(pkg-config --cflags flitmend)"
read -ra link <<<"$(pkg-config --libs flitmend)"
"$compiler" -std=c++20 "${compile[@]}" "$example/main.cpp" "${link[@]}" -o "$work/own_testbench"
"$work/own_testbench"
