// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

/// Compares two fabrics of the same topology on the same clock, for example a model and one with routers of
/// your own: every flit and every credit on every channel, injection and ejection included, in every cycle.
/// Flits are compared by what is on the wire: kind, virtual channel, number, and source, destination, id and
/// length of their message. Must outlive the simulation of both.
class ChannelComparer {
 public:
  struct Difference {
    Cycle cycle;          ///< in which the flit, or the credit, arrives
    std::string channel;  ///< "router_3_3.east", "router_3_3.interface.injector" (into the router)
    std::string expected, found;
    std::string text() const;  ///< all of it, in one line
  };

  /// `history`: cycles before a difference that its waves show.
  ChannelComparer(Fabric& expected, Fabric& found, unsigned history = 64);
  ~ChannelComparer();
  ChannelComparer(const ChannelComparer&) = delete;
  ChannelComparer& operator=(const ChannelComparer&) = delete;

  /// The first difference; none so far: nullopt. Of several in a cycle, that of the first router.
  const std::optional<Difference>& first() const { return first_; }
  Cycle cycles_compared() const { return cycles_; }
  std::uint64_t flits_compared() const { return flits_; }
  std::uint64_t credits_compared() const { return credits_; }
  /// Writes the channels of both fabrics around the first difference as a VCD file: `history` cycles before
  /// it, and those recorded after it, at most as many. No difference: the last cycles. `clock_period` in
  /// femtoseconds. Throws WriteError.
  void write_waves(const std::string& file, std::uint64_t clock_period) const;

 private:
  /// What is on a channel: a flit, absent if kind is none, and credits in the other direction.
  struct OnWire {
    FlitKind kind = FlitKind::none;
    std::uint16_t vc = 0, number = 0;
    NodeId source = 0, destination = 0;
    std::uint32_t id = 0, length = 0;
    VcMask credits = 0;  ///< by virtual channel
    friend bool operator==(const OnWire&, const OnWire&) = default;
  };
  using Wires = std::vector<OnWire>;  ///< by channel
  class Side;

  void recorded();
  std::string text_of_flit(const OnWire&) const;
  /// How two of them differ: in their flits, else in their credits.
  Difference difference(Cycle, const std::string& channel, const OnWire& expected, const OnWire& found) const;
  std::size_t most_kept() const { return 2 * std::size_t{history_} + 1; }

  std::unique_ptr<Side> expected_, found_;
  const Topology& topology_;
  unsigned vcs_;
  std::vector<std::string> names_;  ///< by channel: its scopes, separated by dots
  unsigned history_;
  struct Moment {
    Cycle cycle;
    Wires expected, found;
  };
  std::deque<Moment> moments_;
  std::optional<Difference> first_;
  Cycle cycles_ = 0;
  std::uint64_t flits_ = 0;
  std::uint64_t credits_ = 0;
};

}  // namespace flitmend
