// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/named_files.h"

#include <algorithm>

#include "base/digest.h"
#include "base/errors.h"
#include "testbench/files/input_files.h"

namespace flitmend {
namespace {

/// Empty if it cannot be read: its points will say so.
std::string digest_of(const std::string& file) {
  try {
    return sha256_of_file(file);
  } catch (const ConfigurationError&) {
    return "";
  }
}

/// What a file with a relative name is known as: a name that stays when the whole folder moves.
std::string known_as(const std::filesystem::path& file, const std::filesystem::path& sweep_folder) {
  return file.lexically_proximate(std::filesystem::weakly_canonical(sweep_folder)).string();
}

/// Adds the files in a value that stands at that path of a configuration, in that source of places.
void add_files(const Sweep& sweep, const std::string& source, const std::string& path, const Json& value,
               Json& files) {
  if (value.is_object())
    for (const auto& [key, inner] : value.items())
      add_files(sweep, source, path.empty() ? key : path + "." + key, inner, files);
  if (value.is_array())
    for (const Json& item : value)  // a flow of traffic.flows
      if (item.is_object() && item.contains("matrix")) add_files(sweep, source, path, item["matrix"], files);
  if (value.is_structured() || value.is_null()) return;
  // 12 may be the name of a file.
  const std::string name = file_named(path, value.is_string() ? value.get<std::string>() : value.dump());
  if (name.empty()) return;
  const std::filesystem::path file = sweep.folders().file(name, {source});
  const std::string known = name.starts_with('/') ? name : known_as(file, sweep.folder);
  if (!files.contains(known)) files[known] = digest_of(file.string());
}

}  // namespace

std::string named_files(const Sweep& sweep) {
  Json files = sweep.also_read.empty() ? Json::object() : Json(sweep.also_read);
  add_files(sweep, sweep.base_name, "", json_of(sweep.base_document), files);
  for (const SweepAxis& axis : sweep.axes)
    for (const auto& point : axis.points)
      for (std::size_t k = 0; k < axis.keys.size(); ++k)
        add_files(sweep, sweep.name, axis.keys[k], point[k], files);
  return files.empty() ? "" : files.dump();
}

void refuse_changed_inputs(const std::vector<InputFileResults>& inputs, const std::string& files,
                           const std::filesystem::path& sweep_folder) {
  const Json known = Json::parse(files, nullptr, false);
  if (!known.is_object()) return;
  const auto is_known = [&](const std::string& name, const std::string& digest) {
    // One that could not be read then has an empty digest.
    const auto found = known.find(name);
    return found != known.end() && (*found == digest || *found == "");
  };
  for (const InputFileResults& input : inputs)
    if (!is_known(input.path, input.sha256) && !is_known(known_as(input.path, sweep_folder), input.sha256))
      throw NotNowError(
          KeyError(input.key, "'" + input.path +
                                  "' has changed since the sweep was started; restore it, then "
                                  "--resume runs this point, or start again in another folder"));
}

bool has_changed(const std::filesystem::path& file, const std::string& files) {
  const Json known = Json::parse(files, nullptr, false);
  if (!known.is_object()) return false;
  const std::string now = digest_of(file.string());
  bool named = false;
  for (const auto& [name, digest] : known.items()) {
    if (std::filesystem::path(name).filename() != file.filename()) continue;
    if (digest == now && !now.empty()) return false;
    named = true;
  }
  return named;
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
