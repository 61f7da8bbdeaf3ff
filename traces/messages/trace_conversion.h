// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "traces/messages/node_mapping.h"

namespace flitmend {

/// Converts a trace or the messages of a run to a trace. The names decide: `from` is messages in CSV if
/// is_csv_trace says so (a trace, or the messages.csv of a run), else a Netrace file; `to` is CSV if it ends
/// in .csv, but never messages.csv. With `sort` the lines of a CSV trace may be in any order; they are sorted
/// by cycle, each after those that it waits for. Returns the number of messages. Throws ConfigurationError
/// with file and line, also for what the other format cannot express, and WriteError.
std::uint64_t convert_trace(const std::string& from, const std::string& to, NodeMapping, bool sort);

}  // namespace flitmend
