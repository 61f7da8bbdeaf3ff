// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/map_reader.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "base/nearest.h"

namespace flitmend {

MapReader::MapReader(const DocumentNode& map, std::string path, const FileSection& declared,
                     ErrorList& errors)
    : map_(map), path_(std::move(path)), declared_(declared), errors_(errors) {
  if (map.kind != DocumentNode::Kind::map) report("expected a section of keys, found " + map.called());
}

const DocumentNode* MapReader::get(std::string_view key) {
  if (std::none_of(declared_.keys.begin(), declared_.keys.end(),
                   [&](const FileKey& k) { return k.name == key; }))
    throw std::logic_error("the key " + std::string(key) + " is read but not declared");
  const DocumentEntry* const entry = map_.find(key);
  return entry ? &entry->value : nullptr;
}

std::string MapReader::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void MapReader::report(const DocumentNode& value, std::string_view key, const std::string& wrong) {
  if (!wrong.empty()) errors_.add(value.place, path_of(key) + ": " + wrong);
}

void MapReader::report(const std::string& wrong) {
  errors_.add(map_.place, path_.empty() ? wrong : path_ + ": " + wrong);
}

void MapReader::finish() {
  std::vector<std::string_view> known;
  for (const FileKey& key : declared_.keys) known.push_back(key.name);
  for (const DocumentEntry& entry : map_.entries)
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      errors_.add(entry.place, path_of(entry.key) + ": unknown key" + did_you_mean(entry.key, known));
}

}  // namespace flitmend
