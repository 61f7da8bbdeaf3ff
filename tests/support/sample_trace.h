// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace flitmend::test {

/// Writes the project's sample trace: a program on 16 cores with shared memory, about 300 packets (see
/// traces/samples/README.md). Always the same bytes.
void write_sample_trace(const std::string& path);

}  // namespace flitmend::test
