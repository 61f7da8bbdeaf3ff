// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/statistic_index.h"

#include <vector>

#include "testbench/statistics/results.h"

namespace flitmend {
namespace {

class IndexWriter final : public ResultsVisitor {
 public:
  void begin_section(const Statistic& s) override { path_.emplace_back(s.name); }
  void end_section() override { path_.pop_back(); }
  void begin_list(const Statistic&) override { ++in_list_; }
  void end_list() override { --in_list_; }
  void begin_element() override {}
  void end_element() override {}
  void value(const Statistic& s, std::uint64_t) override { add(s); }
  void value(const Statistic& s, double) override { add(s); }
  void value(const Statistic& s, bool) override { add(s); }
  void value(const Statistic& s, const std::string&) override { add(s); }
  void value(const Statistic&, const std::vector<std::uint64_t>&) override {}
  void undefined(const Statistic& s) override { add(s); }

  std::map<std::string, StatisticText> index;

 private:
  void add(const Statistic& s) {
    if (in_list_) return;
    std::string name;
    for (const std::string& section : path_) name += section + ".";
    index[name + std::string(s.name)] = {std::string(s.unit), std::string(s.description)};
  }

  std::vector<std::string> path_;
  int in_list_ = 0;
};

}  // namespace

const std::map<std::string, StatisticText>& statistic_index() {
  static const std::map<std::string, StatisticText> index = [] {
    IndexWriter writer;
    complete_results().visit(writer);
    return std::move(writer.index);
  }();
  return index;
}

std::string with_unit(const std::string& name) {
  const auto found = statistic_index().find(name);
  if (found == statistic_index().end() || found->second.unit.empty()) return name;
  return name + " (" + found->second.unit + ")";
}

}  // namespace flitmend
