// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/statement_reader.h"

#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"
#include "exploration/sweeps/metrics.h"
#include "testbench/configuration/value_reader.h"
#include "traces/waves/glob.h"

namespace flitmend {
namespace {

using NodeKind = DocumentNode::Kind;

constexpr Range<double> kAnyConstant{-1e300, 1e300};

std::string last_part(const std::string& key) {
  return key.substr(key.rfind('.') + 1);
}

const DocumentNode* value_of(const DocumentNode& map, std::string_view key) {
  const DocumentEntry* const entry = map.find(key);
  return entry ? &entry->value : nullptr;
}

}  // namespace

const std::vector<std::string_view>& saturation_metrics() {
  static const std::vector<std::string_view> names = {"saturation.load", "saturation.throughput",
                                                      "saturation.zero_load_latency"};
  return names;
}

CurveReader::CurveReader(const DocumentNode& statement, const std::string& path,
                         const StatementContext& context, ErrorList& errors)
    : statement_(statement), path_(path), context_(context), errors_(errors) {}

void CurveReader::report(const Place& place, const std::string& what) {
  // What is wrong with every curve is reported once.
  if (said_.insert(what).second) errors_.add(place, path_ + ": " + what);
}

std::vector<CurveSpec> CurveReader::list(const DocumentNode& node, const std::string& word, std::size_t least,
                                         std::size_t most) {
  std::vector<CurveSpec> curves;
  if (node.kind == NodeKind::map) {
    const bool one_list = node.entries.size() == 1 && node.entries.front().value.kind == NodeKind::list;
    if (!one_list) {
      report(node.place, word + ": expected a list of curves, or one key with a list of its values");
      return {};
    }
    const DocumentEntry& axis = node.entries.front();
    for (const DocumentNode& value : axis.value.items) {
      CurveSpec curve;
      curve.place = value.place;
      curve.keys.push_back({axis.key, json_of(value), value.place});
      curve.label = study_value(curve.keys.back().value);
      add_common(curve);
      check(curve);
      curves.push_back(std::move(curve));
    }
  } else if (node.kind == NodeKind::list) {
    for (const DocumentNode& item : node.items) curves.push_back(read(item, word, true));
    if (!curves.empty() &&
        std::all_of(curves.begin(), curves.end(), [](const CurveSpec& c) { return c.constant.has_value(); }))
      report(node.place, word + ": only numbers; at least one must be a curve");
  } else {
    report(node.place, word + ": expected a list of curves, found " + node.called());
    return {};
  }
  if (curves.size() < least || curves.size() > most)
    report(node.place, formatted("%1%: %2% given; expected %3%%4%", word, curves.size(), least,
                                 least == most ? "" : " or more"));
  return curves;
}

CurveSpec CurveReader::one(const DocumentNode* node, const std::string& word) {
  if (node) return read(*node, word, false);
  CurveSpec all;
  all.place = statement_.place;
  add_common(all);
  check(all);
  return all;
}

CurveSpec CurveReader::read(const DocumentNode& node, const std::string& word, bool numbers) {
  double number = 0;
  if (numbers && node.kind == NodeKind::scalar && read_value(node, number, kAnyConstant, "").empty()) {
    CurveSpec constant;
    constant.constant = number;
    constant.label = study_number(number);
    constant.place = node.place;
    return constant;
  }
  CurveSpec curve;
  curve.place = node.place;
  if (node.kind == NodeKind::map) {
    read_keys(node, word, curve);
    for (const CurveSpec::Key& key : curve.keys)
      curve.label += (curve.label.empty() ? "" : ", ") + last_part(key.key) + "=" + study_value(key.value);
    if (curve.label.empty()) curve.label = curve.sweep;
  } else if (node.kind == NodeKind::scalar) {
    curve = named(node, word);
  } else {
    report(node.place,
           word + ": expected the name of a curve or keys with their values, found " + node.called());
    return curve;
  }
  add_common(curve);
  check(curve);
  return curve;
}

CurveSpec CurveReader::named(const DocumentNode& name, const std::string& word) {
  CurveSpec curve;
  curve.place = name.place;
  curve.label = name.text;
  std::vector<std::string_view> known;
  if (context_.curves)
    for (const DocumentEntry& entry : context_.curves->entries) known.push_back(entry.key);
  const DocumentNode* const definition = context_.curves ? value_of(*context_.curves, name.text) : nullptr;
  if (!definition)
    report(name.place, word + ": unknown curve '" + name.text + "'" +
                           (known.empty() ? "; name it under curves:, or write its keys here: {KEY: VALUE}"
                                          : did_you_mean(name.text, known)));
  else if (definition->kind == NodeKind::map)  // else check_named_curves reports it
    read_keys(*definition, word, curve);
  return curve;
}

void CurveReader::read_keys(const DocumentNode& map, const std::string& word, CurveSpec& curve) {
  for (const DocumentEntry& entry : map.entries) {
    if (entry.key == "sweep" || entry.key == "metric") {
      const std::string wrong = read_value(entry.value, entry.key == "sweep" ? curve.sweep : curve.metric);
      if (!wrong.empty()) report(entry.value.place, word + "." + entry.key + ": " + wrong);
    } else {
      curve.keys.push_back({entry.key, json_of(entry.value), entry.value.place});
    }
  }
}

void CurveReader::add_common(CurveSpec& curve) {
  // The reader of the statement reports errors in these.
  const DocumentNode* const sweep = value_of(statement_, "sweep");
  const DocumentNode* const metric = value_of(statement_, "metric");
  const DocumentNode* const where = value_of(statement_, "where");
  if (curve.sweep.empty() && sweep) curve.sweep = sweep->text;
  if (curve.sweep.empty() && context_.sweeps.size() == 1) curve.sweep = context_.sweeps.front().name;
  if (curve.metric.empty() && metric) curve.metric = metric->text;
  if (!where || where->kind != NodeKind::map) return;
  for (const DocumentEntry& entry : where->entries) {
    if (std::any_of(curve.keys.begin(), curve.keys.end(),
                    [&](const CurveSpec::Key& k) { return k.key == entry.key; }))
      report(entry.place, "where." + entry.key + ": the curve " + curve.label + " also sets it; remove one");
    else
      curve.keys.push_back({entry.key, json_of(entry.value), entry.value.place});
  }
}

void CurveReader::check(CurveSpec& curve) {
  std::vector<std::string_view> names;
  for (const StatementContext::NamedSweep& s : context_.sweeps) names.push_back(s.name);
  const auto found = std::find_if(context_.sweeps.begin(), context_.sweeps.end(),
                                  [&](const auto& s) { return s.name == curve.sweep; });
  if (curve.sweep.empty())
    report(curve.place, names.empty() ? "the study has no sweeps to compare"
                                      : "no sweep; give sweep: one of " + joined(names));
  else if (found == context_.sweeps.end())
    report(curve.place, "unknown sweep " + shown_value(curve.sweep) + did_you_mean(curve.sweep, names));
  else
    check_metric(curve, *found->sweep);
}

void CurveReader::check_metric(const CurveSpec& curve, const Sweep& sweep) {
  const std::vector<std::string_view>& of_search = saturation_metrics();
  const DocumentNode* const given = value_of(statement_, "metric");
  const Place& place = given && given->text == curve.metric ? given->place : curve.place;
  const bool searched = std::find(of_search.begin(), of_search.end(), curve.metric) != of_search.end();
  if (curve.metric.empty()) {
    report(place, "no metric; give metric: latency.total.mean, or another of docs/statistics.md");
  } else if (sweep.adaptive()) {
    if (!searched)
      report(place, "metric: sweep " + curve.sweep +
                        " chooses its loads itself, so its metrics are saturation.load, "
                        "saturation.throughput and saturation.zero_load_latency, not " +
                        curve.metric);
  } else if (searched) {
    report(place, "metric: sweep " + curve.sweep + " does not measure " + curve.metric +
                      "; that needs an axis with until: saturation");
  } else {
    if (const std::string unknown = unknown_metric_name(curve.metric); !unknown.empty())
      report(place, "metric: " + unknown);
    else if (std::none_of(sweep.keep.metrics.begin(), sweep.keep.metrics.end(),
                          [&](const std::string& glob) { return glob_matches(glob, curve.metric); }))
      report(place, "metric: sweep " + curve.sweep + " does not keep " + curve.metric +
                        "; add it to its keep.metrics");
  }
}

}  // namespace flitmend
