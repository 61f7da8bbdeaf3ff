// SPDX-License-Identifier: Apache-2.0
// Compiled with -fno-access-control: it must see the private registers of all classes.
#include "exploration/search/forget_history.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <type_traits>

#include "exploration/search/arena.h"
#include "protocols/recovery/apcs/ends.h"
#include "protocols/recovery/fcr/ends.h"
#include "protocols/recovery/finished_ids.h"
#include "protocols/recovery/kept_messages.h"
#include "protocols/recovery/reassembly.h"
#include "protocols/recovery/sbrp/ends.h"
#include "protocols/recovery/sbrp/parameters.h"
#include "rtl_tlm/mechanisms/copies/injector_copies.h"
#include "rtl_tlm/mechanisms/tail_signals/injector_shadows.h"
#include "testbench/scoreboard/scoreboard.h"

namespace flitmend {
namespace {

/// What no cycle reads, padding included.
template <class T>
void wipe(T& dead) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::memset(static_cast<void*>(&dead), 0, sizeof dead);
}

/// The padding of a structure contains what was in its memory before.
template <class T>
void wipe_padding([[maybe_unused]] T& value) {
#if __has_builtin(__builtin_clear_padding)
  if constexpr (std::is_trivially_copyable_v<T>) __builtin_clear_padding(&value);
#endif
}

/// What is behind the end of a vector; the memory of an empty one.
template <class T>
void tidy(std::vector<T>& v) {
  if (v.empty())
    std::vector<T>().swap(v);
  else if constexpr (std::is_trivially_copyable_v<T>)
    std::memset(static_cast<void*>(v.data() + v.size()), 0, (v.capacity() - v.size()) * sizeof(T));
}

class Forgetting {
 public:
  explicit Forgetting(SearchedNetwork& network)
      : fabric_(network.fabric()),
        context_(fabric_.context()),
        now_(context_.next_cycle),
        network_(network) {}

  /// Everything. Returns what stands for the memory that has been given back: the content of vectors, whose
  /// address and capacity depend on the past.
  Digest all() {
    for (auto& router : fabric_.routers_) forget(router->state_);
    for (auto& channels : fabric_.channels_)
      for (auto& channel : channels)
        if (channel) forget(*channel);
    for (auto* side : {&fabric_.injection_, &fabric_.ejection_})
      for (auto& channel : *side)
        if (channel) forget(*channel);
    for (auto& interface : fabric_.interfaces_) forget(*interface);
    renumber_requests();
    for (auto& ends : fabric_.ends_) settle_timers(*ends);
    forget_wakings();
    for (auto& ends : fabric_.ends_) forget(*ends);
    forget(context_.messages);
    forget_counters();
    forget_fabric();
    forget(network_.scoreboard());
    return folded_;
  }

  void forget_protocols() {
    std::fill(fabric_.interface_due_.begin(), fabric_.interface_due_.end(), Cycle{0});
    for (auto& ends : fabric_.ends_)
      if (auto* const sbrp = dynamic_cast<sbrp::Ends*>(ends.get()))
        std::memset(static_cast<void*>(sbrp), 0, sizeof *sbrp);
  }

 private:
  /// The elements count, and not where they are.
  template <class T>
  void fold(std::vector<T>& v) {
    static_assert(std::is_trivially_destructible_v<T>);
    for (T& element : v) wipe_padding(element);
    std::array<std::uint64_t, 64> words;
    const auto* next = reinterpret_cast<const char*>(v.data());
    std::uint64_t seed = ++folds_ << 32 | v.size();
    for (std::size_t left = v.size() * sizeof(T), n = 0; left > 0; left -= n, next += n) {
      n = std::min(left, sizeof words);
      words.back() = 0;
      words[(n - 1) / sizeof(std::uint64_t)] = 0;
      std::memcpy(words.data(), next, n);
      const Digest part = digest_of(words.data(), (n + 7) / 8, seed);
      folded_.add(part);
      seed = part.low;
    }
    if (v.empty()) folded_.add(digest_of(&seed, 1, 2));
    std::vector<T>().swap(v);
  }
  template <class T>
  void fold(RingQueue<T>& queue) {
    std::rotate(queue.ring_.begin(), queue.ring_.begin() + static_cast<std::ptrdiff_t>(queue.first_),
                queue.ring_.end());
    queue.ring_.resize(queue.size_);
    fold(queue.ring_);
    queue.first_ = 0;
  }
  template <class T>
  void fold(IdRing<T>& ids) {
    std::vector<T> entries;
    for (std::uint32_t id = ids.first_; id != ids.next(); ++id) entries.push_back(ids[id]);
    fold(entries);
    std::vector<T>().swap(ids.ring_);
    if (ids.empty()) ids.first_ = 0;
  }
  void fold(std::vector<FinishedIds>& finished) {
    std::vector<std::uint64_t> words;
    for (const FinishedIds& ids : finished) {
      words.insert(words.end(), {ids.word_, ids.first_, ids.ring_.size()});
      words.insert(words.end(), ids.ring_.begin(), ids.ring_.end());
    }
    fold(words);
    std::vector<FinishedIds>().swap(finished);
  }
  void fold(std::vector<sbrp::ReceivingEnd::Open>& messages) {
    std::vector<std::uint64_t> words;
    for (const auto& open : messages) {
      const Reassembly& data = open.data;
      words.insert(words.end(), {open.source, open.id, open.length, open.sub_message, open.times_asked,
                                 open.ask_due, data.missing_, data.bits_.size()});
      words.insert(words.end(), data.bits_.begin(), data.bits_.end());
    }
    fold(words);
    std::vector<sbrp::ReceivingEnd::Open>().swap(messages);
  }

  // --- Routers ---

  void forget(RouterState& state) {
    const RouterLayout& layout = state.layout();
    for (unsigned id = 0; id < state.ids(); ++id)
      if (!state.in_use(id) && state.input(id).count == 0)
        forget_idle_input(state, id);
      else
        forget_input_slots(state, id);
    wipe(state.output(state.ids()));  // the dummy that belongs to no output
    const Word* const control = state.row<rows::Control>();
    state.header().any_control =
        std::any_of(control, control + rows::Control::count(layout), [](Word word) { return word != 0; });
    for (unsigned p = 0; p < state.ports(); ++p) {
      PortState& port = state.port(p);
      port.flits_sent = 0;
      if (!context_.is_last_cycle(port.granted_at())) port.granted = PortState{}.granted;
    }
    if (layout.output_buffer > 0)
      for (unsigned id = 0; id < state.ids(); ++id) forget_output_slots(state, id);
    if (layout.has<rows::TailWords>()) forget_tails(state);
    if (layout.has<rows::CopyWords>()) forget_copies(state);
    if (layout.has<rows::CircuitPorts>())
      for (unsigned p = 0; p < state.ports(); ++p) state.row<rows::CircuitPorts>()[p].control_flits = 0;
    if (layout.has<rows::PadsArrived>()) state.pads_arrived() = 0;
    if (layout.has<rows::NarrowPorts>())
      for (unsigned p = 0; p < state.ports(); ++p) {
        Cycle& from = state.row<rows::NarrowPorts>()[p].free_from;
        if (from <= now_) from = 0;
      }
  }

  /// No message is in it, and no copy: the next flit is a head, which sets all of this.
  void forget_idle_input(RouterState& state, unsigned id) {
    const RouterLayout& layout = state.layout();
    InputVcState& input = state.input(id);
    input.first = 0;
    input.flits_sent = 0;
    for (unsigned place = 0; place < layout.input_slots; ++place) state.input_buffer_at(id, place) = Flit{};
    wipe(state.route(id));
    std::memset(static_cast<void*>(state.candidates_of(id)), 0,
                layout.max_candidates * sizeof(RouteCandidate));
    if (layout.has_head_copies) wipe(state.head_copy(id));
    if (layout.has<rows::KillTimers>()) state.row<rows::KillTimers>()[id] = 0;
  }

  /// Slots without a flit and without a copy of one, but for the last flit that arrived. And where in the
  /// ring the buffer begins.
  static void forget_input_slots(RouterState& state, unsigned id) {
    const auto slots = static_cast<unsigned>(state.layout().input_slots);
    InputVcState& input = state.input(id);
    const unsigned before = std::max(state.sent_slots(id), 1u);
    std::vector<Flit> flits(slots, Flit{0, 0, FlitKind::none, 0});
    for (unsigned i = 0; i < slots; ++i)
      if (i < input.count || i + before >= slots)
        flits[i] = state.input_buffer_at(id, (input.first + i) % slots);
    for (unsigned i = 0; i < slots; ++i) state.input_buffer_at(id, i) = flits[i];
    input.first = 0;
  }

  static void forget_output_slots(RouterState& state, unsigned id) {
    const auto slots = static_cast<unsigned>(state.layout().output_buffer);
    OutputBufferState& buffer = state.output_buffer(id);
    if (buffer.count == 0) buffer.first = 0;
    for (unsigned i = buffer.count; i < slots; ++i) wipe(state.output_slot(id, (buffer.first + i) % slots));
  }

  static void forget_copies(RouterState& state) {
    for (unsigned w = 0; w < state.layout().vc_words; ++w) state.row<rows::CopyWords>()[w].signals = 0;
    for (unsigned id = 0; id < state.ids(); ++id)
      if (!(state.row<rows::CopyWords>()[id / kWordBits].renaming & RouterState::bit_of(id)))
        wipe(state.row<rows::Renames>()[id]);
  }

  static void forget_tails(RouterState& state) {
    const RouterLayout& layout = state.layout();
    for (unsigned w = 0; w < layout.vc_words; ++w) {
      TailGates& gates = state.row<rows::TailWords>()[w];
      gates.waits = gates.cycles = gates.received = gates.gone = 0;
    }
    for (unsigned id = 0; id < state.ids(); ++id) {
      const VcMask lingering = state.row<rows::TailPorts>()[state.port_of(id)].lingering;
      TailShadow& shadow = state.row<rows::TailShadows>()[id];
      lingering >> state.vc_of(id) & 1 ? wipe_padding(shadow) : wipe(shadow);
    }
  }

  void forget(Channel& channel) {
    channel.pulses_ = {};
    if (now_ >= channel.status_from_) {
      channel.status_from_ = 0;
      channel.status_before_ = channel.status_;
    }
    for (unsigned slot = 0; slot <= channel.flits_.mask; ++slot)
      if (!(channel.flits_.vcs[slot] & channel.all_flits_) && !channel.beside_vcs(slot))
        channel.flits_.registers[slot] = Flit{};
  }

  // --- Interfaces ---

  void forget(NetworkInterface& interface) {
    Injector& injector = interface.injector;
    injector.last_flit_ = Flit{};
    injector.last_word_ = 0;
    injector.last_flit_at_ = kNever;
    for (Injector::Lane& lane : injector.lanes_) {
      if (lane.rests_until <= now_) lane.rests_until = 0;
      if (lane.deaf_until <= now_) lane.deaf_until = 0;
      if (lane.message != kNoMessage) continue;
      lane.next = lane.length = lane.first_pad = 0;
      lane.cut_short = false;
      lane.message_class = 0;
      lane.sent_at = 0;
    }
    for (auto& queue : injector.queues_) fold(queue);
    if (auto* const shadows = dynamic_cast<InjectorShadows*>(injector.mechanism())) {
      shadows->waits_ = {};
      for (unsigned vc = 0; vc < shadows->shadows_.size(); ++vc)
        shadows->shadow(vc) ? wipe_padding(shadows->shadows_[vc]) : wipe(shadows->shadows_[vc]);
    }
    if (auto* const copies = dynamic_cast<InjectorCopies*>(injector.mechanism()))
      for (auto& packets : copies->packets_) fold(packets);
    Receiver& receiver = interface.receiver;
    receiver.last_flit_ = Flit{};
    receiver.last_word_ = 0;
    receiver.last_source_ = 0;
    receiver.last_id_ = 0;
    receiver.last_flit_at_ = receiver.ended_at_ = kNever;
    for (auto& flits : receiver.on_the_way_) fold(flits);
    for (auto& flits : receiver.kept_) fold(flits);
    for (auto& ends : receiver.ends_) fold(ends);
    fold(interface.absorbed_);
    for (unsigned slot = 0; slot < context_.hardware.ring; ++slot)
      interface.arriving(NetworkInterface::Arriving::control)[slot] = 0;  // nobody reads it
  }

  /// Timers that no longer count, and cycles before which none ends although the next one ends later.
  static void settle_timers(InterfaceRecovery& recovery) {
    if (auto* const sbrp = dynamic_cast<sbrp::Ends*>(&recovery)) {
      settle_timers(sbrp->sender_.messages_);
      Cycle next = kNever;
      for (const auto& pending : sbrp->requester_.pending_) next = std::min(next, pending.due);
      sbrp->requester_.next_due_ = next;
      next = kNever;
      for (const auto& open : sbrp->receiver_.open_) next = std::min(next, open.ask_due);
      sbrp->receiver_.next_due_ = next;
    } else if (auto* const fcr = dynamic_cast<fcr::Ends*>(&recovery)) {
      settle_timers(fcr->sender_.messages_);
    } else if (auto* const apcs = dynamic_cast<apcs::Ends*>(&recovery)) {
      settle_timers(apcs->sender_.messages_);
    }
  }
  template <class Entry>
  static void settle_timers(KeptMessages<Entry>& kept) {
    auto& timers = kept.timers_.c;
    std::erase_if(timers, [&](const auto& timer) {
      const Entry* const entry = kept.find(timer.second);
      return !entry || entry->due != timer.first;
    });
    std::sort(timers.begin(), timers.end());  // a sorted heap
  }

  void forget(InterfaceRecovery& recovery) {
    if (auto* const sbrp = dynamic_cast<sbrp::Ends*>(&recovery)) {
      forget(sbrp->sender_.messages_);
      fold(sbrp->sender_.inbox_);
      fold(sbrp->receiver_.arriving_);
      fold(sbrp->receiver_.open_);
      fold(sbrp->receiver_.finished_);
      tidy(sbrp->receiver_.requests);
      fold(sbrp->requester_.pending_);
    } else if (auto* const fcr = dynamic_cast<fcr::Ends*>(&recovery)) {
      forget(fcr->sender_.messages_);
      fold(fcr->receiver_.arriving_);
      fold(fcr->receiver_.finished_);
      fold(fcr->torn_down_);
    } else if (auto* const apcs = dynamic_cast<apcs::Ends*>(&recovery)) {
      forget(apcs->sender_.messages_);
      fold(apcs->finished_);
    }
  }

  /// Nodes number their requests; only whether two numbers are equal matters. They count from the next one.
  void renumber_requests() {
    std::vector<sbrp::Ends*> nodes;
    for (auto& ends : fabric_.ends_) nodes.push_back(dynamic_cast<sbrp::Ends*>(ends.get()));
    if (nodes.empty() || !nodes.front()) return;
    const auto count_from = [&](std::uint16_t& number, NodeId requester) {
      number = static_cast<std::uint16_t>(number - nodes[requester]->requester_.next_number_);
    };
    context_.messages.for_each_in_use([&](MessageIndex i) {
      const Message& message = context_.messages[i];
      if (message.kind != MessageKind::control) return;
      ProtocolFields& fields = context_.messages.fields(i);
      if (fields.control == sbrp::kRequest) count_from(fields.request, message.source);
      if (fields.control == sbrp::kAcknowledgement) count_from(fields.request, message.destination);
    });
    for (NodeId node = 0; node < nodes.size(); ++node) {
      auto& inbox = nodes[node]->sender_.inbox_;
      for (std::size_t i = 0; i < inbox.size(); ++i)
        if (auto& received = const_cast<sbrp::SendingEnd::Received&>(inbox[i]); !received.own)
          count_from(received.number, received.requester);
      for (auto& pending : nodes[node]->requester_.pending_) count_from(pending.number, node);
    }
    for (auto* const node : nodes) node->requester_.next_number_ = 0;
  }

  template <class Entry>
  void forget(KeptMessages<Entry>& kept) {
    fold(kept.timers_.c);
    fold(kept.ring_);
    fold(kept.waiting_);
    kept.memory_.bytes_ = kept.memory_.assumed_bytes_ = 0;
    kept.memory_.expiry_.due_.c.clear();
    tidy(kept.memory_.expiry_.due_.c);
  }

  // --- What all share ---

  void forget(MessagePool& pool) {
    std::sort(pool.free_.begin(), pool.free_.end(), std::greater<>());
    const bool ages_count = context_.hardware.classes.ordered();
    std::vector<std::uint64_t> losses;
    pool.for_each_in_use([&](MessageIndex i) {
      Message& message = pool[i];
      if (message.injected != kNever) message.injected = 0;  // statistics ask when, senders whether
      message.hops = 0;
      if (!ages_count && (message.original != kNoMessage || message.kind == MessageKind::control))
        message.created = 0;  // a packet is queued at once
      if (!message.incomplete) return;
      // Only the difference of the two numbers matters, and whether a fault has hit it.
      const MessageLoss& loss = pool.loss(i);
      losses.insert(losses.end(), {i, std::uint64_t{loss.gone} - loss.appended, loss.hit != kNever,
                                   loss.waited_in, loss.unreachable, loss.delivered, loss.listed});
    });
    for (const MessageIndex i : pool.free_) {
      const std::size_t block = i >> MessagePool::kBlockBits;
      pool[i] = Message{};
      if (block < pool.fields_.size() && pool.fields_[block]) pool.fields(i) = ProtocolFields{};
    }
    fold(losses);
    decltype(pool.losses_)().swap(pool.losses_);
    fold(pool.free_);
  }

  void forget_counters() {
    context_.fault_changes = 0;  // caches compare it; with them or without, the answer is the same
    if (context_.hardware.vector_elements == 0) context_.last_fault_change = 0;
    context_.flits_injected -= context_.flits_consumed + context_.flits_discarded;
    context_.flits_consumed = context_.flits_discarded = 0;
    context_.absorptions = 0;
    const RecoveryCounters counters = context_.recovery_counters;
    context_.recovery_counters = {};
    context_.recovery_counters.retransmissions = counters.retransmissions > 0;
    context_.recovery_counters.guard_repaired = counters.guard_repaired > 0;
    context_.management_counters = {};
    tidy(context_.delivered);
    fold(context_.broken.changed_);
    fold(context_.broken.hits_);
  }

  /// When the interfaces that sleep are woken: an earlier cycle changes nothing.
  void forget_wakings() {
    for (std::size_t w = 0; w < fabric_.interface_asleep_.size(); ++w) {
      Cycle due = kNever;
      for_each_bit(&fabric_.interface_asleep_[w], 1, [&](unsigned bit) {
        due = std::min(due, fabric_.ends_[w * kWordBits + bit]->next_due());
      });
      fabric_.interface_due_[w] = due;
    }
  }

  void forget_fabric() {
    if (fabric_.unseen_before_ != now_) {
      fabric_.unseen_.clear();
      tidy(fabric_.unseen_);
      fabric_.unseen_before_ = 0;
    }
    fabric_.idle_since_ = 0;
    std::fill(fabric_.evaluated_.begin(), fabric_.evaluated_.end(), Word{0});
    std::fill(fabric_.arriving_.begin(), fabric_.arriving_.end(), Word{0});
  }

  static void forget(Scoreboard& scoreboard) {
    MessageResults& messages = scoreboard.messages_;
    messages.hit = messages.hit > 0;
    messages.recovered = 0;
  }

  Fabric& fabric_;
  NetworkContext& context_;
  Cycle now_;  ///< the cycle that comes next
  SearchedNetwork& network_;
  std::uint64_t folds_ = 0;
  Digest folded_;
};

}  // namespace

void lighten(Scoreboard& scoreboard) {
  scoreboard.next_ = nullptr;
  decltype(scoreboard.slots_)(1).swap(scoreboard.slots_);
}

Digest forget_history(SearchedNetwork& network) {
  Arena::Inside inside;
  return Forgetting(network).all();
}

void forget_protocols(SearchedNetwork& network) {
  Forgetting(network).forget_protocols();
}

}  // namespace flitmend
