// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/sweep.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/errors.h"
#include "base/nearest.h"
#include "base/text.h"
#include "exploration/sweeps/file_keys.h"
#include "exploration/sweeps/metrics.h"
#include "exploration/sweeps/slurm/array_job.h"
#include "testbench/configuration/configuration.h"
#include "testbench/configuration/declarations.h"
#include "testbench/configuration/loader.h"
#include "testbench/configuration/settings_loader.h"
#include "testbench/configuration/source_text.h"
#include "testbench/configuration/value_reader.h"

namespace flitmend {
namespace {

using Kind = DocumentNode::Kind;

/// Checks only names and types of keys; each point checks whether they can be combined.
void check_keys(const DocumentNode& root, ErrorList& errors) {
  Configuration scratch;
  SettingsLoader loader(root, errors);
  scratch.visit(loader);
  loader.finish();
}

/// Checked before values are examined one by one, and before any loop over the product.
void check_number_of_points(const Sweep& sweep) {
  constexpr std::size_t kMost = 10'000'000;
  std::size_t points = 1;
  for (const SweepAxis& axis : sweep.axes) {
    if (axis.until) continue;
    points *= axis.points.size();  // one axis has at most a million
    if (points > kMost)
      throw ConfigurationError({sweep.name}, "axes: more than 10000000 points; use shorter axes");
  }
}

/// Dotted paths of all sections and keys of a configuration.
std::vector<std::string> known_paths() {
  std::vector<std::string> paths;
  for (const DeclaredSection& section : declarations(Configuration{})) {
    paths.push_back(section.path);
    for (const DeclaredKey& key : section.keys) paths.push_back(key.path);
  }
  return paths;
}

/// Reports the keys of an axis that a configuration does not have. True if it has all of them.
bool check_axis_keys(const SweepAxis& axis, const std::vector<std::string>& known, ErrorList& errors) {
  bool all = true;
  for (std::size_t k = 0; k < axis.keys.size(); ++k) {
    const std::string& key = axis.keys[k];
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    all = false;
    const auto same_end = std::find_if(known.begin(), known.end(),
                                       [&](const std::string& path) { return path.ends_with("." + key); });
    const std::string_view meant =
        same_end != known.end() ? std::string_view(*same_end) : nearest(key, {known.begin(), known.end()});
    errors.add(axis.key_places[k], key + ": unknown key" +
                                       (meant.empty() ? "; flitmend reference lists all keys"
                                                      : " (did you mean '" + std::string(meant) + "'?)"));
  }
  return all;
}

/// The points of an axis whose values have to be checked: all, but of a range only both ends and the first
/// value that is not whole. A range can have a million points.
std::vector<std::size_t> points_to_check(const SweepAxis& axis) {
  std::vector<std::size_t> points(axis.points.size());
  std::iota(points.begin(), points.end(), std::size_t{0});
  if (!axis.ascending || points.size() < 3) return points;
  const auto fraction = std::find_if(points.begin(), points.end(),
                                     [&](std::size_t p) { return axis.points[p].front().is_number_float(); });
  std::set<std::size_t> few = {points.front(), points.back()};
  if (fraction != points.end()) few.insert(*fraction);
  return {few.begin(), few.end()};
}

/// Checks every key and every value of every axis alone, against the declared keys.
void check_axis_values(const Sweep& sweep) {
  ErrorList errors(sweep.name);
  const std::vector<std::string> known = known_paths();
  for (const SweepAxis& axis : sweep.axes) {
    if (!check_axis_keys(axis, known, errors)) continue;
    for (const std::size_t p : points_to_check(axis)) {
      DocumentNode root;
      std::vector<Override> overrides;
      for (std::size_t k = 0; k < axis.keys.size(); ++k)
        overrides.push_back({assignment_of(axis.keys[k], axis.points[p][k]), axis.places[p]});
      apply_overrides(root, overrides, errors);
      check_keys(root, errors);
    }
  }
  errors.throw_if_any();
}

/// Two axes must not set the same key, nor one a section that contains a key of the other.
void check_overlaps(const Sweep& sweep, const DocumentNode& place, const std::string& path,
                    ErrorList& errors) {
  std::vector<std::string> keys;
  for (const SweepAxis& axis : sweep.axes)
    for (const std::string& key : axis.keys) {
      for (const std::string& other : keys)
        if (key == other || key.starts_with(other + ".") || other.starts_with(key + "."))
          errors.add(place.place, path + ": " + key +
                                      (key == other ? " is set twice" : " and " + other + " overlap") +
                                      "; remove one of the axes");
      keys.push_back(key);
    }
}

void read_axes(MapReader& map, const Place& place, Sweep& sweep, ErrorList& errors) {
  const DocumentNode* const node = map.get("axes");
  const std::string path = map.path_of("axes");
  if (!node || (node->kind == Kind::list && node->items.empty()) || node->kind == Kind::null) {
    errors.add(node ? node->place : place,
               path + ": none; give at least one, like {key: traffic.load, from: 0.1, to: 0.4, step: 0.1}");
    return;
  }
  if (node->kind != Kind::list) {
    errors.add(node->place, path + ": expected a list of axes, found " + node->called());
    return;
  }
  for (std::size_t i = 0; i < node->items.size(); ++i)
    sweep.axes.push_back(read_axis(node->items[i], formatted("%1%[%2%]", path, i), errors));
  check_overlaps(sweep, *node, path, errors);
  if (std::count_if(sweep.axes.begin(), sweep.axes.end(),
                    [](const SweepAxis& a) { return a.until.has_value(); }) > 1)
    errors.add(node->place, path + ": only one axis may have until: saturation");
}

std::vector<std::string> read_words(MapReader& map, const char* key, std::vector<std::string> fallback) {
  const DocumentNode* const node = map.get(key);
  if (!node) return fallback;
  std::vector<std::string> words;
  if (node->kind != Kind::list) {
    map.report(*node, key, "expected a list of texts, found " + node->called());
    return words;
  }
  for (const DocumentNode& item : node->items) {
    words.emplace_back();
    map.report(item, key, read_value(item, words.back()));
  }
  return words;
}

void read_keep(const DocumentNode& node, const std::string& path, SweepKeep& keep, ErrorList& errors) {
  MapReader map(node, path, keep_keys(), errors);
  keep.metrics = read_words(map, "metrics", keep.metrics);
  if (const DocumentNode* metrics = map.get("metrics"))
    for (const std::string& glob : keep.metrics) map.report(*metrics, "metrics", unknown_metric(glob));
  if (const DocumentNode* stats = map.get("stats"))
    map.report(*stats, "stats", read_value(*stats, keep.stats));
  map.finish();
}

void read_slurm(const DocumentNode& node, const std::string& path, SweepSlurm& slurm, ErrorList& errors) {
  MapReader map(node, path, slurm_keys(), errors);
  if (const DocumentNode* n = map.get("points_per_task"))
    map.report(*n, "points_per_task", read_value(*n, slurm.points_per_task, {1, 1'000'000}, "points"));
  if (const DocumentNode* n = map.get("cpus_per_task"))
    map.report(*n, "cpus_per_task", read_value(*n, slurm.cpus_per_task, {1, 4096}, "processors"));
  slurm.options = read_words(map, "options", {});
  if (const DocumentNode* n = map.get("options"))
    for (const std::string& word : slurm.options) map.report(*n, "options", slurm_option_error(word));
  map.finish();
}

/// Durations like [1, 10, permanent].
void read_durations(MapReader& map, const DocumentNode& node, std::vector<Duration>& durations) {
  constexpr std::int64_t kLongest = 1'000'000;
  if (node.kind != Kind::list || node.items.empty())
    return map.report(node, "durations", "expected a list like [1, 10, permanent], found " + node.called());
  durations.clear();
  for (const DocumentNode& item : node.items) {
    std::int64_t cycles = 0;
    const bool permanent = item.kind == Kind::scalar && item.text == "permanent";
    if (!permanent) map.report(item, "durations", read_value(item, cycles, {1, kLongest}, "cycles"));
    durations.push_back(permanent ? Duration{} : Duration{cycles});
  }
}

void read_exhaustive(const DocumentNode& node, const std::string& path, FaultSpace& space,
                     ErrorList& errors) {
  MapReader map(node, path, exhaustive_keys(), errors);
  const auto number = [&](const char* key, std::int64_t& value, Range<std::int64_t> range, const char* unit) {
    if (const DocumentNode* n = map.get(key)) map.report(*n, key, read_value(*n, value, range, unit));
  };
  number("faults", space.faults, {1, 2}, "");
  number("window", space.window, {0, 1'000'000}, "cycles");
  if (const DocumentNode* n = map.get("merge")) map.report(*n, "merge", read_value(*n, space.merge));
  number("verified", space.verified, {1, 1'000'000'000}, "");
  number("patience", space.patience, {1000, 100'000'000}, "cycles");
  if (const DocumentNode* n = map.get("durations")) read_durations(map, *n, space.durations);
  space.parts = read_words(map, "parts", space.parts);
  if (const DocumentNode* n = map.get("parts")) {
    if (space.parts.empty()) map.report(*n, "parts", "none; name router, link or channel");
    for (const std::string& part : space.parts)
      if (part != "router" && part != "link" && part != "channel")
        map.report(*n, "parts", "expected router, link or channel, found '" + part + "'");
  }
  const auto refuse = [&](const char* key, bool refused, const char* why) {
    if (const DocumentNode* n = map.get(key); n && refused)
      map.report(*n, key, std::string("no effect with ") + why + "; remove it");
  };
  refuse("merge", space.faults == 1, "faults: 1");
  refuse("verified", space.faults == 1, "faults: 1");
  refuse("verified", space.faults == 2 && !space.merge, "merge: false");
  map.finish();
}

void read_base(MapReader& map, const Place& place, Sweep& sweep, const BaseReader& read_file,
               ErrorList& errors) {
  const DocumentNode* const node = map.get("base");
  if (!node || node->kind == Kind::null || node->kind == Kind::list) {
    errors.add(node ? node->place : place,
               map.path_of("base") +
                   ": missing; name the configuration that every point starts from, like base: mesh.yaml");
    return;
  }
  if (node->kind == Kind::map) {
    check_keys(*node, errors);
    sweep.base_name = sweep.name;
    sweep.base = json_of(*node).dump();  // JSON is YAML
    sweep.base_document = *node;
    return;
  }
  sweep.base_name = node->text;
  try {
    sweep.base = read_file(node->text);
  } catch (const ConfigurationError& error) {
    map.report(*node, "base", error.what());
  }
}

void check_shared_seeds(MapReader& map, const Sweep& sweep) {
  if (!sweep.seeds_shared_by) return;
  const DocumentNode& node = *map.get("seeds_shared_by");
  const auto is_set = [&](const std::string& key) {
    return std::any_of(sweep.axes.begin(), sweep.axes.end(), [&](const SweepAxis& axis) {
      return std::find(axis.keys.begin(), axis.keys.end(), key) != axis.keys.end();
    });
  };
  if (sweep.seed_axis() == nullptr)
    map.report(node, "seeds_shared_by", "there is no axis of seeds; add {seeds: COUNT} to axes");
  for (const std::string& key : *sweep.seeds_shared_by)
    if (!is_set(key)) map.report(node, "seeds_shared_by", "no axis sets '" + key + "'");
}

/// Reads the base configuration's own file. Throws for errors in it that no axis can correct.
void parse_base(Sweep& sweep) {
  check_source_text(sweep.base, sweep.base_name);
  ErrorList errors(sweep.base_name);
  sweep.base_document = parse_document(sweep.base, errors).value_or(DocumentNode{});
  check_keys(sweep.base_document, errors);
  errors.throw_if_any();
}

}  // namespace

FileFolders Sweep::folders() const {
  FileFolders folders;
  folders.set(base_name, folder / std::filesystem::path(base_name).parent_path());
  folders.set(name, folder);
  return folders;
}

const SweepAxis* Sweep::adaptive() const {
  const auto found =
      std::find_if(axes.begin(), axes.end(), [](const SweepAxis& a) { return a.until.has_value(); });
  return found == axes.end() ? nullptr : &*found;
}

const SweepAxis* Sweep::seed_axis() const {
  const auto found = std::find_if(axes.begin(), axes.end(), [](const SweepAxis& a) {
    return a.keys.size() == 1 && a.keys[0] == "simulation.seed" && !a.until && !a.points.empty();
  });
  return found == axes.end() ? nullptr : &*found;
}

Sweep read_sweep(const DocumentNode& root, const std::string& path, const std::string& name,
                 const std::string& text, const BaseReader& read_file) {
  Sweep sweep;
  sweep.name = name;
  sweep.folder = std::filesystem::absolute(name).parent_path();
  sweep.text = text;
  ErrorList errors(name);
  MapReader map(root, path, sweep_keys(), errors);
  errors.throw_if_any();
  // A whole document has no place except its name.
  const Place place = path.empty() ? Place{} : root.place;
  read_base(map, place, sweep, read_file, errors);
  read_axes(map, place, sweep, errors);
  if (const DocumentNode* keep = map.get("keep")) read_keep(*keep, map.path_of("keep"), sweep.keep, errors);
  if (const DocumentNode* slurm = map.get("slurm"))
    read_slurm(*slurm, map.path_of("slurm"), sweep.slurm, errors);
  if (const DocumentNode* exhaustive = map.get("exhaustive"))
    read_exhaustive(*exhaustive, map.path_of("exhaustive"), sweep.exhaustive.emplace(), errors);
  constexpr double kLongest = 1e9;
  if (const DocumentNode* timeout = map.get("timeout_seconds"))
    map.report(*timeout, "timeout_seconds",
               read_value(*timeout, sweep.timeout_seconds, {0, kLongest}, "seconds"));
  if (const DocumentNode* allow = map.get("allow_deadlock"))
    map.report(*allow, "allow_deadlock", read_value(*allow, sweep.allow_deadlock));
  if (map.has("seeds_shared_by")) sweep.seeds_shared_by = read_words(map, "seeds_shared_by", {});
  map.finish();
  errors.throw_if_any();
  if (sweep.exhaustive) sweep.exhaustive->allow_deadlock = sweep.allow_deadlock;
  check_shared_seeds(map, sweep);
  errors.throw_if_any();
  if (sweep.base_document.kind == Kind::null) parse_base(sweep);
  check_number_of_points(sweep);
  check_axis_values(sweep);
  return sweep;
}

Sweep parse_sweep(const std::string& text, const std::string& name, const BaseReader& read_file) {
  return read_sweep(read_document(text, name), "", name, text, read_file);
}

Sweep load_sweep(const std::filesystem::path& path) {
  return parse_sweep(read_source_text(path), path.string(),
                     [&](const std::string& file) { return read_source_text(path.parent_path() / file); });
}

}  // namespace flitmend
