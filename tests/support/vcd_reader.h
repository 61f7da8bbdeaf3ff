// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace flitmend {

/// A strict reader of value change dumps, for tests. It throws std::runtime_error if a file violates the
/// standard's grammar [IEEE1364] or does not end with a complete time step.
struct VcdDump {
  struct Change {
    std::uint64_t time;
    bool absent;  ///< z
    std::uint64_t value;
    friend bool operator==(const Change&, const Change&) = default;
  };
  struct Signal {
    unsigned width = 0;
    std::vector<Change> changes;
    /// The value at a time; absent before the first change.
    Change at(std::uint64_t time) const;
  };

  std::string timescale;
  std::map<std::string, Signal> signals;  ///< by full name
  std::vector<std::uint64_t> times;       ///< all time steps

  const Signal& operator[](const std::string& name) const;
};

VcdDump read_vcd(const std::string& text);
std::string read_whole_file(const std::string& path);

}  // namespace flitmend
