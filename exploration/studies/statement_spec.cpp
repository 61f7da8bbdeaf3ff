// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/statement_spec.h"

#include "base/text.h"

namespace flitmend {
namespace {

std::string joined_labels(const std::vector<CurveSpec>& curves, const char* between) {
  std::string text;
  for (const CurveSpec& curve : curves) text += (text.empty() ? "" : between) + curve.label;
  return text;
}

std::string bounds_text(const StatementSpec& s) {
  std::string text;
  if (!s.near_key.empty())
    text += " within " + s.margin->text() + " of the values given";
  else if (!s.near.empty())
    text += " within " + s.margin->text() + " of " + study_number(s.near.front().value);
  if (s.at_least) text += " at least " + study_number(*s.at_least);
  if (s.at_most) text += std::string(s.at_least ? " and" : "") + " at most " + study_number(*s.at_most);
  return text;
}

}  // namespace

std::string Margin::text() const {
  return relative ? study_number(100 * amount) + " %" : study_number(amount);
}

std::string StatementSpec::text() const {
  std::string text = curves.front().metric;
  for (const CurveSpec& curve : curves)
    if (!curve.constant && curve.metric != curves.front().metric) text += ", " + curve.metric;
  text += ": " + axis + (axis.empty() ? "" : " ");
  switch (kind) {
    case Kind::ordered:
      text += joined_labels(curves, " < ");
      if (margin) text += ", or above by at most " + margin->text();
      break;
    case Kind::tie:
      text += joined_labels(curves, " = ") + " within " + margin->text();
      break;
    case Kind::ratio:
      text += joined_labels(curves, " / ") + bounds_text(*this);
      break;
    case Kind::value:
      text += curves.front().label + bounds_text(*this).substr(curves.front().label.empty() ? 1 : 0);
      break;
  }
  std::string keys;
  for (const Average& a : average) keys += (keys.empty() ? "" : ", ") + a.key;
  return text + (keys.empty() ? "" : "; averaged over " + keys);
}

std::string study_number(double value) {
  return formatted("%.4g", value);
}

std::string study_value(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace flitmend
