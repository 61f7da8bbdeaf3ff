// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/comparison.h"

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

}  // namespace flitmend
