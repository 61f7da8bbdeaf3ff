// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/probability_vectors.h"

#include <algorithm>
#include <vector>

#include "protocols/routing/grid_routing.h"
#include "protocols/routing/learnt_loops.h"
#include "protocols/routing/probability_vector_table.h"
#include "protocols/routing/reconfiguration.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/up_down_table.h"
#include "rtl_tlm/mechanisms/vectors/vectors.h"
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {
namespace {

/// Probability-vector routing [AlSadi03] on k-ary n-cubes: the hop that algorithm PV_Routing chooses, with
/// the lowest of equal ports, and never back to the node just left. A message that it would fail, or that has
/// made more hops than its limit allows, has no candidate. The paper says nothing of deadlock: a message that
/// finds no virtual channel for its hop may leave for the fault network, the escape channels, and stays
/// there.
///
/// A router of a fabric decides by its registers, which the exchange fills (ProbabilityVectorExchange). If
/// routers learn from loops, those to a destination that it has learnt have no candidate either.
/// Without a fabric, the vectors are those with which the exchange ends.
///
/// h: that of the fault network. Before it: hops beyond the distance from source to destination that the
/// message has spent, or must still spend.
///
/// Classes: escape (1 virtual channel), adaptive (the others).
class ProbabilityVectors final : public GridRouting {
 public:
  /// The topology is a k-ary n-cube. Throws KeyError if it is too large for the table of the fault network.
  ProbabilityVectors(const Topology&, std::vector<VcMask> masks, PvLoopLimit);

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 1 + cube_.ports(); }
  bool looks_at_arrival() const override { return true; }
  bool has_escape_channels() const override { return true; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet&) override;
  void read_registers(RouterId, const RouterState&) override;

 private:
  /// −1: none.
  int next_hop(const RouteRequest&, std::uint32_t distance) const;
  std::uint64_t detour() const { return pv_detour_limit(loop_limit_, cube_.k(), faults_); }

  PvLoopLimit loop_limit_;
  FaultNetwork fault_network_;
  KaryCube cube_;
  ProbabilityVectorTable table_;
  std::vector<RouterState> registers_;  ///< by router; empty without a fabric
  LearntLoops* loops_ = nullptr;        ///< of the fabric
  /// f, the number of faults that the limit of hops uses. In a fabric the most that there have been, so that
  /// a repair takes no hops away from messages under way.
  std::uint64_t faults_ = 0;
};

enum PvClass : std::uint8_t { kPvEscape, kPvAdaptive };

constexpr const char* kPvName = "probability-vectors";

constexpr OptionKey kVectorBitsKey{.key = {"vector_bits", "bits",
                                           "Bits of its probability vector that a router sends to each "
                                           "neighbour in a cycle, on separate wires, "
                                           "while vectors are exchanged. An element of a vector has 64.",
                                           kAlways},
                                   .values = OptionKey::Number{.initial = 16, .range = {1, 64}}};

constexpr Choice kLoopLimits[] = {{"printed", "f·(k − 2), as [AlSadi03 section 3] prints it"},
                                  {"two-hops",
                                   "f·max(2, k − 2): at least the two hops that a detour around one of them "
                                   "costs; the same from k = 4 on"}};
constexpr OptionKey kLoopLimitKey{
    .key = {"loop_limit", "",
            "Hops beyond its distance after which a message counts as looping and is dropped, for f faults.",
            KeyEffect::only_if_given("faults")},
    .values = OptionKey::Word{.initial = "printed", .choices = kLoopLimits}};
constexpr OptionKey kLearnKey{
    .key = {"learn_from_loops", "",
            "Whether a router adds the destination of a message that loops there to its faulty set, and "
            "vectors are exchanged again.",
            KeyEffect::only_if_given("faults")},
    .values = OptionKey::Flag{}};

}  // namespace

ProbabilityVectors::ProbabilityVectors(const Topology& topology, std::vector<VcMask> masks,
                                       PvLoopLimit loop_limit)
    : GridRouting(topology, std::move(masks)),
      loop_limit_(loop_limit),
      fault_network_(topology, kPvName),
      cube_(kary_cube_of(topology)),
      table_(cube_, PvArithmetic::plain, {}) {}

void ProbabilityVectors::update_faults(const FaultSet& faults) {
  fault_network_.update(faults);
  const KaryCubeFaults found = kary_cube_faults(faults);
  if (registers_.empty()) {
    table_.set_faults(found);
    faults_ = found.count();
  } else {
    faults_ = std::max<std::uint64_t>(faults_, found.count());
    loops_->detour = detour();
    for (RouterId router = 0; router < registers_.size(); ++router) {
      loops_->forget(router);
      if (!loops_->changed.empty() && loops_->changed[router])
        registers_[router].header().recovery_active = true;
    }
  }
}

void ProbabilityVectors::read_registers(RouterId router, const RouterState& registers) {
  if (vector_elements(registers.layout()) == 0) return;
  registers_.resize(topology_.router_count());
  registers_[router] = registers;
  loops_ = &registers.layout().context.shared<LearntLoops>();
}

int ProbabilityVectors::next_hop(const RouteRequest& q, std::uint32_t distance) const {
  const RouterState* const registers = registers_.empty() ? nullptr : &registers_[q.here];
  auto usable = registers ? static_cast<std::uint32_t>(Vectors::exchange(*registers).healthy)
                          : table_.usable_ports(q.here);
  const auto ports = static_cast<PortId>(cube_.ports());
  for (PortId port = 0; port < ports; ++port)
    if (!healthy(q, port)) usable &= ~(std::uint32_t{1} << port);
  const PvRequest request{.distance = distance,
                          .preferred = cube_.preferred_ports(q.here, q.destination),
                          .usable = usable,
                          .forbidden = q.arrival_port == RouteRequest::kInjected
                                           ? 0
                                           : cube_.ports_to_same_neighbour(q.arrival_port)};
  const auto vector_of = [&](unsigned port) {
    return registers ? Vectors::received(*registers, port) : table_.vector(cube_.neighbour(q.here, port));
  };
  return probability_vector_next_hop(request, vector_of, PvTies::lowest, nullptr);
}

void ProbabilityVectors::route(const RouteRequest& q, CandidateList& out) const {
  if (q.here == q.destination) return consume(q, out);
  if (!FaultNetwork::contains(q.head_state)) {
    // If the fault network has no route, the message would have no escape channel later.
    if (!fault_network_.leads_on(q)) return;
    const std::uint32_t distance = cube_.lee_distance(q.here, q.destination);
    // Its hops are head_state − distance more than the distance from the source.
    if (q.head_state >= detour() + distance) return;
    if (loops_ && loops_->knows(q.here, q.destination)) return;
    const int port = next_hop(q, distance);
    if (port < 0) return;
    const KaryCube::Node next = cube_.neighbour(q.here, static_cast<unsigned>(port));
    out.push({.head_state = q.head_state + 1 + cube_.lee_distance(next, q.destination) - distance,
              .port = static_cast<PortId>(port),
              .vc_class = kPvAdaptive});
  }
  fault_network_.push(q, kPvEscape, 1, out);
}

RoutingEntry probability_vectors_routing() {
  return {
      .name = kPvName,
      .description =
          "around faults by probability vectors that neighbours exchange, and up*/down* on the escape "
          "channels; k-ary n-cubes: tori of equal radices",
      .reference = "[AlSadi03]",
      .structure = is_kary_cube,
      .options = {{.key = &kVectorBitsKey},
                  {.key = &kLoopLimitKey},
                  {.key = &kLearnKey},
                  {.key = &kReconfigurationOption}},
      .examples = {{.options = {{"vector_bits", std::int64_t{1}}}},
                   {.options = {{"loop_limit", "two-hops"}}},
                   {.options = {{"learn_from_loops", true}}},
                   {.options = {{"reconfiguration", "immediate"}}}},
      .default_selection = "most-free-vcs",
      .check = [](const Topology& t, const RoutingSettings&) { FaultNetwork::check_size(t, kPvName); },
      .properties = [](const Topology& t, const RoutingSettings& s) -> RoutingProperties {
        return {.adaptivity = Adaptivity::partial,
                .proof = DeadlockProof::escape_channels,
                .vc_classes = {"escape", "adaptive"},
                .virtual_channels = 2,
                .atomic_vc_reallocation = true,
                .extra_hops = greatest_up_down_detour(t),
                .tolerated_faults = t.dimensions() > 1 ? 1u : 0u,  // in a ring a message cannot turn back
                .vector_wires = static_cast<unsigned>(s.options.number(kVectorBitsKey)),
                .learns_from_loops = s.options.flag(kLearnKey)};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings& s) -> std::unique_ptr<RoutingFunction> {
        const bool printed = s.options.word(kLoopLimitKey) == "printed";
        return std::make_unique<ProbabilityVectors>(t, singles_then_rest(vcs, 1),
                                                    printed ? PvLoopLimit::printed : PvLoopLimit::two_hops);
      },
  };
}

}  // namespace flitmend
