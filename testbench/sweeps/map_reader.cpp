#include "testbench/sweeps/map_reader.h"

#include <algorithm>

#include "base/nearest.h"

namespace flitmend {

MapReader::MapReader(const DocumentNode& map, std::string path, ErrorList& errors)
    : map_(map), path_(std::move(path)), errors_(errors) {
  if (map.kind != DocumentNode::Kind::map) report("wanted a section of keys, found " + map.called());
}

const DocumentNode* MapReader::get(std::string_view key) {
  known_.push_back(key);
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
  for (const DocumentEntry& entry : map_.entries)
    if (std::find(known_.begin(), known_.end(), entry.key) == known_.end())
      errors_.add(entry.place, path_of(entry.key) + ": unknown key" + did_you_mean(entry.key, known_));
}

}  // namespace flitmend
