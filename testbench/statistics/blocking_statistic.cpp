// SPDX-License-Identifier: Apache-2.0
// Where flits wait, and for what.
#include <cstdint>
#include <string>
#include <vector>

#include "base/text.h"
#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/mechanisms/circuits/circuits.h"
#include "testbench/statistics/optional_statistic.h"

namespace flitmend {
namespace {

/// Cycles in which a flit at the front of a buffer could have moved on, and did not.
struct Waits {
  std::uint64_t route = 0, vc = 0, acknowledgement = 0, credit = 0, grant = 0, link = 0;
  void visit(ResultsVisitor& v) const {
    v.value({"route", "cycles", "Heads whose route was due: no port leads on, because of faults."}, route);
    v.value({"vc", "cycles", "Heads with a route: no virtual channel was free, or others got it."}, vc);
    v.value({"acknowledgement", "cycles",
             "Flits behind a head that reserves their path (pipelined circuits, scouting): it is not "
             "reserved yet."},
            acknowledgement);
    v.value({"credit", "cycles",
             "Flits with a virtual channel: no room in the next buffer, or in the output buffer."},
            credit);
    v.value(
        {"switch", "cycles",
         "Flits with a virtual channel and room: the switch went to others, or without output buffers the "
         "link was busy."},
        grant);
    v.value({"link", "cycles", "Flits in output buffers, with room in the next buffer: the link was busy."},
            link);
  }
  Waits& operator+=(const Waits& more) {
    route += more.route;
    vc += more.vc;
    acknowledgement += more.acknowledgement;
    credit += more.credit;
    grant += more.grant;
    link += more.link;
    return *this;
  }
};

struct RouterWaits {
  std::string router;
  Waits waits = {};
  void visit(ResultsVisitor& v) const {
    v.value({"router", "", "Its name."}, router);
    waits.visit(v);
  }
};

struct VcWaits {
  std::uint64_t vc = 0;
  Waits waits = {};
  void visit(ResultsVisitor& v) const {
    v.value({"virtual_channel", "", "Its number, at each port."}, vc);
    waits.visit(v);
  }
};

/// Looks at every virtual channel with flits after each cycle. A flit that has arrived in a cycle could leave
/// in it. One that became the first of its buffer because another one left could not.
class BlockingStatistic final : public OptionalStatistic, private CycleObserver {
 public:
  explicit BlockingStatistic(const StatisticContext& context) : window_(context.window), channels_(1) {
    for (RouterId r = 0; r < context.topology.router_count(); ++r)
      routers_.push_back({context.topology.router_name(r)});
  }

  CycleObserver* cycle_observer(const Fabric& fabric) override {
    fabric_ = &fabric;
    channels_.resize(fabric.router(0).state().vcs());
    for (std::size_t vc = 0; vc < channels_.size(); ++vc) channels_[vc].vc = vc;
    for (RouterId r = 0; r < routers_.size(); ++r) {
      const RouterState& state = fabric.router(r).state();
      first_id_.push_back(front_.size());
      first_word_.push_back(before_.size());
      front_.resize(front_.size() + state.ids());
      if (state.layout().output_buffer > 0) output_front_.resize(front_.size());
      before_.resize(before_.size() + state.layout().vc_words);
    }
    return this;
  }
  void visit(ResultsVisitor& v) const override {
    v.begin_section(
        {"blocking", "",
         "Cycles that the first flits of buffers waited in the measured window, beyond the stages of "
         "the pipeline; with `statistics: {blocking: true}`. Not in routers of your own."});
    total().visit(v);
    visit_list(v, {"routers", "", "By router."}, routers_);
    visit_list(v, {"virtual_channels", "", "By virtual channel: of the input, or of the output buffer."},
               channels_);
    v.end_section();
  }
  std::string text() const override {
    const Waits sum = total();
    std::string text =
        formatted("blocking     %1% cycles for a route, %2% for a VC, %3% for a credit, %4% for the switch",
                  sum.route, sum.vc, sum.credit, sum.grant);
    if (sum.link > 0) text += formatted(", %1% for the link", sum.link);
    if (sum.acknowledgement > 0) text += formatted(", %1% for an acknowledgement", sum.acknowledgement);
    return text + "\n";
  }

 private:
  /// A mask word of a router after the last cycle in which it was evaluated.
  struct Before {
    Word occupied = 0, routed = 0, has_credit = 0;
  };

  Waits total() const {
    Waits sum;
    for (const RouterWaits& router : routers_) sum += router.waits;
    return sum;
  }
  void cycle_done(Cycle t, const Word* evaluated, const Word*, unsigned words) override {
    waiting_ = false;
    // A router with flits in its buffers is evaluated in every cycle.
    for_each_bit(evaluated, words, [&](unsigned r) { look(r, t); });
  }
  Cycle needed_after(Cycle t) const override { return waiting_ ? t + 1 : kNever; }

  void look(RouterId r, Cycle t) {
    const RouterState& state = fabric_->router(r).state();
    if (state.header().path == CyclePath::foreign) return;
    for (unsigned w = 0; w < state.layout().vc_words; ++w) {
      const VcMasks& masks = state.masks(w);
      Before& before = before_[first_word_[r] + w];
      waiting_ |= masks.occupied != 0;
      const Word flits = masks.occupied | before.occupied;
      for_each_bit(&flits, 1, [&](unsigned bit) {
        const unsigned id = w * kWordBits + bit;
        std::uint16_t& front = front_[first_id_[r] + id];
        const bool left = std::exchange(front, state.input(id).first) != front;
        if (window_.contains(t) && (masks.occupied >> bit & 1)) count(state, t, id, left, before, r);
      });
      before = {masks.occupied, masks.routed, masks.has_credit};
    }
    if (state.layout().output_buffer > 0) look_at_output_buffers(state, r, t);
  }

  void look_at_output_buffers(RouterState state, RouterId r, Cycle t) {
    const RouterLayout& layout = state.layout();
    for (unsigned id = 0; id < state.ids(); ++id) {
      const OutputBufferState& buffer = state.output_buffer(id);
      std::uint16_t& front = output_front_[first_id_[r] + id];
      const bool left = std::exchange(front, buffer.first) != front;
      if (buffer.count == 0) continue;
      waiting_ = true;
      const OutputSlot& slot = state.output_slot(id, buffer.first);
      if (left || slot.ready > t || !window_.contains(t)) continue;
      const unsigned credits = state.output(id).credits;
      const bool whole = layout.whole_messages() && credits < layout.input_buffer && is_head(slot.flit.kind);
      const bool room = credits > 0 && !(whole && credits < layout.messages[slot.flit.message].length);
      for (Waits* const waits : {&routers_[r].waits, &channels_[state.vc_of(id)].waits})
        ++(room ? waits->link : waits->credit);
    }
  }

  /// Whether a candidate of the head is not at a faulty port.
  static bool leads_on(const RouterState& state, unsigned id) {
    for (unsigned i = 0; i < state.route(id).candidates; ++i)
      if (!state.arbiter(state.candidates_of(id)[i].port).faulty) return true;
    return false;
  }

  void count(const RouterState& state, Cycle t, unsigned id, bool left, const Before& before, RouterId r) {
    const VcMasks& masks = state.masks(id / kWordBits);
    const Word bit = RouterState::bit_of(id);
    Waits* const both[] = {&routers_[r].waits, &channels_[state.vc_of(id)].waits};
    if (masks.pending & bit) {
      const HeadRoute& route = state.route(id);
      if (t < route.ready) return;
      const bool routed = route.stage == PipelineStage::vc_allocation && leads_on(state, id);
      if (!routed && route.stage != PipelineStage::routing && route.stage != PipelineStage::vc_allocation)
        return;
      for (Waits* const waits : both) ++(routed ? waits->vc : waits->route);
    } else if ((masks.routed & bit) && !left) {
      // An output buffer may have room only since the flit asked.
      const bool asked_before = state.layout().output_buffer > 0 && (before.routed & bit);
      const bool credit = (asked_before ? before.has_credit : masks.has_credit) & bit;
      const bool reserved =
          !state.layout().complementary || !(Circuits::masks(state, id / kWordBits).gated & bit);
      for (Waits* const waits : both)
        ++(!reserved ? waits->acknowledgement : credit ? waits->grant : waits->credit);
    }
  }

  MeasuredWindow window_;
  const Fabric* fabric_ = nullptr;
  std::vector<RouterWaits> routers_;
  std::vector<VcWaits> channels_;
  std::vector<std::size_t> first_id_, first_word_;  ///< by router, in the lists below
  std::vector<std::uint16_t> front_;                ///< the slot of the first flit
  std::vector<std::uint16_t> output_front_;         ///< likewise, of output buffers
  std::vector<Before> before_;
  bool waiting_ = false;  ///< there are flits in buffers
};

}  // namespace

StatisticEntry blocking_statistic() {
  return {
      .name = "blocking",
      .description =
          "Count the cycles that flits wait for a route, a virtual channel, a credit or the switch.",
      .make = [](const StatisticContext& c) -> std::unique_ptr<OptionalStatistic> {
        return std::make_unique<BlockingStatistic>(c);
      },
  };
}

}  // namespace flitmend
