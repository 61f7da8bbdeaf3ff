// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/settings.h"
#include "topologies/topology.h"

namespace flitmend {

enum class SubnetworkKind : std::uint8_t { one_switch, fat_tree, ruft };

/// The words of network.subnetwork, in the order of SubnetworkKind.
inline constexpr auto kSubnetworkKinds = std::to_array<Choice>(
    {{"switch", "one switch with a port for each of the k routers"},
     {"fat-tree", "the fat tree of k = arity^s routers: s stages of switches with links of two directions"},
     {"ruft",
      "the reduced unidirectional fat tree: its upper half, from whose last stage links lead to the "
      "routers"}});

/// The graph that joins the k nodes of one line of a dimension, its ends 0 … k − 1, and the routes through it
/// by digits of the destination. Switches are numbered from 0, stage by stage, the stage of the ends first.
///
/// One switch: port c leads to end c.
///
/// Fat tree: the r-ary s-tree with k = r^s ends [Petrini97]. Stage l = 0 … s − 1 has r^(s−1) switches w,
/// whose numbers have the digits w_0 … w_(s−2) to the base r; an end x has x_0 … x_(s−1). Down port c of
/// a switch of stage 0 leads to end w·r + c; up port j of stage l leads to the switch of stage l + 1 that has
/// j for w_l, there to down port w_l. A switch has r down ports, then r up ports; the last stage has none of
/// these. A message to x goes up by port x_l, until x is below, then down by port x_l [Gomez07].
///
/// RUFT: its upper half with links of one direction [Gomez08]. A switch has r inputs, then r outputs. All
/// messages cross all stages: a message to x leaves stage l by output x_l, and output j of the last switch w
/// leads to end j·r^(s−1) + w itself.
class Subnetwork {
 public:
  /// A port of a switch.
  struct Port {
    std::uint32_t at;
    PortId port;
  };

  /// Throws KeyError (network.arity, network.k) unless it is one switch with arity 0, or k = arity^s with an
  /// arity of at least 2, s ≥ 2, and k at most kMaxSubnetworkEnds.
  Subnetwork(SubnetworkKind kind, std::uint32_t k, std::uint32_t arity);

  SubnetworkKind kind() const { return kind_; }
  std::uint32_t k() const { return k_; }
  std::uint32_t arity() const { return arity_; }  ///< r; of one switch k
  unsigned stages() const { return static_cast<unsigned>(powers_.size()); }
  bool one_switch() const { return kind_ == SubnetworkKind::one_switch; }
  /// Whether links have one direction.
  bool one_way() const { return kind_ == SubnetworkKind::ruft; }

  std::uint32_t switches() const { return stages() * per_stage_; }
  std::uint32_t switches_per_stage() const { return per_stage_; }
  unsigned stage(std::uint32_t at) const { return at / per_stage_; }
  std::uint32_t position(std::uint32_t at) const { return at % per_stage_; }  ///< w
  PortId port_count(std::uint32_t at) const {
    return static_cast<PortId>(
        one_switch() || (kind_ == SubnetworkKind::fat_tree && is_last(at)) ? arity_ : 2 * arity_);
  }
  bool is_last(std::uint32_t at) const { return stage(at) + 1 == stages(); }

  /// Where messages from an end come in.
  Port entry(std::uint32_t end) const { return {end / arity_, static_cast<PortId>(end % arity_)}; }
  /// Where messages to an end go out; with links of two directions the same.
  Port exit(std::uint32_t end) const {
    if (!one_way()) return entry(end);
    return {switches() - per_stage_ + end % per_stage_, static_cast<PortId>(arity_ + end / per_stage_)};
  }
  /// The far end of up port, or output, arity() + j of a switch that is not in the last stage.
  Port above(std::uint32_t at, std::uint32_t j) const {
    const unsigned l = stage(at);
    const std::uint32_t own = digit(position(at), l);
    return {at + per_stage_ + j * powers_[l] - own * powers_[l], static_cast<PortId>(own)};
  }
  /// Whether a message to that end goes down from here: in a fat tree from the switches above the end.
  bool goes_down(std::uint32_t at, std::uint32_t end) const {
    if (kind_ != SubnetworkKind::fat_tree) return one_switch();
    const std::uint32_t below = powers_[stage(at)];
    return end / arity_ / below == position(at) / below;
  }
  /// The port by which a message to that end leaves, if nothing is faulty.
  PortId port_to(std::uint32_t at, std::uint32_t end) const {
    if (one_switch()) return static_cast<PortId>(end);
    return static_cast<PortId>(digit(end, stage(at)) + (goes_down(at, end) ? 0 : arity_));
  }
  /// Channels between two different ends, those of the ends counted.
  std::uint32_t distance(std::uint32_t from, std::uint32_t to) const;

  /// "with 2-ary fat trees"; of one switch empty.
  std::string description() const;
  std::string port_name(std::uint32_t at, PortId) const;  ///< "port3"; "down0", "up1"; "in0", "out1"

 private:
  std::uint32_t digit(std::uint32_t number, unsigned i) const { return number / powers_[i] % arity_; }

  SubnetworkKind kind_;
  std::uint32_t k_;
  std::uint32_t arity_;
  std::uint32_t per_stage_ = 1;
  std::vector<std::uint32_t> powers_;  ///< r^0 … r^(s−1)
};

}  // namespace flitmend
