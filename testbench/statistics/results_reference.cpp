// SPDX-License-Identifier: Apache-2.0
#include "base/table.h"
#include "testbench/statistics/results.h"

namespace flitmend {
namespace {

/// Writes one table per section; subsections follow the section's own keys.
class ReferenceWriter final : public ResultsVisitor {
 public:
  explicit ReferenceWriter(std::string& page) : page_(page) {}

  void begin_section(const Statistic& s) override { open(s, ""); }
  void end_section() override { close(); }
  void begin_list(const Statistic& s) override {
    open(s, "[]");
    elements_ = 0;
  }
  void end_list() override {
    close();
    elements_ = 0;
  }
  void begin_element() override { ++elements_; }
  void end_element() override {}
  void value(const Statistic& s, std::uint64_t) override { row(s); }
  void value(const Statistic& s, double) override { row(s); }
  void value(const Statistic& s, bool) override { row(s); }
  void value(const Statistic& s, const std::string&) override { row(s); }
  void value(const Statistic& s, const std::vector<std::uint64_t>&) override { row(s); }
  void undefined(const Statistic& s) override { row(s); }

 private:
  void open(const Statistic& s, const char* suffix) {
    write_table();
    const std::size_t parent = path_.size();
    parents_.push_back(parent);
    path_ += (path_.empty() ? "" : ".") + std::string(s.name) + suffix;
    page_ += "\n## " + path_ + "\n" + std::string(s.description) + "\n";
  }
  void close() {
    write_table();
    path_.resize(parents_.back());
    parents_.pop_back();
  }
  void row(const Statistic& s) {
    if (elements_ > 1) return;  // all elements of a list have the same keys
    table_.add({"`" + (path_.empty() ? "" : path_ + ".") + std::string(s.name) + "`", std::string(s.unit),
                std::string(s.description)});
  }
  /// The keys since the last heading.
  void write_table() {
    if (!table_.rows.empty()) page_ += "\n" + table_.markdown();
    table_.rows.clear();
  }

  std::string& page_;
  Table table_{.columns = {{"key"}, {"unit"}, {"definition"}}};
  std::string path_;
  std::vector<std::size_t> parents_;
  unsigned elements_ = 0;
};

}  // namespace

std::string statistics_reference() {
  std::string page =
      "# Statistics: the keys of stats.json\n"
      "\n"
      "Generated from the declarations in testbench/statistics; a test compares the two.\n"
      "The same configuration and seed give the same bytes, `host` aside. A number that a run does not "
      "define\n"
      "(the mean of no messages) is null. Keys are in this order.\n";
  ReferenceWriter writer(page);
  complete_results().visit(writer);
  return page;
}

}  // namespace flitmend
