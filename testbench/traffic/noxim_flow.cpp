// SPDX-License-Identifier: Apache-2.0
// traffic.noxim_table: a traffic table of the simulator Noxim.
#include <algorithm>
#include <charconv>
#include <limits>
#include <sstream>

#include "base/escaped_text.h"
#include "base/input_file.h"
#include "base/text.h"
#include "testbench/traffic/flow.h"
#include "testbench/traffic/injection.h"

namespace flitmend {

constexpr OptionKey kNoximTableOption{.key = {"noxim_table", "",
                                              "Traffic table of Noxim: lines 'source destination [pir [por "
                                              "[t_on t_off t_period]]]'; together with "
                                              "traffic.flows, or instead of it.",
                                              kAlways},
                                      .values = OptionKey::Text{}};

namespace {

constexpr Cycle kMostCycles = Cycle{1} << 53;
constexpr double kDefaultRate = 0.01;  // of Noxim: packets per cycle

/// A line of the table.
struct TableRow {
  NodeId destination = 0;
  double fresh = kDefaultRate;     ///< probability of a packet in a cycle (pir)
  double repeated = kDefaultRate;  ///< in the cycle after one in which the node sent (por)
  Cycle on = 0, off = kMostCycles, period = kMostCycles;
  std::uint32_t number = 0;  ///< in the table
  bool active(Cycle cycle) const { return on < cycle % period && cycle % period < off; }
  /// The first cycle from that one on in which it is active, or is not.
  Cycle changes(Cycle cycle) const {
    const Cycle phase = cycle % period, begin = cycle - phase;
    return begin + (phase <= on ? on + 1 : phase < off ? off : period);
  }
};

/// The packets of one node. Each cycle it draws once, with the sum of its active rows.
class NodeSource final : public MessageSource {
 public:
  NodeSource(const std::vector<TableRow>& rows, const LengthDistribution& lengths, NodeId node,
             std::uint64_t seed, std::uint32_t number)
      : rows_(rows),
        length_of_(lengths),
        number_(number),
        arrivals_(seed, RandomPurpose::injection, node, number + 1),
        destinations_(seed, RandomPurpose::destination, node, number + 1),
        lengths_(seed, RandomPurpose::message_length, node, number + 1) {
    advance(0, false);
  }

  NewMessage take() override {
    double left = destinations_.uniform() * sum(next_, sent_before_);
    const TableRow* chosen = nullptr;
    for (const TableRow& row : rows_) {
      if (!row.active(next_)) continue;
      chosen = &row;
      if ((left -= sent_before_ ? row.repeated : row.fresh) < 0) break;
    }
    const NewMessage message{next_, chosen->destination, length_of_.draw(lengths_), number_ + chosen->number};
    advance(next_ + 1, true);
    return message;
  }

 private:
  double sum(Cycle cycle, bool sent_before) const {
    double sum = 0;
    for (const TableRow& row : rows_)
      if (row.active(cycle)) sum += sent_before ? row.repeated : row.fresh;
    return std::min(sum, 1.0);
  }
  /// Looks for the next packet from that cycle on.
  void advance(Cycle cycle, bool sent_before) {
    for (; cycle < kMostCycles; sent_before = false) {
      // The sum is the same up to the next change, but for the cycle after a packet.
      Cycle end = cycle + 1;
      if (!sent_before) {
        end = kMostCycles;
        for (const TableRow& row : rows_) end = std::min(end, row.changes(cycle));
      }
      if (const double p = sum(cycle, sent_before); p > 0) {
        const Cycle gap = arrivals_.geometric(p) - 1;
        if (gap < end - cycle) {
          next_ = cycle + gap;
          sent_before_ = sent_before;
          return;
        }
      }
      cycle = end;
    }
    next_ = kNever;
  }

  const std::vector<TableRow>& rows_;
  const LengthDistribution& length_of_;
  std::uint32_t number_;
  RandomStream arrivals_;
  RandomStream destinations_;
  RandomStream lengths_;
  bool sent_before_ = false;  ///< the next packet follows one in the cycle before it
};

class NoximFlow final : public Flow {
 public:
  NoximFlow(const FlowContext& context, const std::string& file)
      : context_(context), file_(file), rows_(context.topology.node_count()) {
    lengths_ = length_distributions().at(context.settings.length_distribution).make(context.settings);
    constexpr std::size_t kMostBytes = std::size_t{256} << 20;
    std::istringstream text(read_input_text(file, kMostBytes, "a traffic table"));
    int number = 0;
    for (std::string line; std::getline(text, line);) {
      if (line.ends_with('\r')) line.pop_back();
      place_ = {file_, ++number};
      if (!line.starts_with('%') && line.find_first_not_of(" \t") != line.npos) read_row(line);
    }
    if (descriptions.empty())
      throw ConfigurationError(Place{file_, std::max(number, 1)}, "the table has no row; add one");
    check_sums();
  }

  double rate(NodeId node) const override {
    const auto [p, q] = sums(node);
    return p <= 0 ? 0.0 : lengths_->mean() * p / (1 - q + p);
  }
  std::unique_ptr<MessageSource> source(NodeId node, std::uint64_t seed,
                                        std::uint32_t number) const override {
    return std::make_unique<NodeSource>(rows_[node], *lengths_, node, seed, number);
  }
  std::uint32_t longest() const override { return lengths_->longest(); }

 private:
  [[noreturn]] void fail(const std::string& text) const { throw ConfigurationError(place_, text); }

  /// The sums of pir and por of a node's rows, whenever they are active.
  std::pair<double, double> sums(NodeId node) const {
    double p = 0, q = 0;
    for (const TableRow& row : rows_[node]) {
      p += row.fresh;
      q += row.repeated;
    }
    return {std::min(p, 1.0), std::min(q, 1.0)};
  }

  template <class Number>
  Number number_of(const std::string& word, const char* name, Number last) const {
    Number value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !(value >= 0 && value <= last))
      fail(formatted("%1% %2% is not a number from 0 to %3%; mend it", name, shown_value(escaped_text(word)),
                     last));
    return value;
  }

  NodeId node_of(const std::string& word, const char* name) const {
    return number_of<NodeId>(word, name, context_.topology.node_count() - 1);
  }

  void read_row(const std::string& line) {
    std::istringstream words(line);
    std::vector<std::string> fields;
    for (std::string word; words >> word;) fields.push_back(word);
    if (fields.size() < 2) fail("a row needs a source and a destination; add them");
    if (fields.size() > 7) fail("a row has 7 fields at most; remove the others");
    const NodeId source = node_of(fields[0], "source");
    TableRow row{.destination = node_of(fields[1], "destination")};
    const auto word = [&](std::size_t i) { return i < fields.size() ? &fields[i] : nullptr; };
    if (const auto* const pir = word(2)) row.fresh = number_of(*pir, "pir", 1.0);
    row.repeated = row.fresh;
    if (const auto* const por = word(3)) row.repeated = number_of(*por, "por", 1.0);
    if (const auto* const on = word(4)) row.on = number_of(*on, "t_on", kMostCycles);
    if (const auto* const off = word(5)) row.off = number_of(*off, "t_off", kMostCycles);
    row.period = row.off;
    if (const auto* const period = word(6)) row.period = number_of(*period, "t_period", kMostCycles);
    if (row.off <= row.on) fail(formatted("t_off %1% is not after t_on, %2%; raise it", row.off, row.on));
    if (row.period < row.off)
      fail(formatted("t_period %1% is less than t_off, %2%; raise it", row.period, row.off));
    row.number = static_cast<std::uint32_t>(descriptions.size());
    descriptions.push_back({.name = formatted("%1% to %2%", source, row.destination)});
    if (context_.participants.contains(source) && context_.participants.contains(row.destination))
      rows_[source].push_back(row);
  }

  /// A node draws once per cycle, so its rows cannot add up to more than 1 at any time.
  void check_sums() const {
    for (NodeId node = 0; node < rows_.size(); ++node) {
      double p = 0, q = 0;
      for (const TableRow& row : rows_[node]) {
        p += row.fresh;
        q += row.repeated;
      }
      if (std::max(p, q) > 1 + 1e-9)
        throw ConfigurationError(
            Place{file_, 0},
            formatted("the rows of node %1% add up to %2% packets per cycle, but a node sends one "
                      "at most; lower them",
                      node, std::max(p, q)));
    }
  }

  const FlowContext& context_;  // while rows are read
  std::string file_;
  Place place_;
  std::shared_ptr<const LengthDistribution> lengths_;
  std::vector<std::vector<TableRow>> rows_;  ///< by source
};

}  // namespace

std::unique_ptr<Flow> noxim_flow(const FlowContext& context, const std::string& file) {
  return std::make_unique<NoximFlow>(context, file);
}

}  // namespace flitmend
