// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/channel_comparer.h"

#include <array>
#include <bit>
#include <utility>

#include "base/bits.h"
#include "base/errors.h"
#include "base/text.h"
#include "traces/waves/byte_sink.h"
#include "traces/waves/vcd_writer.h"

namespace flitmend {

/// One of the two fabrics: what arrives on its channels in the next cycle.
class ChannelComparer::Side final : private CycleObserver {
 public:
  Side(Fabric& fabric, ChannelComparer& comparer) : fabric_(fabric), comparer_(comparer) {
    const Topology& topology = fabric.topology();
    for (RouterId r = 0; r < topology.router_count(); ++r)
      for (PortId port = 0; port < topology.port_count(r); ++port)
        if (const Channel* channel = fabric.channel(r, port)) {
          channels.push_back(channel);
          names.push_back(topology.router_name(r) + "." + topology.port_name(r, port));
        }
    for (NodeId node = 0; node < fabric.node_count(); ++node) {
      const NetworkInterface& interface = fabric.network_interface(node);
      const std::string name = topology.router_name(node) + ".interface.";
      if (const Channel* channel = interface.injection_channel()) {
        channels.push_back(channel);
        names.push_back(name + "injector");
      }
      if (const Channel* channel = interface.ejection_channel()) {
        channels.push_back(channel);
        names.push_back(name + "receiver");
      }
    }
    wires.resize(channels.size());
    fabric.add_observer(static_cast<CycleObserver&>(*this));
  }

  std::vector<const Channel*> channels;
  std::vector<std::string> names;
  Wires wires;
  Cycle next = 0;  ///< the cycle in which that arrives

 private:
  void cycle_done(Cycle t, const Word*, const Word*, unsigned) override {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      wires[i] = OnWire{};
      if (const Flit* const flit = channels[i]->arriving(t + 1)) {
        const Message& m = fabric_.context().messages[flit->message];
        wires[i] = {flit->kind, flit->vc, flit->number, m.source, m.destination, m.id, m.length};
      }
      const CreditWires& credits = channels[i]->credit_wires();
      wires[i].credits = credits.vcs[credits.slot(t + 1)] / credits.first & all_vcs_;
    }
    next = t + 1;
    comparer_.recorded();
  }

  void fabric_cleared() override {
    for (OnWire& wire : wires) wire = OnWire{};
    next = fabric_.cycles() + 1;
    comparer_.recorded();
  }

  Fabric& fabric_;
  ChannelComparer& comparer_;
  const VcMask all_vcs_ = low_bits(fabric_.context().hardware.router.virtual_channels);
};

namespace {
std::string text_of_credits(VcMask credits) {
  if (credits == 0) return "no credit";
  std::string vcs;
  for (; credits; credits &= credits - 1)
    vcs += (vcs.empty() ? "" : ", ") + std::to_string(std::countr_zero(credits));
  return "credit of virtual channel " + vcs;
}
}  // namespace

std::string ChannelComparer::Difference::text() const {
  return formatted("cycle %1%: %2%: expected %3%, found %4%", cycle, channel, expected, found);
}

ChannelComparer::ChannelComparer(Fabric& expected, Fabric& found, unsigned history)
    : topology_(expected.topology()),
      vcs_(expected.context().hardware.router.virtual_channels),
      history_(history) {
  expected_ = std::make_unique<Side>(expected, *this);
  found_ = std::make_unique<Side>(found, *this);
  names_ = expected_->names;
  if (names_ != found_->names || vcs_ != found.context().hardware.router.virtual_channels)
    throw ConfigurationError(
        "ChannelComparer: the two fabrics have different channels; give both the same topology and virtual "
        "channels");
}

ChannelComparer::~ChannelComparer() = default;

std::string ChannelComparer::text_of_flit(const OnWire& wire) const {
  if (wire.kind == FlitKind::none) return "no flit";
  return formatted("%1% %2% of message %3% of %4% to %5% on virtual channel %6%", to_string(wire.kind),
                   wire.number, wire.id, topology_.router_name(wire.source),
                   topology_.router_name(wire.destination), wire.vc);
}

ChannelComparer::Difference ChannelComparer::difference(Cycle cycle, const std::string& channel,
                                                        const OnWire& expected, const OnWire& found) const {
  OnWire same_credits = found;
  same_credits.credits = expected.credits;
  if (same_credits != expected) return {cycle, channel, text_of_flit(expected), text_of_flit(found)};
  return {cycle, channel, text_of_credits(expected.credits), text_of_credits(found.credits)};
}

void ChannelComparer::recorded() {
  if (!expected_ || !found_ || expected_->next != found_->next) return;
  ++cycles_;
  const bool keep = !first_ || expected_->next <= first_->cycle + history_;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    flits_ += expected_->wires[i].kind != FlitKind::none;
    credits_ += static_cast<unsigned>(std::popcount(expected_->wires[i].credits));
    if (!first_ && expected_->wires[i] != found_->wires[i])
      first_ = difference(expected_->next, names_[i], expected_->wires[i], found_->wires[i]);
  }
  if (!keep || history_ == 0) return;
  if (moments_.size() == most_kept()) {
    Moment oldest = std::move(moments_.front());  // its memory is used again
    moments_.pop_front();
    oldest.cycle = expected_->next;
    oldest.expected = expected_->wires;
    oldest.found = found_->wires;
    moments_.push_back(std::move(oldest));
  } else {
    moments_.push_back({expected_->next, expected_->wires, found_->wires});
  }
  if (first_ && moments_.front().cycle + history_ < first_->cycle) moments_.pop_front();
}

void ChannelComparer::write_waves(const std::string& file, std::uint64_t clock_period) const {
  const Timescale scale = Timescale::of_period(clock_period);
  VcdWriter writer(std::make_unique<FileSink>(file), scale);
  struct Variables {
    VcdWriter::Variable kind, vc, number, source, destination, message_id, credits;
  };
  std::array<std::vector<Variables>, 2> variables;
  for (unsigned side = 0; side < 2; ++side) {
    writer.begin_scope(side == 0 ? "expected" : "found");
    for (const std::string& name : names_) {
      writer.begin_scope(name);
      variables[side].push_back({writer.declare("kind", 4), writer.declare("vc", 6),
                                 writer.declare("number", 16), writer.declare("source", 32),
                                 writer.declare("destination", 32), writer.declare("message_id", 32),
                                 writer.declare("credits", vcs_)});
      writer.end_scope();
    }
    writer.end_scope();
  }
  const auto difference = writer.declare("difference", 1);
  writer.end_declarations();
  const auto write = [&](const Variables& v, const OnWire& wire) {
    const std::array<std::pair<const VcdWriter::Variable*, std::uint64_t>, 6> values = {
        {{&v.kind, static_cast<std::uint64_t>(wire.kind)},
         {&v.vc, wire.vc},
         {&v.number, wire.number},
         {&v.source, wire.source},
         {&v.destination, wire.destination},
         {&v.message_id, wire.id}}};
    for (const auto& [variable, value] : values)
      if (wire.kind == FlitKind::none)
        writer.change_to_absent(*variable);
      else
        writer.change(*variable, value);
    writer.change(v.credits, wire.credits);
  };
  const Moment* before = nullptr;
  for (const Moment& moment : moments_) {
    writer.step(moment.cycle * scale.ticks);
    if (!before) writer.begin_initial_values();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!before || before->expected[i] != moment.expected[i]) write(variables[0][i], moment.expected[i]);
      if (!before || before->found[i] != moment.found[i]) write(variables[1][i], moment.found[i]);
    }
    const bool differs = moment.expected != moment.found;
    if (!before || differs != (before->expected != before->found)) writer.change(difference, differs);
    if (!before) writer.end_initial_values();
    before = &moment;
  }
  writer.close(moments_.empty() ? 0 : (moments_.back().cycle + 1) * scale.ticks);
  if (!writer.failure().empty()) throw WriteError(file + ": " + writer.failure());
}

}  // namespace flitmend
