// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <optional>

#include "analysis/probability_vectors/route.h"
#include "base/detours.h"
#include "rtl_tlm/fabric/fabric.h"
#include "testbench/statistics/optional_statistic.h"

namespace flitmend {
namespace {

/// The outcome of routing a message of every pair by probability vectors alone, around the faults at the end
/// of the run.
struct VectorWays {
  std::optional<double> deviation;   ///< percent; none if no pair is served, as the others without a pair
  std::optional<double> not_served;  ///< share of the pairs, 0 to 1
  std::optional<double> looping;     ///< the same, part of not_served
  void visit(ResultsVisitor&) const;
};

/// How much longer the routes of messages are than the distance between their ends.
class DetourStatistic final : public OptionalStatistic {
 public:
  explicit DetourStatistic(const StatisticContext&);

  void message_created(const Message&) override;
  void message_delivered(const Message&, Cycle) override;
  void finish(const Fabric&, Cycle measured_cycles) override;
  void visit(ResultsVisitor&) const override;

 private:
  const Topology& topology_;
  MeasuredWindow window_;
  std::uint64_t created_ = 0;
  Detours delivered_;
  VectorWays vectors_;
};

constexpr NodeId kMostNodes = 1024;  // all pairs take about a second

std::optional<double> share(std::uint64_t part, std::uint64_t all) {
  if (all == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(all);
}

VectorWays ways_of_vectors(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  if (fabric.context().hardware.vector_elements == 0 || topology.node_count() > kMostNodes) return {};
  const KaryCubeFaults faults = kary_cube_faults(fabric.faults());
  const KaryCube cube = kary_cube_of(topology);
  const PvAllPairs ways = route_all_pairs({cube, PvArithmetic::plain, faults}, faults.count());
  return {ways.delivered.deviation_percent(), share(ways.failed + ways.looping, ways.pairs()),
          share(ways.looping, ways.pairs())};
}

}  // namespace

void VectorWays::visit(ResultsVisitor& v) const {
  v.value({"deviation", "%", "Mean over the pairs that they serve of (hops − distance) / distance."},
          deviation);
  v.value(
      {"not_served", "", "Share of the pairs whose message finds no port, or makes more hops than it may."},
      not_served);
  v.value(
      {"looping", "", "Share of the pairs whose message makes more hops than it may; part of `not_served`."},
      looping);
}

DetourStatistic::DetourStatistic(const StatisticContext& context)
    : topology_(context.topology), window_(context.window), delivered_(context.topology.diameter()) {}

void DetourStatistic::message_created(const Message& message) {
  created_ += window_.contains(message.created) && message.source != message.destination;
}

void DetourStatistic::message_delivered(const Message& message, Cycle) {
  if (window_.contains(message.created) && message.source != message.destination)
    delivered_.add(topology_.distance(message.source, message.destination), message.hops);
}

void DetourStatistic::finish(const Fabric& fabric, Cycle) {
  vectors_ = ways_of_vectors(fabric);
}

void DetourStatistic::visit(ResultsVisitor& v) const {
  v.begin_section(
      {"detours", "",
       "How much longer the ways of messages are than the distance between their ends: messages created in "
       "the measured window, to other nodes; with `statistics: {detours: true}`."});
  v.value({"deviation", "%", "Mean over the delivered messages of (hops − distance) / distance."},
          delivered_.deviation_percent());
  v.value({"longest", "channels", "The most hops beyond the distance."}, delivered_.longest());
  v.value({"not_delivered", "",
           "Share of the messages that were not delivered by the end of the run, whatever the reason. "
           "Comparable with "
           "`vectors.not_served` if all faults are there from the start."},
          share(created_ - delivered_.count(), created_));
  visit_section(
      v,
      {"vectors", "",
       "What `flitmend analyze probability-routing` would find for a message of every pair of healthy nodes "
       "around the faults at the end of the run. With probability vectors, in networks of up to 1024 nodes."},
      vectors_);
  v.end_section();
}

StatisticEntry detours_statistic() {
  return {
      .name = "detours",
      .description =
          "Compare the hops of messages with the distance between their ends; with probability vectors also "
          "with what the analysis finds for the same faults.",
      .make = [](const StatisticContext& c) -> std::unique_ptr<OptionalStatistic> {
        return std::make_unique<DetourStatistic>(c);
      },
  };
}

}  // namespace flitmend
