// SPDX-License-Identifier: Apache-2.0
// traffic.noxim_table: a traffic table of the simulator Noxim.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <sstream>

#include "base/decompressed_file.h"
#include "base/escaped_text.h"
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

constexpr Cycle kLastNoximCycle = Cycle{1} << 53;
constexpr double kDefaultRate = 0.01;  // of Noxim: packets per cycle

/// A line of the table.
struct TableRow {
  NodeId destination = 0;
  double fresh = kDefaultRate;     ///< probability of a packet in a cycle (pir)
  double repeated = kDefaultRate;  ///< in the cycle after one in which the node sent (por)
  Cycle on = 0, off = kLastNoximCycle, period = kLastNoximCycle;
  std::uint32_t number = 0;  ///< in the table
  int line = 0;
  /// Active from some cycle on, or never again.
  bool lasts() const { return period == kLastNoximCycle; }
  double share() const {
    return static_cast<double>(off - on - 1) / static_cast<double>(period);
  }                                                ///< of cycles
  double mean() const { return share() * fresh; }  ///< packets per cycle, unless some follow each other
  bool active(Cycle cycle) const { return on < cycle % period && cycle % period < off; }
  /// The first cycle from that one on in which it is active, or is not.
  Cycle changes(Cycle cycle) const {
    const Cycle phase = cycle % period, begin = cycle - phase;
    return begin + (phase <= on ? on + 1 : phase < off ? off : period);
  }
};

/// The rows of one node.
struct NodeRows {
  std::vector<TableRow> rows;
  /// After this many cycles all rows that do not last repeat what they did. 1: there are none.
  /// kLastNoximCycle: never.
  Cycle period = 1;
  bool one_period = true;  ///< of all of those rows

  void add(const TableRow& row) {
    rows.push_back(row);
    if (row.lasts()) return;
    one_period = one_period && (period == 1 || period == row.period);
    const Cycle times = row.period / std::gcd(period, row.period);
    period = times > kLastNoximCycle / period ? kLastNoximCycle : period * times;
  }
  /// The sums of pir and por of the rows that are active.
  std::pair<double, double> sums(Cycle cycle) const {
    double fresh = 0, repeated = 0;
    for (const TableRow& row : rows)
      if (row.active(cycle)) {
        fresh += row.fresh;
        repeated += row.repeated;
      }
    return {fresh, repeated};
  }
};

/// The packets of one node. Each cycle it draws once, with the sum of its active rows.
class NodeSource final : public MessageSource {
 public:
  /// last: no packet from that cycle on is needed.
  NodeSource(const NodeRows& rows, const LengthDistribution& lengths, NodeId node, std::uint64_t seed,
             std::uint32_t number, Cycle last)
      : rows_(rows),
        length_of_(lengths),
        number_(number),
        last_(last),
        arrivals_(seed, RandomPurpose::injection, node, number + 1),
        destinations_(seed, RandomPurpose::destination, node, number + 1),
        lengths_(seed, RandomPurpose::message_length, node, number + 1) {
    advance(0, false);
  }

  NewMessage take() override {
    double left = destinations_.uniform() * sum(next_, sent_before_);
    const TableRow* chosen = nullptr;
    for (const TableRow& row : rows_.rows) {
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
    const auto [fresh, repeated] = rows_.sums(cycle);
    return std::min(sent_before ? repeated : fresh, 1.0);
  }
  /// Looks for the next packet from that cycle on. A cycle with the probability p has the hazard −log(1 − p);
  /// the packet comes where the hazards add up to an exponential number, so that whole periods without a
  /// packet are one step.
  void advance(Cycle cycle, bool sent_before) {
    next_ = kNever;
    double left = -std::log1p(-arrivals_.uniform());
    /// Lets the cycles up to `end` pass, or finds the packet.
    const auto found = [&](Cycle end) {
      const double hazard = -std::log1p(-sum(cycle, sent_before)), cycles = static_cast<double>(end - cycle);
      const bool here = hazard > 0 && left < hazard * cycles;
      if (here) {
        next_ = std::min(cycle + static_cast<Cycle>(std::max(left, 0.0) / hazard), end - 1);
        sent_before_ = sent_before;
      } else if (hazard > 0) {
        left -= hazard * cycles;
      }
      cycle = end;
      sent_before = false;
      return here;
    };
    if (sent_before && found(cycle + 1)) return;
    while (cycle < last_) {
      Cycle steady = kLastNoximCycle;  // up to here every period is like this one
      for (const TableRow& row : rows_.rows)
        if (row.lasts()) steady = std::min(steady, row.changes(cycle));
      const Cycle end = rows_.period == 1 ? steady : std::min(steady, cycle + rows_.period);
      const double before = left;
      while (cycle < end && cycle < last_) {
        Cycle change = end;
        for (const TableRow& row : rows_.rows) change = std::min(change, row.changes(cycle));
        if (found(change)) return;
      }
      const double of_period = before - left;
      const Cycle periods = (steady - cycle) / rows_.period;
      const auto more = static_cast<double>(periods);
      const double empty = of_period > 0 ? std::min(more, std::floor(left / of_period)) : more;
      if (end < steady && empty > 0) {
        cycle += static_cast<Cycle>(empty) * rows_.period;
        left -= empty * of_period;
      }
    }
  }

  const NodeRows& rows_;
  const LengthDistribution& length_of_;
  std::uint32_t number_;
  Cycle last_;
  RandomStream arrivals_;
  RandomStream destinations_;
  RandomStream lengths_;
  bool sent_before_ = false;  ///< the next packet follows one in the cycle before it
};

class NoximFlow final : public Flow {
 public:
  NoximFlow(const FlowContext& context, const std::string& file)
      : context_(context),
        file_(file),
        rows_(context.topology.node_count()),
        end_(static_cast<Cycle>(context.configuration.simulation.warmup) +
             static_cast<Cycle>(context.configuration.simulation.measure)) {
    section_injection = false;
    lengths_ = length_distributions().at(context.settings.length_distribution).make(context.settings);
    constexpr std::size_t kMostTableBytes = std::size_t{256} << 20;
    std::istringstream text(read_decompressed_text(file, kMostTableBytes, "a traffic table"));
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
    double p = 0, q = 0;
    for (const TableRow& row : rows_[node].rows) {
      p += row.mean();
      q += row.share() * row.repeated;
    }
    return p <= 0 ? 0.0 : lengths_->mean() * std::min(p, 1.0) / (1 - std::min(q, 1.0) + std::min(p, 1.0));
  }
  void add_rates(NodeId source, std::vector<double>& to) const override {
    double sum = 0;
    for (const TableRow& row : rows_[source].rows) sum += row.mean();
    for (const TableRow& row : rows_[source].rows) to[row.destination] += rate(source) * row.mean() / sum;
  }
  std::unique_ptr<MessageSource> source(NodeId node, std::uint64_t seed,
                                        std::uint32_t number) const override {
    return std::make_unique<NodeSource>(rows_[node], *lengths_, node, seed, number, end_);
  }
  std::uint32_t longest() const override { return lengths_->longest(); }

 private:
  [[noreturn]] void fail(const std::string& text) const { throw ConfigurationError(place_, text); }

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
    if (const auto* const on = word(4)) row.on = number_of(*on, "t_on", kLastNoximCycle);
    if (const auto* const off = word(5)) row.off = number_of(*off, "t_off", kLastNoximCycle);
    row.period = row.off;
    if (const auto* const period = word(6)) row.period = number_of(*period, "t_period", kLastNoximCycle);
    if (row.off <= row.on) fail(formatted("t_off %1% is not after t_on, %2%; raise it", row.off, row.on));
    if (row.off == row.on + 1)
      fail(formatted("t_off %1% is the cycle after t_on: the row is never active; raise it", row.off));
    if (row.period < row.off)
      fail(formatted("t_period %1% is less than t_off, %2%; raise it", row.period, row.off));
    row.line = place_.line;
    row.number = static_cast<std::uint32_t>(descriptions.size());
    descriptions.push_back({.name = formatted("%1% to %2%", source, row.destination)});
    starts.push_back(row.on + 1);
    if (context_.participants.contains(source) && context_.participants.contains(row.destination))
      rows_[source].add(row);
  }

  /// A node draws once per cycle, so its rows cannot add up to more than 1 at any time; and it cannot inject
  /// more than its interface lets through.
  void check_sums() const {
    for (NodeId node = 0; node < rows_.size(); ++node) {
      const NodeRows& rows = rows_[node];
      if (rows.rows.empty()) continue;
      const Place place{file_, rows.rows.back().line};
      if (const double most = most_packets(rows); most > 1 + 1e-9)
        throw ConfigurationError(
            place,
            formatted("traffic.noxim_table: the rows of node %1% up to this one add up to %2% packets "
                      "per cycle%3%, but a node sends one at most; lower them",
                      node, most, rows.one_period ? "" : " (all at once, because their periods differ)"));
      if (const double flits = rate(node); flits > context_.injection_limit * (1 + 1e-9))
        throw ConfigurationError(
            place, formatted("traffic.noxim_table: the rows of node %1% up to this one add up to %2% flits "
                             "per cycle, but a node can inject %3%; lower their rates",
                             node, flits, context_.injection_limit));
    }
  }

  /// The largest sum of pir or por at any time; with several periods, of all rows. Rows that last are all
  /// active in the end, so they count always.
  static double most_packets(const NodeRows& rows) {
    // With one period a sum is largest where one of the rows begins.
    const auto sum_at = [&](Cycle phase, double TableRow::*rate) {
      double sum = 0;
      for (const TableRow& row : rows.rows)
        if (row.lasts() || !rows.one_period || row.active(phase)) sum += row.*rate;
      return sum;
    };
    double most = 0;
    for (const TableRow& row : rows.rows) {
      const Cycle first = row.on + 1;
      most = std::max({most, sum_at(first, &TableRow::fresh), sum_at(first, &TableRow::repeated)});
    }
    return most;
  }

  const FlowContext& context_;  // while rows are read
  std::string file_;
  Place place_;
  std::shared_ptr<const LengthDistribution> lengths_;
  std::vector<NodeRows> rows_;  ///< by source
  Cycle end_;                   ///< of the cycles in which nodes send
};

}  // namespace

std::unique_ptr<Flow> noxim_flow(const FlowContext& context, const std::string& file) {
  return std::make_unique<NoximFlow>(context, file);
}

}  // namespace flitmend
