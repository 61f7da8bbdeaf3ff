// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "testbench/statistics/results.h"

namespace flitmend {
namespace {

using Json = nlohmann::ordered_json;

class JsonWriter final : public ResultsVisitor {
 public:
  void begin_section(const Statistic& s) override { open(s, Json::object()); }
  void end_section() override { open_.pop_back(); }
  void begin_list(const Statistic& s) override { open(s, Json::array()); }
  void end_list() override { open_.pop_back(); }
  void begin_element() override {
    open_.back()->push_back(Json::object());
    open_.push_back(&open_.back()->back());
  }
  void end_element() override { open_.pop_back(); }
  void value(const Statistic& s, std::uint64_t n) override { put(s, n); }
  void value(const Statistic& s, double n) override { put(s, n); }
  void value(const Statistic& s, bool b) override { put(s, b); }
  void value(const Statistic& s, const std::string& text) override { put(s, text); }
  void value(const Statistic& s, const std::vector<std::uint64_t>& list) override { put(s, list); }
  void undefined(const Statistic& s) override { put(s, nullptr); }

  std::string text() const { return root_.dump(2) + "\n"; }

 private:
  Json& put(const Statistic& s, Json json) { return (*open_.back())[std::string(s.name)] = std::move(json); }
  // A parent gets no further key while one of its children is open, so the pointers stay valid.
  void open(const Statistic& s, Json json) { open_.push_back(&put(s, std::move(json))); }

  Json root_ = Json::object();
  std::vector<Json*> open_{&root_};
};

}  // namespace

std::string to_json(const Results& results) {
  JsonWriter writer;
  results.visit(writer);
  return writer.text();
}

}  // namespace flitmend
