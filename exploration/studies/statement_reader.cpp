// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/statement_reader.h"

#include <algorithm>

#include "exploration/paper_tables/paper_table.h"
#include "exploration/studies/study.h"
#include "exploration/sweeps/axis.h"
#include "exploration/sweeps/file_keys.h"
#include "testbench/configuration/value_reader.h"

namespace flitmend {
namespace {

using NodeKind = DocumentNode::Kind;
using StatementKind = StatementSpec::Kind;

constexpr Range<double> kAnyBound{-1e300, 1e300};
constexpr std::size_t kMostCurves = 1000;

class StatementReader {
 public:
  StatementReader(const DocumentNode& node, const std::string& path, const StatementContext& context,
                  ErrorList& errors)
      : node_(node), map_(node, path, statement_keys(), errors), curves_(node, path, context, errors) {
    statement_.spec.path = path;
    statement_.spec.place = node.place;
  }

  StatementText read() {
    if (node_.kind != NodeKind::map) return statement_;
    const DocumentNode* const says = map_.get("says");
    if (says)
      map_.report(*says, "says", read_value(*says, statement_.says));
    else
      map_.report(
          "says: missing; give the statement in words, like says: more virtual channels, more throughput");
    read_common();
    read_kind();
    map_.finish();
    return statement_;
  }

 private:
  void read_common() {
    std::string text;
    for (const char* word : {"sweep", "metric"})
      if (const DocumentNode* n = map_.get(word)) map_.report(*n, word, read_value(*n, text));
    if (const DocumentNode* n = map_.get("refuted_by")) read_refutation(*n);
    if (const DocumentNode* where = map_.get("where"); where && where->kind != NodeKind::map)
      map_.report(*where, "where", "expected keys with their values, found " + where->called());
    const DocumentNode* const average = map_.get("average");
    if (!average) return;
    const bool list = average->kind == NodeKind::list;
    for (const DocumentNode& key : list ? average->items : std::vector<DocumentNode>{*average}) {
      statement_.spec.average.push_back({"", key.place});
      map_.report(key, "average", read_value(key, statement_.spec.average.back().key));
    }
  }

  void read_refutation(const DocumentNode& node) {
    std::string wrong = read_value(node, statement_.refuted_by);
    if (wrong.empty() && statement_.refuted_by.empty())
      wrong = "say why the claim does not hold, and by which evidence";
    map_.report(node, "refuted_by", wrong);
  }

  void read_kind() {
    static constexpr const char* kKinds[] = {"ordered", "below", "above", "tie", "ratio", "value", "table"};
    std::vector<std::string> given;
    for (const char* kind : kKinds)
      if (map_.has(kind)) given.push_back(kind);
    const bool bounds = map_.has("near") || map_.has("at_least") || map_.has("at_most");
    if (given.empty() && bounds) given.push_back("value");
    if (given.size() != 1) {
      map_.report(given.empty() ? "has nothing to judge; give one of ordered, below, above, tie, ratio, "
                                  "value and table"
                                : "give one of " + given[0] + " and " + given[1] + ", not both");
      return;
    }
    const std::string& kind = given.front();
    if (kind == "table")
      read_table();
    else if (kind == "ratio" || kind == "value")
      read_bounded(kind);
    else
      read_comparison(kind);
  }

  void refuse(const std::string& kind, std::initializer_list<const char*> words) {
    for (const char* word : words)
      if (const DocumentNode* n = map_.get(word)) map_.report(*n, word, "cannot be combined with " + kind);
  }

  void read_table() {
    const DocumentNode& name = *map_.get("table");
    std::string wrong = read_value(name, statement_.table);
    if (wrong.empty()) try {
        paper_tables().at(statement_.table);
      } catch (const ConfigurationError& e) {
        wrong = e.what();
      }
    map_.report(name, "table", wrong);
    refuse("table", {"sweep", "metric", "where", "average", "near", "within", "tolerance", "at_least",
                     "at_most", "refuted_by"});
  }

  void read_comparison(const std::string& kind) {
    constexpr std::size_t kPair = 2;
    StatementSpec& spec = statement_.spec;
    const bool tie = kind == "tie";
    spec.kind = tie ? StatementKind::tie : StatementKind::ordered;
    const bool pair = kind == "below" || kind == "above";
    spec.curves = curves_.list(*map_.get(kind), kind, kPair, pair ? kPair : kMostCurves);
    if (const DocumentNode& given = *map_.get(kind); given.kind == NodeKind::map && !given.entries.empty())
      spec.axis = given.entries.front().key;
    if (kind == "above") std::reverse(spec.curves.begin(), spec.curves.end());
    spec.margin = read_margin(tie ? "within" : "tolerance");
    if (tie && !map_.has("within")) map_.report("tie needs within, like within: 3 %");
    refuse(kind, {"near", "at_least", "at_most", tie ? "tolerance" : "within"});
  }

  void read_bounded(const std::string& kind) {
    constexpr std::size_t kPair = 2;
    StatementSpec& spec = statement_.spec;
    spec.kind = kind == "ratio" ? StatementKind::ratio : StatementKind::value;
    if (kind == "ratio")
      spec.curves = curves_.list(*map_.get(kind), kind, kPair, kPair);
    else
      spec.curves = {curves_.one(map_.get(kind), kind)};
    read_near();
    spec.at_least = read_number("at_least");
    spec.at_most = read_number("at_most");
    const bool bounds = map_.has("at_least") || map_.has("at_most");
    if (map_.has("near") == bounds)
      map_.report(kind + " needs either near and within, or at_least, at_most or both");
    if (spec.at_least && spec.at_most && *spec.at_least > *spec.at_most)
      map_.report("at_least is above at_most, so no value can be within");
    refuse(kind, {"tolerance"});
  }

  void read_near() {
    StatementSpec& spec = statement_.spec;
    const DocumentNode* const near = map_.get("near");
    spec.margin = read_margin("within");
    if (map_.has("near") != map_.has("within"))
      map_.report(near ? "near needs within, like within: 2 %"
                       : "within needs near, the value to compare with");
    if (!near) return;
    if (near->kind != NodeKind::map) {
      add_near(nullptr, *near);
      return;
    }
    const bool table = near->entries.size() == 1 && near->entries.front().value.kind == NodeKind::map;
    if (!table || near->entries.front().value.entries.empty()) {
      map_.report(*near, "near",
                  "expected a number, or one key with its values and numbers: "
                  "{traffic.load: {0.1: 38.9, 0.2: 42}}");
      return;
    }
    spec.near_key = near->entries.front().key;
    for (const DocumentEntry& entry : near->entries.front().value.entries) {
      DocumentNode at;
      at.kind = NodeKind::scalar;
      at.text = entry.key;
      at.place = entry.place;
      add_near(&at, entry.value);
    }
  }

  void add_near(const DocumentNode* at, const DocumentNode& number) {
    StatementSpec::Near near;
    near.place = at ? at->place : number.place;
    if (at) near.at = json_of(*at);
    map_.report(number, "near", read_bound(number, near.value));
    statement_.spec.near.push_back(std::move(near));
  }

  std::optional<double> read_number(const char* word) {
    const DocumentNode* const node = map_.get(word);
    if (!node) return std::nullopt;
    double value = 0;
    map_.report(*node, word, read_bound(*node, value));
    return value;
  }

  static std::string read_bound(const DocumentNode& node, double& value) {
    return read_value(node, value, kAnyBound, "").empty() ? "" : "expected a number, found " + node.called();
  }

  /// "2 %" or a number.
  std::optional<Margin> read_margin(const char* word) {
    const DocumentNode* const node = map_.get(word);
    if (!node) return std::nullopt;
    constexpr double kPercent = 100;
    Margin margin;
    DocumentNode number = *node;
    margin.relative = number.text.ends_with('%');
    if (margin.relative) {  // a text for YAML, with quotes or without
      number.text.erase(number.text.find_last_not_of(" %") + 1);
      number.quoted = false;
    }
    const std::string wrong = read_value(number, margin.amount, {0, kAnyBound.max}, "");
    if (!wrong.empty())
      map_.report(*node, word,
                  "expected a share like 2 % or a number of at least 0, found " + node->called() +
                      (number.quoted ? " in quotes; remove the quotes" : ""));
    if (margin.relative) margin.amount /= kPercent;
    return margin;
  }

  const DocumentNode& node_;
  MapReader map_;
  CurveReader curves_;
  StatementText statement_;
};

}  // namespace

StatementText read_statement(const DocumentNode& node, const std::string& path,
                             const StatementContext& context, ErrorList& errors) {
  return StatementReader(node, path, context, errors).read();
}

void check_named_curves(const StatementContext& context, ErrorList& errors) {
  if (!context.curves) return;
  if (context.curves->kind != NodeKind::map) {
    errors.add(context.curves->place,
               "curves: expected names with their keys, found " + context.curves->called());
    return;
  }
  for (const DocumentEntry& entry : context.curves->entries)
    if (entry.value.kind != NodeKind::map)
      errors.add(entry.value.place,
                 "curves." + entry.key + ": expected keys with their values, found " + entry.value.called());
}

}  // namespace flitmend
