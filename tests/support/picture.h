// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace flitmend {

/// A PNG file as 8-bit red, green, blue.
struct Picture {
  unsigned width = 0, height = 0;
  std::vector<std::uint8_t> rgb;

  /// Number of pixels of each colour 0xRRGGBB in the columns from `left` on.
  std::map<std::uint32_t, unsigned> colours(unsigned left = 0) const;
};

/// Throws std::runtime_error if it is not a PNG file.
Picture read_picture(const std::string& path);

/// A row of a GTKWave window: its name and its value at the marker, as displayed.
struct WaveRow {
  std::string name;
  std::string value;
};

/// Runs scripts/waves-to-png with its options. If it fails, throws std::runtime_error with its output.
std::vector<WaveRow> grab_waves(const std::string& view, const std::string& picture,
                                const std::string& options = "");

}  // namespace flitmend
