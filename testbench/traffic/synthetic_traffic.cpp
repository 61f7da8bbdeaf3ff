// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/synthetic_traffic.h"

#include "base/text.h"
#include "testbench/traffic/length.h"
#include "testbench/traffic/pattern.h"
#include "topologies/capacity.h"

namespace flitmend {

double largest_load(const TrafficSettings& settings, const Topology& topology, double limit,
                    unsigned flit_bits) {
  const double length = length_distributions().at(settings.length_distribution).make(settings)->mean();
  const double flits = injection_processes().at(settings.injection).most({settings, limit, length, limit});
  return settings.load_unit == "capacity" ? flits / capacity_flits(topology, flit_bits) : flits;
}

SyntheticTraffic::SyntheticTraffic(const TrafficSettings& settings, const Topology& topology, double limit,
                                   std::span<const NodeId> dead, unsigned flit_bits)
    : participants_(topology.node_count(), dead),
      pattern_(make_pattern({topology, settings, participants_})),
      lengths_(length_distributions().at(settings.length_distribution).make(settings)),
      injection_{settings, settings.load, lengths_->mean(), limit},
      process_(injection_processes().at(settings.injection)) {
  const bool capacity = settings.load_unit == "capacity";
  if (capacity) injection_.load *= capacity_flits(topology, flit_bits);
  const double load = injection_.load;
  const std::string given = capacity ? formatted("%g of capacity, which is ", settings.load) : "";
  if (!(load >= 0)) throw KeyError("traffic.load", formatted("%g; it must be 0 or more", settings.load));
  if (load > limit * (1 + 1e-9))
    throw KeyError(
        "traffic.load",
        formatted("%s%g flits per node per cycle are more than a node can inject, %g; lower the load", given,
                  load, limit));
  for (NodeId node = 0; node < topology.node_count(); ++node) senders_ += pattern_->sends(node);
  if (load > 0)
    process_.make(injection_, RandomStream());  // refuses a load that it cannot offer, before anything runs
}

class SyntheticTraffic::Source final : public MessageSource {
 public:
  Source(const SyntheticTraffic& traffic, NodeId node, std::uint64_t seed);
  NewMessage take() override;

 private:
  const SyntheticTraffic* traffic_;
  NodeId node_;
  std::unique_ptr<InjectionProcess> injection_;
  RandomStream destinations_;
  RandomStream lengths_;
};

SyntheticTraffic::Source::Source(const SyntheticTraffic& traffic, NodeId node, std::uint64_t seed)
    : traffic_(&traffic),
      node_(node),
      destinations_(seed, RandomPurpose::destination, node),
      lengths_(seed, RandomPurpose::message_length, node) {
  if (!(traffic.load() > 0) || !traffic.pattern().sends(node)) return;
  injection_ = traffic.process_.make(traffic.injection_, RandomStream(seed, RandomPurpose::injection, node));
  next_ = injection_->next();
}

NewMessage SyntheticTraffic::Source::take() {
  const NewMessage message{next_, traffic_->pattern_->destination(node_, destinations_),
                           traffic_->lengths_->draw(lengths_)};
  next_ = injection_->next();
  return message;
}

std::unique_ptr<MessageSource> SyntheticTraffic::source(NodeId node, std::uint64_t seed) const {
  return std::make_unique<Source>(*this, node, seed);
}

}  // namespace flitmend
