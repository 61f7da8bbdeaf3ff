// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/statement_reader.h"

#include <algorithm>

#include "base/text.h"
#include "exploration/studies/study.h"
#include "exploration/sweeps/file_keys.h"
#include "exploration/sweeps/metrics.h"
#include "testbench/configuration/value_reader.h"

namespace flitmend {
namespace {

using NodeKind = DocumentNode::Kind;

class ReferenceReader {
 public:
  ReferenceReader(const DocumentNode& node, const std::string& path, const Study& study, ErrorList& errors)
      : node_(node), map_(node, path, reference_keys(), errors), study_(study) {}

  /// Whether the version of the study has its sweep.
  bool read(StudyReference& reference) {
    if (node_.kind != NodeKind::map) return false;
    read_text("name", reference.name);
    read_text("sweep", reference.sweep);
    read_text("metric", reference.metric);
    if (map_.has("name") && reference.name.empty()) map_.report("name: empty; give the legend a word");
    if (const DocumentNode* metric = map_.get("metric"))
      map_.report(*metric, "metric", unknown_metric_name(reference.metric));
    if (reference.sweep.empty() && study_.sweeps.size() == 1) reference.sweep = study_.sweeps.front()->name;
    const DocumentNode* const values = map_.get("values");
    map_.finish();
    for (const char* key : {"name", "metric", "values"})
      if (!map_.has(key)) map_.report(std::string(key) + ": missing");
    const auto sweep = std::find_if(study_.sweeps.begin(), study_.sweeps.end(),
                                    [&](const auto& each) { return each->name == reference.sweep; });
    if (sweep == study_.sweeps.end()) {
      if (!study_.quick)
        map_.report(map_.has("sweep")
                        ? "sweep: there is no sweep '" + reference.sweep + "'; name one of the study's"
                        : "sweep: missing; the study has several sweeps");
      return false;
    }
    if (values) read_values(*values, **sweep, reference);
    return !reference.points.empty();
  }

 private:
  void read_text(const char* key, std::string& text) {
    if (const DocumentNode* node = map_.get(key)) map_.report(*node, key, read_value(*node, text));
  }

  void read_values(const DocumentNode& values, const StudySweep& sweep, StudyReference& reference) {
    const bool table = values.kind == NodeKind::map && values.entries.size() == 1 &&
                       values.entries.front().value.kind == NodeKind::map;
    if (!table || values.entries.front().value.entries.empty()) {
      map_.report(values, "values",
                  "expected one key with its values and numbers: {traffic.load: {0.1: 38.9, 0.2: 42}}");
      return;
    }
    reference.key = values.entries.front().key;
    const bool varies =
        std::any_of(sweep.sweep.axes.begin(), sweep.sweep.axes.end(), [&](const SweepAxis& axis) {
          return std::find(axis.keys.begin(), axis.keys.end(), reference.key) != axis.keys.end();
        });
    if (!varies && study_.quick) return;  // it may have fewer axes
    if (!varies)
      map_.report(values, "values", "no axis of sweep '" + sweep.name + "' sets '" + reference.key + "'");
    for (const DocumentEntry& entry : values.entries.front().value.entries) {
      DocumentNode at;
      at.kind = NodeKind::scalar;
      at.text = entry.key;
      at.place = entry.place;
      reference.points.emplace_back(number(at), number(entry.value));
    }
    std::sort(reference.points.begin(), reference.points.end());
  }

  double number(const DocumentNode& node) {
    double value = 0;
    if (!read_value(node, value, {-1e300, 1e300}, "").empty())
      map_.report(node, "values", "expected a number, found " + node.called());
    return value;
  }

  const DocumentNode& node_;
  MapReader map_;
  const Study& study_;
};

}  // namespace

std::vector<StudyReference> read_references(const DocumentNode& section, const Study& study,
                                            ErrorList& errors) {
  std::vector<StudyReference> references;
  if (section.kind != NodeKind::list) {
    errors.add(section.place, "references: expected a list of references, found " + section.called());
    return references;
  }
  for (std::size_t i = 0; i < section.items.size(); ++i) {
    StudyReference reference;
    if (ReferenceReader(section.items[i], formatted("references[%1%]", i), study, errors).read(reference))
      references.push_back(std::move(reference));
  }
  return references;
}

}  // namespace flitmend
