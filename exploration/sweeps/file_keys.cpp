// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/file_keys.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "base/nearest.h"
#include "testbench/configuration/source_text.h"

namespace flitmend {

const FileSection& sweep_keys() {
  static const FileSection section{
      "Sweep file",
      "For `flitmend sweep SWEEP.yaml`; see docs/sweeps.md.",
      {{"base", "", "a file, or sections",
        "Configuration that every point starts from; a file name is relative to the folder of the "
        "sweep file."},
       {"axes", "", "a list of axes", "One point per combination; the last axis varies fastest."},
       {"keep", "everything", "a section", "Which results of each point are stored."},
       {"slurm", "{}", "a section", "How a cluster runs the sweep."},
       {"exhaustive", "", "a section",
        "Each point is searched for failures instead of being run, as with `flitmend campaign "
        "--exhaustive`."},
       {"timeout_seconds", "0", "0 to 1e9",
        "A point that takes longer is killed and recorded as timed-out; 0: "
        "no limit."},
       {"allow_deadlock", "false", "true, false", "Run points that are not proved free of deadlock."},
       {"seeds_shared_by", "all keys", "a list of keys",
        "The points of these axes share their seeds, those of all others have seeds of their own: with C "
        "combinations of the "
        "others, the n-th seed of combination c, counted from 0, is the first one + n·C + c. Studies compare "
        "points "
        "with the same seed, so they must not use it."}}};
  return section;
}

const FileSection& axis_keys() {
  static const FileSection section{
      "Axis",
      "One of: `key` with `values`, or with `from`, `to` and one of `step` and `count`; `keys` with `values` "
      "(zipped); "
      "`seeds`; `key: traffic.load` with `until: saturation`, `from` and `step`.",
      {{"name", "its keys", "a text", "Name of the axis in results."},
       {"seeds", "", "a count, or a list",
        "Values of `simulation.seed`: 1 to the count, or the listed seeds."},
       {"key", "", "a dotted path", "Configuration key or section that the axis sets."},
       {"keys", "", "a list of dotted paths",
        "Several keys that change together: each value is a list with one entry per "
        "key."},
       {"until", "", "saturation",
        "The axis searches the saturation load, upwards from `from` by `step` and then by "
        "bisection."},
       {"values", "", "a list", "The points of the axis."},
       {"from", "", "a number", "First point of a range, or lowest load of a search."},
       {"to", "", "a number", "Last point of a range, or highest load of a search (default: no limit)."},
       {"step", "", "a number above 0",
        "Distance between points of a range, or between the first loads of a search."},
       {"count", "", "1 or more", "Number of equally spaced points of a range."},
       {"zero_load", "a fifth of `from`", "a load below `from`",
        "Load at which a search measures the zero-load latency."}}};
  return section;
}

const FileSection& keep_keys() {
  static const FileSection section{
      "keep",
      "",
      {{"metrics", "[\"*\"]", "a list of globs",
        "Numbers of `stats.json`, by dotted name, to store in the table "
        "`metrics`."},
       {"stats", "true", "true, false", "Whether to store the whole `stats.json` in the table `points`."}}};
  return section;
}

const FileSection& slurm_keys() {
  static const FileSection section{
      "slurm",
      "",
      {{"points_per_task", "at most 100 tasks", "1 to 1000000",
        "Points (curves, with `until: saturation`) per task of "
        "the job array."},
       {"cpus_per_task", "1", "1 to 4096",
        "Processors that a task requests, and points that it runs at a time."},
       {"options", "[]", "a list of texts",
        "Long options of `sbatch` that ask for resources, each with its value in the same "
        "text, like --mem=2G."}}};
  return section;
}

const FileSection& exhaustive_keys() {
  static const FileSection section{
      "exhaustive",
      "The faults that are tried, at every cycle from 0 to that in which the fault-free network is empty.",
      {{"faults", "1", "1, 2", "Faults per case: 1, or 2 to try every pair too."},
       {"durations", "[1, 2, 10, permanent]", "a list of cycles and permanent", "How long a fault lasts."},
       {"parts", "[router, link, channel]", "a list of router, link, channel",
        "What fails: a router or switch, both directions of a link, one direction of it."},
       {"window", "40", "0 to 1000000", "Cycles from the first fault of a pair to the second, at most."},
       {"merge", "true", "true, false",
        "With two faults: a state in which every second fault has been tried is not tried again after "
        "another "
        "first fault; its cases count as before."},
       {"verified", "1000", "1 to 1000000000",
        "With `merge`: one in that many of these states is tried again, and must end as before."},
       {"patience", "400000", "1000 to 100000000",
        "Cycles after the last fault or repair in which the network must become empty."}}};
  return section;
}

DocumentNode read_document(const std::string& text, const std::string& name) {
  check_source_text(text, name);
  ErrorList errors(name);
  DocumentNode root = parse_document(text, errors).value_or(DocumentNode{});
  errors.throw_if_any();
  return root;
}

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
