// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flitmend {

/// The declaration of a statistic, next to its number. stats.json, its reference page and all other readers
/// of results visit the same declaration.
struct Statistic {
  std::string_view name;         ///< the key in stats.json
  std::string_view unit;         ///< "cycles", "flits", "" for none
  std::string_view description;  ///< what exactly is counted, in one or two sentences
};

/// Visits every statistic of a Results in order.
class ResultsVisitor {
 public:
  virtual ~ResultsVisitor() = default;
  virtual void begin_section(const Statistic&) = 0;
  virtual void end_section() = 0;
  /// A list of objects with the same keys.
  virtual void begin_list(const Statistic&) = 0;
  virtual void begin_element() = 0;
  virtual void end_element() = 0;
  virtual void end_list() = 0;
  virtual void value(const Statistic&, std::uint64_t) = 0;
  virtual void value(const Statistic&, double) = 0;
  virtual void value(const Statistic&, bool) = 0;
  virtual void value(const Statistic&, const std::string&) = 0;
  virtual void value(const Statistic&, const std::vector<std::uint64_t>&) = 0;
  /// A number that this run does not define (the mean of no messages).
  virtual void undefined(const Statistic&) = 0;

  template <class T>
  void value(const Statistic& statistic, const std::optional<T>& number) {
    if (number)
      value(statistic, *number);
    else
      undefined(statistic);
  }
};

/// A section of something that has visit().
template <class Section>
void visit_section(ResultsVisitor& v, const Statistic& statistic, const Section& section) {
  v.begin_section(statistic);
  section.visit(v);
  v.end_section();
}

/// A list of things that have visit().
template <class Element>
void visit_list(ResultsVisitor& v, const Statistic& statistic, const std::vector<Element>& list) {
  v.begin_list(statistic);
  for (const Element& element : list) {
    v.begin_element();
    element.visit(v);
    v.end_element();
  }
  v.end_list();
}

}  // namespace flitmend
