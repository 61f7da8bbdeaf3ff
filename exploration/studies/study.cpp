// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/study.h"

#include "exploration/studies/statement_spec.h"

namespace flitmend {

std::string Comparison::compared() const {
  switch (quantity) {
    case Quantity::value:
      break;
    case Quantity::difference:
      return left.label + (low ? " = " : " < ") + right.label;
    case Quantity::ratio:
      return left.label + " / " + right.label;
  }
  return left.label;
}

std::string Comparison::wanted() const {
  if (low && high) return study_number(*low) + " to " + study_number(*high);
  if (low) return (strict ? "above " : "at least ") + study_number(*low);
  return (strict ? "below " : "at most ") + study_number(*high);
}

const FileSection& study_keys() {
  static const FileSection section{
      "Study file",
      "For `flitmend study NAME`; see docs/studies.md. A sweep or a statement may also have a key `quick`: "
      "the "
      "keys that differ in the quick version, or `false` to leave it out.",
      {{"title", "", "a text", "What the study is about, in one line."},
       {"about", "none", "a text", "A longer description, for the report."},
       {"sweeps", "{}", "names with their sweeps", "The sweeps to run; each as in a sweep file."},
       {"curves", "{}", "names with their keys",
        "Names for points of a sweep, for use in statements: keys that its axes "
        "set, with their values; `sweep` and `metric` are also allowed."},
       {"statements", "", "a list of statements", "The statements to judge."},
       {"references", "[]", "a list of references",
        "Numbers that the report draws next to the curves of a sweep."}}};
  return section;
}

const FileSection& statement_keys() {
  static const FileSection section{
      "Statement",
      "Needs one of `ordered`, `below`, `above`, `tie`, `ratio`, `value` and `table`. A curve is a name, or "
      "keys "
      "with their "
      "values; in a list of curves, numbers are allowed too.",
      {{"says", "", "a text", "The statement in words."},
       {"sweep", "the only one", "a name", "Sweep of the curves that do not name one."},
       {"metric", "", "a metric",
        "Dotted name of a number of `stats.json`; for a saturation search, `saturation.load`, "
        "`saturation.throughput` or `saturation.zero_load_latency`."},
       {"where", "{}", "keys with values", "The points to use; a list of values means each of them."},
       {"average", "[]", "a key, or a list",
        "Keys whose points are averaged; all other keys are judged point by point."},
       {"ordered", "", "a list of curves, or {KEY: [VALUES]}", "Each is below the next."},
       {"below", "", "two curves", "The first is below the second."},
       {"above", "", "two curves", "The first is above the second."},
       {"tie", "", "a list of curves, or {KEY: [VALUES]}", "Every two are equal `within` a margin."},
       {"ratio", "", "two curves", "The first divided by the second is within the bounds."},
       {"value", "the whole sweep", "a curve", "It is within the bounds."},
       {"near", "", "a number, or {KEY: {VALUE: NUMBER}}",
        "Bounds: `within` a margin of the number, or of the number for the "
        "point's value of the key."},
       {"within", "", "2 % or a number", "The margin of `tie` and `near`."},
       {"tolerance", "none", "2 % or a number",
        "For `ordered`, `below` and `above`: how far a curve may be on the wrong side of the "
        "other."},
       {"at_least", "none", "a number", "Lower bound of `value` or `ratio`."},
       {"at_most", "none", "a number", "Upper bound of `value` or `ratio`."},
       {"table", "", "a published table", "No row of `flitmend analyze paper NAME` deviates."},
       {"refuted_by", "none", "a text",
        "The statement is a published claim that does not hold: why, and by which evidence. It is then "
        "`refuted`, which is not a failure; if it holds, the study fails."}}};
  return section;
}

const FileSection& reference_keys() {
  static const FileSection section{
      "Reference",
      "Results of a model or another simulator. The report draws them as a separate curve; nothing is "
      "judged.",
      {{"name", "", "a text", "Name in the legend."},
       {"sweep", "the only one", "a name", "Sweep whose curves it is shown with."},
       {"metric", "", "a metric",
        "Dotted name of the number of `stats.json` that it is to be compared with."},
       {"values", "", "{KEY: {VALUE: NUMBER}}",
        "The numbers, by values of a key that an axis of the sweep sets, most often traffic.load."}}};
  return section;
}

}  // namespace flitmend
