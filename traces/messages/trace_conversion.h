// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace flitmend {

/// The new number of each node of a trace; empty: they keep theirs.
using NodeMapping = std::vector<std::uint32_t>;

/// Reads a mapping: a CSV file with the columns from,to. Nodes that it does not list keep their numbers. No
/// two nodes may get the same one; of nodes that are not listed, convert_trace checks that. Throws
/// ConfigurationError.
NodeMapping read_mapping(const std::string& file);

/// Converts a trace or the messages of a run to a trace. The names decide: `from` is messages in CSV if it
/// ends in .csv (a trace, or the messages.csv of a run), else a Netrace file; `to` is the same, but never
/// messages.csv. With `sort` the lines of a CSV trace may be in any order; they are sorted by cycle, each
/// after those that it waits for. Returns the number of messages. Throws ConfigurationError with file and
/// line, also for what the other format cannot express, and WriteError.
std::uint64_t convert_trace(const std::string& from, const std::string& to, const NodeMapping&, bool sort);

}  // namespace flitmend
