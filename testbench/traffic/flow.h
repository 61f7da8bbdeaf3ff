// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "rtl_tlm/parameters.h"
#include "testbench/configuration/configuration.h"
#include "testbench/traffic/flow_description.h"
#include "testbench/traffic/length.h"
#include "testbench/traffic/message_source.h"
#include "testbench/traffic/pattern.h"

namespace flitmend {

/// flows, matrix, noxim_table, clock_mhz: the options of section traffic that give flows.
extern const OptionKey kFlowsOption;
extern const OptionKey kMatrixOption;
extern const OptionKey kNoximTableOption;
extern const OptionKey kClockOption;

/// The network that flows are sent in.
struct FlowContext {
  const Configuration& configuration;
  const Topology& topology;
  const Participants& participants;  ///< outlives the flows
  double injection_limit = 1;        ///< flits per cycle of a node
  unsigned flit_bytes = 8;
  /// Of flows that do not have their own: section traffic, without the flows.
  TrafficSettings settings = {};
};

/// Messages that some nodes send, or several flows that are drawn together. Immutable; nodes draw from their
/// own random numbers, which depend on the seed, the flow's number and the node.
class Flow {
 public:
  virtual ~Flow() = default;
  /// Flits per cycle that the node offers from `start` to `stop`, exclusive; 0: it sends nothing.
  virtual double rate(NodeId) const = 0;
  /// Adds the part of that rate that goes to each node, of a node that sends.
  virtual void add_rates(NodeId source, std::vector<double>& to) const = 0;
  /// The messages of a node that sends; must not outlive this. `number`: NewMessage::flow of the first
  /// description.
  virtual std::unique_ptr<MessageSource> source(NodeId, std::uint64_t seed, std::uint32_t number) const = 0;
  virtual std::uint32_t longest() const = 0;  ///< flits

  /// Calls f(node, flits per cycle) for each sender in a network of that many nodes, in order; f returns
  /// whether to go on. Returns false if it did not.
  template <class F>
  bool for_each_sender(NodeId nodes, F&& f) const {
    const NodeId count = senders ? static_cast<NodeId>(senders->size()) : nodes;
    for (NodeId i = 0; i < count; ++i) {
      const NodeId node = senders ? (*senders)[i] : i;
      if (const double offered = rate(node); offered > 0 && !f(node, offered)) return false;
    }
    return true;
  }

  std::vector<FlowDescription> descriptions;  ///< at least one
  Cycle start = 0;
  Cycle stop = kNever;
  std::optional<std::vector<NodeId>> senders;  ///< sorted: no other node sends; none: any node may
  std::vector<Cycle> starts;                   ///< of each description; empty: `start` of all
  bool section_lengths = true;                 ///< its lengths are those of section traffic
  bool section_injection = true;               ///< its injection process is
};

/// A flow with a destination pattern, an injection process and a length distribution.
class PatternFlow final : public Flow {
 public:
  /// settings: injection process and its options. rates: flits per cycle, by node; one entry: of every node
  /// that sends.
  PatternFlow(std::shared_ptr<const DestinationPattern> pattern,
              std::shared_ptr<const LengthDistribution> lengths, const TrafficSettings& settings,
              double limit, std::vector<double> rates)
      : pattern_(std::move(pattern)),
        lengths_(std::move(lengths)),
        settings_(settings),
        limit_(limit),
        rates_(std::move(rates)) {}

  double rate(NodeId node) const override {
    return pattern_->sends(node) ? rates_[rates_.size() == 1 ? 0 : node] : 0.0;
  }
  void add_rates(NodeId source, std::vector<double>& to) const override {
    pattern_->add_rates(source, rate(source), to);
  }
  std::unique_ptr<MessageSource> source(NodeId, std::uint64_t seed, std::uint32_t number) const override;
  std::uint32_t longest() const override { return lengths_->longest(); }
  /// Says that every message goes there.
  void set_only_destination(NodeId node) { only_destination_ = node; }

 private:
  class Source;
  std::shared_ptr<const DestinationPattern> pattern_;
  std::shared_ptr<const LengthDistribution> lengths_;
  TrafficSettings settings_;
  double limit_;
  std::vector<double> rates_;
  std::optional<NodeId> only_destination_;
};

/// The flows of traffic.flows. Throws ConfigurationError with the place of what is wrong.
std::vector<std::unique_ptr<Flow>> listed_flows(const FlowContext&);
/// What a matrix of rates says.
struct MatrixTraffic {
  std::shared_ptr<const DestinationPattern> destinations;
  std::vector<double> rates;  ///< flits per cycle of each node
};
/// Reads the rates of every pair of nodes. Throws ConfigurationError with their place in the file.
MatrixTraffic read_matrix(const FlowContext&, const std::string& file);
/// The flow of traffic.matrix. Throws ConfigurationError.
std::unique_ptr<Flow> matrix_flow(const FlowContext&, const std::string& file);
/// The flow of traffic.noxim_table, with a description for each row. Throws ConfigurationError.
std::unique_ptr<Flow> noxim_flow(const FlowContext&, const std::string& file);

/// All flows of a run.
class FlowTraffic {
 public:
  /// dead: nodes that neither send nor receive, because they are faulty from the start. Throws
  /// ConfigurationError, also if a node would have to inject more than it can.
  FlowTraffic(const Configuration&, const Topology&, const HardwareParameters&,
              std::span<const NodeId> dead = {});
  FlowTraffic(const FlowTraffic&) = delete;
  FlowTraffic& operator=(const FlowTraffic&) = delete;

  /// The messages of one node in a run with that seed; must not outlive this.
  std::unique_ptr<MessageSource> source(NodeId, std::uint64_t seed) const;
  const std::vector<std::unique_ptr<Flow>>& flows() const { return flows_; }
  /// Of all flows, by NewMessage::flow.
  const std::vector<FlowDescription>& descriptions() const { return descriptions_; }
  std::uint32_t longest() const;  ///< flits

 private:
  /// A flow that a node sends.
  struct SentFlow {
    const Flow* flow;
    std::uint32_t number;  ///< of its first description
    double rate;           ///< flits per cycle of that node
  };

  /// Sets sent_by_.
  void list_by_sender();
  /// key: what gives flows, for errors.
  void check_sums(const Topology&, double limit, const char* key) const;

  Participants participants_;
  std::vector<std::unique_ptr<Flow>> flows_;
  std::vector<FlowDescription> descriptions_;
  std::vector<std::vector<SentFlow>> sent_by_;  ///< by node, in the order of the flows
};

}  // namespace flitmend
