// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/flow.h"

#include <algorithm>
#include <utility>

#include "base/errors.h"
#include "base/text.h"
#include "testbench/traffic/classes.h"
#include "testbench/traffic/injection.h"

namespace flitmend {

/// A flow's messages from one node. A network can have tens of thousands of these, so what a message needs is
/// close together: neither the flow nor its pattern is touched where there is nothing to draw.
class PatternFlow::Source final : public MessageSource {
 public:
  Source(const PatternFlow& flow, NodeId node, std::uint64_t seed, std::uint32_t number)
      : injection_(injection_processes()
                       .at(flow.settings_.injection)
                       .make({flow.settings_, flow.rate(node), flow.lengths_->mean(), flow.limit_},
                             RandomStream(seed, RandomPurpose::injection, node, number + 1))),
        start_(flow.start),
        cycles_(flow.stop - flow.start),
        node_(node),
        number_(number),
        destination_(flow.only_destination_.value_or(kDrawn)),
        length_(flow.lengths_->mean() == flow.lengths_->longest() ? flow.lengths_->longest() : 0),
        flow_(&flow),
        destinations_(seed, RandomPurpose::destination, node, number + 1),
        lengths_(seed, RandomPurpose::message_length, node, number + 1) {
    advance();
  }
  NewMessage take() override {
    const NewMessage message{
        next_, destination_ == kDrawn ? flow_->pattern_->destination(node_, destinations_) : destination_,
        length_ == 0 ? flow_->lengths_->draw(lengths_) : length_, number_};
    advance();
    return message;
  }

 private:
  static constexpr NodeId kDrawn = ~NodeId{0};
  void advance() {
    const Cycle next = injection_->next();
    next_ = next == kNever || next >= cycles_ ? kNever : start_ + next;
  }

  std::unique_ptr<InjectionProcess> injection_;
  Cycle start_, cycles_;
  NodeId node_;
  std::uint32_t number_;
  NodeId destination_;    ///< of every message, or kDrawn
  std::uint32_t length_;  ///< of every message; 0: it is drawn
  const PatternFlow* flow_;
  RandomStream destinations_;
  RandomStream lengths_;
};

std::unique_ptr<MessageSource> PatternFlow::source(NodeId node, std::uint64_t seed,
                                                   std::uint32_t number) const {
  return std::make_unique<Source>(*this, node, seed, number);
}

namespace {

/// The messages of several sources by cycle; those of one cycle in the order of the sources.
class MergedSource final : public MessageSource {
 public:
  explicit MergedSource(std::vector<std::unique_ptr<MessageSource>> sources) : sources_(std::move(sources)) {
    for (std::uint32_t i = 0; i < sources_.size(); ++i) next_of_.push_back({sources_[i]->next_arrival(), i});
    std::make_heap(next_of_.begin(), next_of_.end(), std::greater<>());
    look();
  }
  NewMessage take() override {
    MessageSource& source = *sources_[next_of_.front().source];
    const NewMessage message = source.take();
    next_of_.front().cycle = source.next_arrival();
    sink_first();
    look();
    return message;
  }

 private:
  struct Next {
    Cycle cycle;
    std::uint32_t source;
    auto operator<=>(const Next&) const = default;
  };
  /// Restores the heap after its first element has become later.
  void sink_first() {
    const Next moved = next_of_.front();
    const std::size_t count = next_of_.size();
    std::size_t at = 0;
    for (std::size_t child; (child = 2 * at + 1) < count; at = child) {
      child += child + 1 < count && next_of_[child + 1] < next_of_[child];
      if (moved < next_of_[child]) break;
      next_of_[at] = next_of_[child];
    }
    next_of_[at] = moved;
  }
  void look() { next_ = next_of_.empty() ? kNever : next_of_.front().cycle; }

  std::vector<std::unique_ptr<MessageSource>> sources_;
  std::vector<Next> next_of_;  ///< a heap, the earliest on top
};

}  // namespace

namespace {
/// What `make` makes of the value of a key; an error that has no place gets that of the key.
template <class Make>
auto made_from(const char* key, Make&& make) {
  try {
    return make();
  } catch (const KeyError&) {
    throw;
  } catch (const ConfigurationError& error) {
    if (error.place()) throw;
    throw KeyError(key, error.what());
  }
}
}  // namespace

FlowTraffic::FlowTraffic(const Configuration& c, const Topology& topology, const HardwareParameters& hardware,
                         std::span<const NodeId> dead)
    : participants_(topology.node_count(), dead), sent_by_(topology.node_count()) {
  FlowContext context{c,        topology, participants_, hardware.injection_limit(), hardware.link.flit_bytes,
                      c.traffic};
  context.settings.options.set(std::string(kFlowsOption.name()), FlowList());
  flows_ = made_from("traffic.flows", [&] { return listed_flows(context); });
  if (const std::string file = c.traffic.options.word(kMatrixOption); !file.empty())
    flows_.push_back(made_from("traffic.matrix", [&] { return matrix_flow(context, file); }));
  if (const std::string file = c.traffic.options.word(kNoximTableOption); !file.empty())
    flows_.push_back(made_from("traffic.noxim_table", [&] { return noxim_flow(context, file); }));
  for (const auto& flow : flows_)
    descriptions_.insert(descriptions_.end(), flow->descriptions.begin(), flow->descriptions.end());
  give_class(descriptions_, c.traffic);
  constexpr std::size_t kMostFlows = (1 << 24) - 2;  // RandomStream's groups
  if (descriptions_.size() > kMostFlows)
    throw KeyError("traffic.flows",
                   formatted("%1% flows are more than %2%; give fewer", descriptions_.size(), kMostFlows));
  list_by_sender();
  const bool has_matrix = !c.traffic.options.word(kMatrixOption).empty();
  check_sums(topology, context.injection_limit,
             !c.traffic.options.flows(kFlowsOption).empty() ? "traffic.flows"
             : has_matrix                                   ? "traffic.matrix"
                                                            : "traffic.noxim_table");
}

void FlowTraffic::list_by_sender() {
  std::uint32_t number = 0;
  for (const auto& flow : flows_) {
    flow->for_each_sender(static_cast<NodeId>(sent_by_.size()), [&](NodeId node, double rate) {
      sent_by_[node].push_back({flow.get(), number, rate});
      return true;
    });
    number += static_cast<std::uint32_t>(flow->descriptions.size());
  }
}

void FlowTraffic::check_sums(const Topology& topology, double limit, const char* key) const {
  std::vector<std::pair<Cycle, double>> changes;  // of what a node offers
  for (NodeId node = 0; node < topology.node_count(); ++node) {
    changes.clear();
    for (const SentFlow& sent : sent_by_[node]) {
      changes.emplace_back(sent.flow->start, sent.rate);
      if (sent.flow->stop != kNever) changes.emplace_back(sent.flow->stop, -sent.rate);
    }
    std::ranges::sort(changes);  // what ends in a cycle before what begins
    double sum = 0;
    for (const auto& [cycle, change] : changes) {
      sum += change;
      if (sum > limit * (1 + 1e-9))
        throw KeyError(
            key,
            formatted("the flows of %1% add up to %2% flits per cycle from cycle %3% on, but a node can "
                      "inject %4%; lower their rates",
                      topology.router_name(node), sum, cycle, limit),
            {"traffic.flows", "traffic.matrix", "traffic.noxim_table"});
    }
  }
}

std::unique_ptr<MessageSource> FlowTraffic::source(NodeId node, std::uint64_t seed) const {
  std::vector<std::unique_ptr<MessageSource>> sources;
  for (const SentFlow& sent : sent_by_[node]) sources.push_back(sent.flow->source(node, seed, sent.number));
  return std::make_unique<MergedSource>(std::move(sources));
}

std::uint32_t FlowTraffic::longest() const {
  std::uint32_t longest = 1;
  for (const auto& flow : flows_) longest = std::max(longest, flow->longest());
  return longest;
}

}  // namespace flitmend
