#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pkg_config_test.sh PREFIX EXAMPLE WORK COMPILER: compiles and runs the testbench of EXAMPLE with what pkg-config says of
# what is installed in PREFIX.
set -euo pipefail
prefix=$1 example=$2 work=$3 compiler=$4
rm -rf "$work"
mkdir -p "$work"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name flitmend.pc)")${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
read -ra compile <<<"$(pkg-config --cflags flitmend)"
read -ra link <<<"$(pkg-config --libs flitmend)"
"$compiler" -std=c++20 "${compile[@]}" "$example/main.cpp" "${link[@]}" -o "$work/own_testbench"
"$work/own_testbench"
