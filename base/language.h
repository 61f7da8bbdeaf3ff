// SPDX-License-Identifier: Apache-2.0
#pragma once

#if __cplusplus < 202002L
#error Flitmend needs C++20: compile with -std=c++20 (CMake: target_link_libraries does it)
#include "C++20"  // there is no such file: it spares the reader the errors that would follow
#endif
