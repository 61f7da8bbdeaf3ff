// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/fabric/router_partitions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <system_error>
#include <systemc>

#include "base/text.h"
#include "rtl_tlm/context.h"
#include "rtl_tlm/node/network_interface.h"
#include "rtl_tlm/router/router.h"

namespace flitmend {
namespace {

/// A cycle with fewer routers per thread is shorter on one thread.
constexpr unsigned kFewestRouters = 2;
/// Partitions with at least that many words of routers begin with a whole word.
constexpr std::size_t kManyWords = 4;

/// Whether the router's cycle may touch what routers share, besides their channels.
bool touches_shared(const RouterState& state) {
  const RouterHeader& h = state.header();
  if (h.any_control || h.any_absorbing || h.recovery_active || h.hooks || h.path == CyclePath::foreign)
    return true;
  for (const MechanismHooks* mechanism : state.layout().mechanisms)
    if (mechanism->touches_shared && mechanism->touches_shared(state)) return true;
  return false;
}

/// Of one thread if the system refuses more.
std::unique_ptr<WorkerPool> pool_of(unsigned threads) {
  try {
    return std::make_unique<WorkerPool>(threads);
  } catch (const std::system_error& error) {
    SC_REPORT_WARNING("flitmend/threads",
                      formatted("the system refuses %1% threads (%2%), so there is one; ask for fewer",
                                threads, error.what())
                          .c_str());
    return std::make_unique<WorkerPool>(1);
  }
}

}  // namespace

// Held paths are searched by heads that look at what neighbours send, and units with hooks act on each
// message.
bool RouterPartitions::possible(std::span<const RouterState> routers) {
  return std::ranges::none_of(routers, [](const RouterState& state) {
    return state.layout().complementary || state.header().hooks != 0;
  });
}

RouterPartitions::RouterPartitions(NetworkContext& context, std::span<const RouterState> routers,
                                   const Masks& masks, ThreadCount threads)
    : broken_(context.broken), routers_(routers) {
  if (threads.measured) trial_.emplace();
  const auto most = static_cast<unsigned>(std::min<std::size_t>(threads.most, routers.size()));
  const std::vector<RouterId> begins = bounds(most);
  for (std::size_t p = 0; p + 1 < begins.size(); ++p) add(begins[p], begins[p + 1], context);
  for (const auto& partition : partitions_)
    for (RouterId r = partition->first; r < partition->end; ++r) redirect(*partition, r, masks);
}

RouterPartitions::~RouterPartitions() = default;

// The work of a router grows with its ports.
std::vector<RouterId> RouterPartitions::bounds(unsigned partitions) const {
  std::uint64_t total = 0;
  for (const RouterState& state : routers_) total += state.ports();
  const std::size_t step = routers_.size() / partitions >= kManyWords * kWordBits ? kWordBits : 1;
  std::vector<RouterId> bounds{0};
  std::uint64_t before = 0;
  for (std::size_t r = 0; r < routers_.size(); ++r) {
    const bool due = before * partitions >= total * bounds.size();
    if (due && r % step == 0 && r > bounds.back()) bounds.push_back(static_cast<RouterId>(r));
    before += routers_[r].ports();
  }
  bounds.push_back(static_cast<RouterId>(routers_.size()));
  return bounds;
}

void RouterPartitions::add(RouterId first, RouterId end, NetworkContext& context) {
  partitions_.push_back(std::make_unique<Partition>(first, end, context.hardware.ring));
  Partition& p = *partitions_.back();
  const RouterId base = first / kWordBits * kWordBits;
  p.routers.resize(base < first ? first - base : 0);
  for (RouterId r = first; r < end; ++r) {
    const RouterLayout& shared = routers_[r].layout();
    std::unique_ptr<RouterLayout>& own = p.layouts[&shared];
    if (!own) {
      own = std::make_unique<RouterLayout>(context, static_cast<unsigned>(shared.ports),
                                           shared.local_port != RouterLayout::kNoPort);
      own->scratch.postponed = &p.postponed;
    }
    p.routers.push_back(routers_[r].with(*own));
  }
  p.active.resize((end - 1) / kWordBits - first / kWordBits + 1);
  p.alone.resize(p.active.size());
}

bool RouterPartitions::owns(const Partition& p, const Masks& masks, const Word* ring) const {
  for (const std::span<Word> all : {masks.routers, masks.interface_flits, masks.interface_credits}) {
    if (!std::less_equal<>()(all.data(), ring) || !std::less<>()(ring, all.data() + all.size())) continue;
    const std::size_t first = static_cast<std::size_t>(ring - all.data()) / masks.ring * kWordBits;
    return p.first <= first && std::min(first + kWordBits, routers_.size()) <= p.end;
  }
  return false;  // words that nobody reads
}

void RouterPartitions::redirect(Partition& p, RouterId r, const Masks& masks) {
  RouterState state = routers_[r];
  const auto cut = [&](Word*& wake, std::uint8_t& bit, std::span<Word** const> rings) {
    if (wake && !owns(p, masks, wake)) p.cut.redirect(wake, bit, rings);
  };
  for (unsigned number = 0; number < state.ports(); ++number) {
    PortState& port = state.port(number);
    if (port.out_vcs) cut(port.out_wake, port.out_wake_bit, std::array{&port.out_vcs});
    if (port.in_vcs) cut(port.in_wake, port.in_wake_bit, std::array{&port.in_vcs});
    if (!state.layout().has<rows::MaskWiring>()) continue;
    MaskWires& wires = state.mask_wires(number);
    std::vector<Word**> lines;
    for (Word*& line : wires.rings)
      if (line) lines.push_back(&line);
    if (!lines.empty()) cut(wires.wake, wires.wake_bit, lines);
  }
}

void RouterPartitions::evaluate(Partition& p, Cycle t, const Word* now, RouterTurns turns) const {
  const RouterId first_word = p.first / kWordBits;
  const auto words = static_cast<RouterId>(p.active.size());
  for (RouterId i = 0; i < words; ++i) {
    const RouterId w = turns.down ? words - 1 - i : i;
    const RouterId base = (first_word + w) * kWordBits;
    Word mine = now[first_word + w];
    if (base < p.first) mine &= ~low_bits(p.first - base);
    if (p.end - base < kWordBits) mine &= low_bits(p.end - base);
    const RouterState* const states = p.routers.data() + std::size_t{w} * kWordBits;
    Word alone = 0;
    for_each_bit(&mine, 1, [&](unsigned bit) { alone |= Word{touches_shared(states[bit])} << bit; });
    p.alone[w] = alone;
    p.active[w] = Router::evaluate(states, mine & ~alone, t, turns);
  }
}

void RouterPartitions::evaluate(Cycle t, std::span<const Word> now, std::span<Word> active,
                                RouterTurns turns) {
  unsigned routers = 0;
  for (const Word word : now) routers += static_cast<unsigned>(std::popcount(word));
  const auto one = [&](unsigned i) {
    Partition& p = *partitions_[i];
    evaluate(p, t, now.data(), turns);
  };
  bool enough = routers >= kFewestRouters * partitions();
  if (enough && !pool_) pool_ = pool_of(partitions());  // before it is timed
  enough = enough && pool_->threads() == partitions();
  const bool tried = trial_ && enough;
  const bool threaded = tried ? trial_->begin(routers) : enough;
  if (threaded) {
    pool_->run(one);
    ++threaded_cycles_;
  } else {
    for (unsigned i = 0; i < partitions(); ++i) one(i);
  }
  evaluate_rest(t, active);
  if (tried) trial_->end();
}

// In the order in which one thread would do it.
void RouterPartitions::evaluate_rest(Cycle t, std::span<Word> active) {
  for (const auto& p : partitions_) {
    auto next = p->postponed.ejections.begin();
    const auto eject_before = [&](RouterId end) {
      for (; next != p->postponed.ejections.end() && next->router < end; ++next)
        routers_[next->router].header().interface->eject(t, next->arrival, next->flit);
    };
    for (std::size_t i = 0, w = p->first / kWordBits; i < p->active.size(); ++i, ++w) {
      Word still = p->active[i];
      for (Word rest = p->alone[i]; rest; rest &= rest - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(rest));
        const auto r = static_cast<RouterId>(w * kWordBits + bit);
        eject_before(r);
        still |= Word{Router::evaluate(routers_[r], t)} << bit;
      }
      active[w] |= still;
    }
    eject_before(p->end);
    p->postponed.ejections.clear();
  }
  for (const auto& p : partitions_) {
    p->cut.deliver();
    for (const MessageIndex message : p->postponed.unreachable) broken_.give_up(message);
    p->postponed.unreachable.clear();
  }
}

}  // namespace flitmend
