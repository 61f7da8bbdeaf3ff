// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/study_keys.h"

namespace flitmend {

const FileSection& study_keys() {
  static const FileSection section{
      "A study's file",
      "`flitmend study NAME`; docs/studies.md explains it. A sweep or a statement may have a key `quick` "
      "beside its own: "
      "the keys that differ in the quick version, or `false` to leave it out of that.",
      {{"title", "", "a text", "What the study is about, in one line."},
       {"about", "none", "a text", "The same at length, for the report."},
       {"sweeps", "{}", "names with their sweeps", "What is run; each is written as in a sweep's file."},
       {"curves", "{}", "names with their keys",
        "Points of a sweep that statements call by a name: keys that its axes "
        "set, with their values; `sweep` and `metric` may stand beside them."},
       {"statements", "", "a list of statements", "What must come out."}}};
  return section;
}

const FileSection& statement_keys() {
  static const FileSection section{
      "A statement of a study",
      "One of `ordered`, `below`, `above`, `tie`, `ratio`, `value` and `table`. A curve is a name, or keys "
      "with their "
      "values; in a list of curves it may be a number.",
      {{"says", "", "a text", "The statement in words."},
       {"sweep", "the only one", "a name", "Sweep of the curves that do not name one."},
       {"metric", "", "a metric",
        "Dotted name of a number of `stats.json`; of a search, `saturation.load`, "
        "`saturation.throughput` or `saturation.zero_load_latency`."},
       {"where", "{}", "keys with values", "Which points are meant; a list of values means each of them."},
       {"average", "[]", "a key, or a list",
        "The points of these keys are averaged; all others are judged one by one."},
       {"ordered", "", "a list of curves, or {KEY: [VALUES]}", "Each is below the next."},
       {"below", "", "two curves", "The first is below the second."},
       {"above", "", "two curves", "The first is above the second."},
       {"tie", "", "a list of curves, or {KEY: [VALUES]}", "Each two are equal `within` a margin."},
       {"ratio", "", "two curves", "The first divided by the second is within bounds."},
       {"value", "the whole sweep", "a curve", "It is within bounds."},
       {"near", "", "a number, or {KEY: {VALUE: NUMBER}}",
        "Bounds: `within` a margin of the number, or of that for the "
        "point's value of the key."},
       {"within", "", "2 % or a number", "The margin of `tie` and `near`."},
       {"tolerance", "none", "2 % or a number",
        "Of `ordered`, `below` and `above`: by how much the one may be above the "
        "other after all."},
       {"at_least", "none", "a number", "Lower bound of `value` or `ratio`."},
       {"at_most", "none", "a number", "Upper bound of `value` or `ratio`."},
       {"table", "", "a published table", "No row of `flitmend analyze paper NAME` deviates."}}};
  return section;
}

}  // namespace flitmend
