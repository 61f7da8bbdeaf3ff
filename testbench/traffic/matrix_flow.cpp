// SPDX-License-Identifier: Apache-2.0
// traffic.matrix: the rates of every pair of nodes.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/csv_reader.h"
#include "base/text.h"
#include "testbench/traffic/flow.h"
#include "testbench/traffic/injection.h"

namespace flitmend {

constexpr OptionKey kMatrixOption{.key = {"matrix", "",
                                          "CSV file with the rates of every pair of nodes, flits per cycle: "
                                          "line i has those of node i, to nodes 0, "
                                          "1, …; together with traffic.flows, or instead of it.",
                                          kAlways},
                                  .values = OptionKey::Text{}};

namespace {

/// Each destination with a probability in proportion to its rate.
class MatrixDestinations final : public DestinationPattern {
 public:
  /// sums[source · nodes + d]: of the rates to destinations 0 … d.
  MatrixDestinations(NodeId nodes, std::vector<double> sums) : nodes_(nodes), sums_(std::move(sums)) {}

  bool sends(NodeId source) const override { return sums_[std::size_t{source + 1} * nodes_ - 1] > 0; }
  NodeId destination(NodeId source, RandomStream& random) const override {
    const auto begin = sums_.begin() + std::ptrdiff_t{source} * nodes_, end = begin + nodes_;
    const auto found = std::upper_bound(begin, end, random.uniform() * *(end - 1));
    // A product that is rounded up to the sum belongs to the last destination with a rate.
    return static_cast<NodeId>((found != end ? found : std::lower_bound(begin, end, *(end - 1))) - begin);
  }
  void add_rates(NodeId source, double rate, std::vector<double>& to) const override {
    const double* const sums = &sums_[std::size_t{source} * nodes_];
    for (NodeId node = 0; node < nodes_; ++node)
      to[node] += rate * (sums[node] - (node > 0 ? sums[node - 1] : 0.0)) / sums[nodes_ - 1];
  }

 private:
  NodeId nodes_;
  std::vector<double> sums_;
};

/// The rates of a file by source, then destination; 0 where one of them is faulty.
std::vector<double> rates_of_file(const FlowContext& context, const std::string& file) {
  const NodeId nodes = context.topology.node_count();
  std::vector<std::string> names;
  for (NodeId node = 0; node < nodes; ++node) names.push_back("rate to node " + std::to_string(node));
  std::vector<CsvReader::Column> columns;
  for (const std::string& name : names) columns.push_back({name, true});
  CsvReader reader(file, columns, [](std::string_view) { return true; });
  std::vector<double> rates;
  NodeId source = 0;
  for (; reader.read(); ++source) {
    if (source == nodes)
      reader.fail(CsvReader::kNoColumn, formatted("a line after those of the %1% of the %2%; remove it",
                                                  counted(nodes, "node"), context.topology.description()));
    for (NodeId destination = 0; destination < nodes; ++destination) {
      const std::string_view text = reader.field(destination);
      double rate = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rate);
      if (error != std::errc() || end != text.data() + text.size() || !(rate >= 0) || rate > 64)
        reader.fail(destination, shown_value(text) + " is not a rate; write flits per cycle, from 0 to 64");
      if (source == destination && rate > 0)
        reader.fail(destination, formatted("node %1% does not send to itself; write 0", source));
      const bool alive = context.participants.contains(source) && context.participants.contains(destination);
      rates.push_back(alive ? rate : 0);
    }
  }
  if (source < nodes)
    reader.fail(CsvReader::kNoColumn,
                formatted("%1%, but the %2% has %3%; give each node a line", counted(source, "line"),
                          context.topology.description(), counted(nodes, "node")));
  return rates;
}

}  // namespace

MatrixTraffic read_matrix(const FlowContext& context, const std::string& file) {
  const NodeId nodes = context.topology.node_count();
  std::vector<double> sums = rates_of_file(context, file), rates;
  for (NodeId source = 0; source < nodes; ++source) {
    double sum = 0;
    for (NodeId destination = 0; destination < nodes; ++destination)
      sum = sums[std::size_t{source} * nodes + destination] += sum;
    rates.push_back(sum);
  }
  return {std::make_shared<MatrixDestinations>(nodes, std::move(sums)), std::move(rates)};
}

std::unique_ptr<Flow> matrix_flow(const FlowContext& context, const std::string& file) {
  MatrixTraffic matrix = read_matrix(context, file);
  const TrafficSettings& settings = context.settings;
  std::shared_ptr<const LengthDistribution> lengths =
      length_distributions().at(settings.length_distribution).make(settings);
  for (NodeId source = 0; source < matrix.rates.size(); ++source) {
    const double rate = matrix.rates[source];
    if (rate <= 0) continue;
    if (rate > context.injection_limit * InjectionContext::kTolerance)
      throw KeyError(
          "traffic.matrix",
          formatted("the rates of %1% add up to %2% flits per cycle, but a node can inject %3%; lower them",
                    context.topology.router_name(source), rate, context.injection_limit));
    injection_processes()
        .at(settings.injection)
        .make({settings, rate, lengths->mean(), context.injection_limit}, RandomStream());
  }
  auto flow = std::make_unique<PatternFlow>(std::move(matrix.destinations), std::move(lengths), settings,
                                            context.injection_limit, std::move(matrix.rates));
  flow->descriptions.push_back({.name = "matrix"});
  return flow;
}

}  // namespace flitmend
