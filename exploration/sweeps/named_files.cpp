// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/named_files.h"

#include <algorithm>
#include <string_view>

#include "base/digest.h"
#include "base/errors.h"
#include "base/file_name.h"
#include "base/input_file.h"

namespace flitmend {
namespace {

constexpr std::string_view kFileKeys[] = {"network.graph", "routing.table", "traffic.permutation_file",
                                          "traffic.trace"};
constexpr std::size_t kMostBytes = std::size_t{1} << 28;

/// Empty if it cannot be read: its points will say so.
std::string digest_of(const std::string& file) {
  try {
    return sha256(read_input_file(file, kMostBytes));
  } catch (const ConfigurationError&) {
    return "";
  }
}

/// Adds the files in a value that stands at that path of a configuration, in that source of places.
void add_files(const Sweep& sweep, const std::string& source, const std::string& path, const Json& value,
               Json& files) {
  if (value.is_object())
    for (const auto& [key, inner] : value.items())
      add_files(sweep, source, path.empty() ? key : path + "." + key, inner, files);
  if (!value.is_string() ||
      std::find(std::begin(kFileKeys), std::end(kFileKeys), path) == std::end(kFileKeys))
    return;
  const auto name = value.get<std::string>();
  if (!is_file_name(name)) return;
  const std::filesystem::path file = sweep.folders().file(name, {source});
  // A relative one by a name that stays when the whole folder moves.
  const std::string known =
      name.starts_with('/')
          ? name
          : file.lexically_proximate(std::filesystem::weakly_canonical(sweep.folder)).string();
  if (!files.contains(known)) files[known] = digest_of(file.string());
}

}  // namespace

std::string named_files(const Sweep& sweep) {
  Json files = Json::object();
  add_files(sweep, sweep.base_name, "", json_of(sweep.base_document), files);
  for (const SweepAxis& axis : sweep.axes)
    for (const auto& point : axis.points)
      for (std::size_t k = 0; k < axis.keys.size(); ++k)
        add_files(sweep, sweep.name, axis.keys[k], point[k], files);
  return files.empty() ? "" : files.dump();
}

std::string changed_file(const std::string& before, const std::string& now) {
  if (before == now) return "";
  const Json old_files = Json::parse(before, nullptr, false), new_files = Json::parse(now, nullptr, false);
  if (new_files.is_object())
    for (const auto& [file, digest] : new_files.items())
      if (!old_files.is_object() || old_files.value(file, "") != digest) return file;
  return "a file that it named";
}

}  // namespace flitmend
