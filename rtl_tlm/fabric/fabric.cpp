// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/fabric/fabric.h"

#include <algorithm>
#include <utility>

#include "rtl_tlm/fabric/fabric_registers.h"
#include "rtl_tlm/hierarchy/register_objects.h"
#include "rtl_tlm/signals/hierarchy_scope.h"
#include "rtl_tlm/sockets/socket_context.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

/// A network with at least that many bytes of registers is large: with the other data of a cycle they do not
/// fit a second-level cache. Odd cycles are then evaluated in reverse order, and registers are prefetched.
constexpr std::size_t kLarge = std::size_t{3} << 18;

bool any(const std::vector<Word>& mask) {
  return std::any_of(mask.begin(), mask.end(), [](Word word) { return word != 0; });
}

HardwareParameters fitted(const HardwareParameters& bare, const Topology& topology,
                          const RecoveryProtocol* recovery) {
  HardwareParameters hardware = recovery ? recovery->equipped(bare, topology) : bare;
  hardware.fit(topology);
  return hardware;
}

}  // namespace

Fabric::Fabric(sc_core::sc_module_name name, const Topology& topology, RoutingFunction& routing,
               const SelectionFunction& selection, const HardwareParameters& bare, std::uint64_t seed,
               const TransactionParameters& transactions, const RecoveryProtocol* recovery,
               const RouterFactory& foreign)
    : sc_module(name),
      clock("clock"),
      reset("reset"),
      context_{topology, routing, selection, fitted(bare, topology, recovery), seed, {}, {}},
      routing_(routing),
      socket_context_(transactions, context_, *this),
      words_(mask_words(topology.router_count())),
      ring_mask_(context_.hardware.ring - 1),
      active_(words_),
      wake_(std::size_t{context_.hardware.ring} * words_),
      interface_active_(words_),
      interface_flits_(wake_.size()),
      interface_credits_(wake_.size()),
      interface_asleep_(words_),
      interface_due_(words_, kNever),
      evaluated_(words_),
      arriving_(words_) {
  routing_.set_seed(seed);
  const HardwareParameters& hardware = context_.hardware;
  const ControlLineSet lines =
      hardware.lines_of_heads() |
      (recovery ? ControlLineSet{recovery->needs().control_lines} : ControlLineSet{0});
  const ControlLineSet interface_lines =
      recovery && recovery->needs().padding ? lines & lines_at_interfaces() : ControlLineSet{0};
  const RouterId routers = topology.router_count();
  const auto wake_of = [&](std::vector<Word>& wake, RouterId r) {
    return &wake[std::size_t{r} / kWordBits * hardware.ring];
  };
  const auto bit_of = [](RouterId r) { return Word{1} << (r % kWordBits); };
  // `parent`: null in a compact hierarchy.
  const auto make_channel = [&](sc_core::sc_module* parent, unsigned latency, unsigned credit_latency,
                                ControlLineSet present, unsigned flit_cycles = 1) {
    std::optional<HierarchyScope> scope;
    if (parent) scope.emplace(*parent);
    return std::make_unique<Channel>(parent ? "channel" : nullptr, latency, credit_latency, hardware.ring,
                                     present, flit_cycles);
  };

  routers_.reserve(routers);
  channels_.resize(routers);
  for (RouterId r = 0; r < routers; ++r) {
    routers_.push_back(std::make_unique<Router>(topology.router_name(r).c_str(), context_, r));
    routers_[r]->set_wake(wake_of(wake_, r), &active_[r / kWordBits], bit_of(r));
  }
  for (RouterId r = 0; r < routers; ++r)
    for (PortId port = 0; port < topology.port_count(r); ++port) {
      const auto far = topology.neighbour(r, port);
      channels_[r].push_back(nullptr);
      if (!far) continue;
      const unsigned own = topology.link_latency(r, port);
      const bool asks = hardware.switches_ask && topology.is_switch(r) && !topology.is_switch(far->router);
      const ControlLineSet present = asks ? lines | line_bit(ControlLine::request) : lines;
      const unsigned flit_cycles = cycles_per_flit(topology.link_width(r, port), hardware.link.flit_bits());
      channels_[r].back() = make_channel(
          routers_[r]->output_part(port), (own > 0 ? own : hardware.link.latency) + flit_cycles - 1,
          own > 0 ? hardware.link_credit_latency(own) : hardware.link_credit_latency(), present, flit_cycles);
      routers_[r]->connect_out(port, *channels_[r].back());
      routers_[far->router]->connect_in(far->port, *channels_[r].back());
    }
  for (NodeId node = 0; node < topology.node_count(); ++node) {
    Router& router = *routers_[node];
    const HierarchyScope router_scope(router);
    interfaces_.push_back(std::make_unique<NetworkInterface>("interface", context_, node));
    NetworkInterface& interface = *interfaces_.back();
    interface.set_wake({wake_of(interface_flits_, node), wake_of(interface_credits_, node),
                        &interface_active_[node / kWordBits], bit_of(node),
                        &interface_asleep_[node / kWordBits], &interface_due_[node / kWordBits]});
    const unsigned local = router.local_port();
    Channel* injection = nullptr;
    Channel* ejection = nullptr;
    if (hardware.network_interface.injection_latency > 0) {
      injection_.push_back(make_channel(context_.full_hierarchy() ? &interface.injector : nullptr,
                                        hardware.network_interface.injection_latency,
                                        hardware.injection_credit_latency(), interface_lines));
      injection = injection_.back().get();
      router.connect_in(local, *injection);
    }
    if (!hardware.network_interface.unlimited_ejection()) {
      ejection_.push_back(make_channel(router.output_part(local),
                                       hardware.network_interface.ejection_cycles(),
                                       hardware.ejection_credit_latency(), interface_lines));
      ejection = ejection_.back().get();
      router.connect_out(local, *ejection);
    }
    interface.bind(router, injection, ejection);
    const HierarchyScope interface_scope(interface);
    socket_context_.sockets.push_back(
        std::make_unique<NetworkSockets>("sockets", socket_context_, interface));
  }

  if (recovery) {
    unit_registers_ = recovery->unit_registers();
    for (auto& router : routers_) {
      const HierarchyScope scope(*router);
      units_.push_back(std::make_unique<RecoveryModule>("recovery", recovery->make_unit(*router)));
      router->attach(units_.back()->unit());
    }
  }
  wake_active_units();
  for (auto& router : routers_) routing_.read_registers(router->id(), router->state());
  if (recovery)
    for (auto& interface : interfaces_)
      if (auto ends = recovery->make_ends(*interface)) {
        interface->attach(*ends);
        ends_.push_back(std::move(ends));
      }

  if (foreign)
    for (RouterId r = 0; r < routers; ++r) add_foreign(r, foreign);
  wake_foreign();

  std::size_t hot = 0;
  for (auto& router : routers_) {
    states_.push_back(router->state());
    hot += router->state().layout().hot_bytes;
  }
  large_ = hot > kLarge;
  alternate_order(large_);
  if (context_.full_hierarchy()) {
    register_objects_ = std::make_unique<RegisterObjects>();
    visit_fabric(*register_objects_, this, *this);
  }
  SC_METHOD(on_clock);
  sensitive << clock.pos();
  dont_initialize();
}

Fabric::~Fabric() = default;

void Fabric::add_foreign(RouterId r, const RouterFactory& make) {
  auto boundary = std::make_unique<RouterBoundary>(*routers_[r], context_, clock);
  const HierarchyScope scope(*routers_[r]);
  auto router = make(*boundary);
  if (!router) return;
  boundary->attach(std::move(router));
  boundaries_.push_back(std::move(boundary));
}

void Fabric::wake_foreign() {
  for (const auto& boundary : boundaries_)
    active_[boundary->id() / kWordBits] |= Word{1} << (boundary->id() % kWordBits);
}

RouterBoundary* Fabric::boundary(RouterId id) {
  for (const auto& boundary : boundaries_)
    if (boundary->id() == id) return boundary.get();
  return nullptr;
}

void Fabric::end_of_elaboration() {
  if (const auto* source = dynamic_cast<const sc_core::sc_clock*>(clock.get_interface()))
    edges_.emplace(*source);
}

sc_core::sc_time Fabric::edge_time(Cycle cycle) const {
  if (!edges_)
    SC_REPORT_ERROR("flitmend/clock",
                    (std::string(name()) +
                     ": faults and traffic by the cycle need an sc_clock; bind one to the port clock")
                        .c_str());
  return edges_ ? edges_->at(cycle) : sc_core::SC_ZERO_TIME;
}

void Fabric::tell_held_back() const {
  for (const Message& message : held_back(socket_context_))
    for (MessageObserver* observer : context_.observers) observer->message_held_back(message);
}

void Fabric::on_clock() {
  evaluating_ = true;
  if (reset.size() > 0 && reset->read()) {
    clear();
    context_.next_cycle = cycle_ + 1;
  } else {
    evaluate(cycle_);
  }
  evaluated_in_ = sc_core::sc_delta_count();
  context_.traces.update();
  if (++cycle_ >= pause_at_ || (pause_when_empty_ && quiet())) sc_core::sc_pause();
}

Cycle Fabric::next_event() const {
  if (any(active_) || any(interface_active_) || context_.broken.changed() || context_.sources_stopped)
    return cycle_;
  const Cycle due = std::max(cycle_, *std::min_element(interface_due_.begin(), interface_due_.end()));
  const std::size_t ring = ring_mask_ + 1;
  for (std::size_t ahead = 0; ahead < ring && cycle_ + ahead < due; ++ahead)
    for (std::size_t w = 0, slot = (cycle_ + ahead) & ring_mask_; w < words_; ++w)
      if (wake_[w * ring + slot] | interface_flits_[w * ring + slot] | interface_credits_[w * ring + slot])
        return cycle_ + ahead;
  return due;
}

Cycle Fabric::idle_since() const {
  return any(evaluated_) ? cycle_ : idle_since_;
}

Cycle Fabric::idle_edges() {
  idle_since_ = idle_since();
  if (idle_since_ == cycle_ || !boundaries_.empty() || (reset.size() > 0 && reset->read())) return 0;
  Cycle next = std::min(next_event(), std::max<Cycle>(latest_pause_, 1) - 1);
  // Observers see what arrives one cycle earlier.
  if (!cycle_observers_.empty()) next -= next > cycle_;
  for (const CycleObserver* observer : cycle_observers_)
    next = std::min(next, observer->needed_after(cycle_ - 1));
  return next - std::min(next, cycle_);
}

void Fabric::pass(Cycle edges) {
  skip_to(cycle_ + edges);
  if (pause_at_ < latest_pause_) pause_at_ = std::min(pause_at_ + edges, latest_pause_);
}

void Fabric::evaluate_interfaces(Cycle t) {
  const std::size_t ring = ring_mask_ + 1;
  for (unsigned w = 0, words = mask_words(node_count()); w < words; ++w) {
    const std::size_t now = w * ring + (t & ring_mask_);
    const auto* const interfaces = &interfaces_[std::size_t{w} * kWordBits];
    const Word flits = std::exchange(interface_flits_[now], 0);
    const Word credits = std::exchange(interface_credits_[now], 0);
    for_each_bit(&flits, 1, [&](unsigned bit) { interfaces[bit]->receive_flit(t); });
    for_each_bit(&credits, 1, [&](unsigned bit) { interfaces[bit]->receive_credits(t); });
    if (t >= interface_due_[w]) [[unlikely]] {
      interface_active_[w] |= std::exchange(interface_asleep_[w], 0);
      interface_due_[w] = kNever;
    }
    const Word working = std::exchange(interface_active_[w], 0);
    evaluated_[w] = flits | credits | working;
    for_each_bit(&working, 1,
                 [&](unsigned bit) { interface_active_[w] |= Word{interfaces[bit]->evaluate(t)} << bit; });
  }
}

void Fabric::evaluate_routers(Cycle t, bool down) {
  const unsigned ring = ring_mask_ + 1;
  Word* arrived = &wake_[t & ring_mask_];
  for (unsigned i = 0; i < words_; ++i) {
    const unsigned w = down ? words_ - 1 - i : i;
    const Word now = std::exchange(active_[w], 0) | std::exchange(arrived[std::size_t{w} * ring], 0);
    evaluated_[w] |= now;
    active_[w] |= Router::evaluate(&states_[w * kWordBits], now, t, {down, large_});
  }
}

bool Fabric::set_threads(ThreadCount threads) {
  if (threads.most > 1 && (states_.size() < 2 || !RouterPartitions::possible(states_))) return false;
  threads_ = threads;
  return true;
}

// The wiring of the routers is known only now.
void Fabric::evaluate_partitions(Cycle t) {
  if (!partitions_) {
    partitions_ = std::make_unique<RouterPartitions>(
        context_, states_,
        RouterPartitions::Masks{ring_mask_ + 1, wake_, interface_flits_, interface_credits_}, threads_);
    now_.resize(words_);
  }
  const std::size_t ring = ring_mask_ + 1;
  for (unsigned w = 0; w < words_; ++w) {
    now_[w] = std::exchange(active_[w], 0) | std::exchange(wake_[w * ring + (t & ring_mask_)], 0);
    evaluated_[w] |= now_[w];
  }
  partitions_->evaluate(t, now_, active_, {alternate_ && (t & 1), large_});
}

void Fabric::evaluate(Cycle t) {
  context_.next_cycle = t + 1;
  std::fill(evaluated_.begin(), evaluated_.end(), Word{0});
  evaluate_interfaces(t);
  // No result depends on the order of routers. In a large network, alternating the direction reuses what the
  // previous cycle left in the cache.
  if (threads_.most > 1)
    evaluate_partitions(t);
  else
    evaluate_routers(t, alternate_ && (t & 1));
  for (const auto& boundary : boundaries_) boundary->cycle_done(t);
  if (!context_.delivered.empty()) tell_delivered(t);
  if (context_.broken.changed()) [[unlikely]]
    settle_broken(t);
  if (context_.sources_stopped) [[unlikely]]
    manage(t);
  evaluating_ = false;
  if (cycle_observers_.empty()) return;
  const std::size_t ring = ring_mask_ + 1;
  for (unsigned w = 0; w < words_; ++w) {
    const std::size_t next = w * ring + ((t + 1) & ring_mask_);
    arriving_[w] = wake_[next] | interface_flits_[next] | interface_credits_[next];
  }
  for (CycleObserver* observer : cycle_observers_)
    observer->cycle_done(t, evaluated_.data(), arriving_.data(), words_);
}

void Fabric::wake_active_units() {
  for (const auto& router : routers_)
    if (router->recovery_active()) set_bit(active_.data(), router->id());
}

void Fabric::clear() {
  for (auto& router : routers_) router->clear();
  for (auto& boundary : boundaries_) boundary->clear(cycle_);
  for (auto& interface : interfaces_) interface->clear();
  for (auto& channels : channels_)
    for (auto& channel : channels)
      if (channel) channel->reset();
  for (auto* side : {&injection_, &ejection_})
    for (auto& channel : *side) channel->reset();
  for (auto* mask :
       {&active_, &wake_, &interface_active_, &interface_flits_, &interface_credits_, &interface_asleep_})
    std::fill(mask->begin(), mask->end(), Word{0});
  std::fill(interface_due_.begin(), interface_due_.end(), kNever);
  wake_foreign();
  wake_active_units();
  context_.broken.clear();
  context_.delivered.clear();
  context_.flits_discarded = context_.flits_injected - context_.flits_consumed;
  // Senders are told only now that everything is empty: their responses are new traffic after the
  // reset.
  std::vector<MessageIndex> lost;
  context_.messages.for_each_in_use([&](MessageIndex index) { lost.push_back(index); });
  for (const MessageIndex index : lost) {
    const Message& message = context_.messages[index];
    const bool told =
        !ends_.empty() && (message.kind == MessageKind::control || message.original != kNoMessage ||
                           context_.messages.fields(index).delivered);
    if (told)  // unknown to observers, or already reported as delivered
      context_.messages.release(index);
    else
      interfaces_[message.source]->give_up(index, cycle_, &MessageObserver::message_discarded);
  }
  if (context_.sources_stopped) end_management();
  for (auto& interface : interfaces_) interface->restart_sink();
  evaluating_ = false;
  for (CycleObserver* observer : cycle_observers_) observer->fabric_cleared();
}

std::uint64_t Fabric::flit_hops() const {
  std::uint64_t sum = 0;
  for (const auto& router : routers_)
    for (unsigned port = 0; port < context_.topology.port_count(router->id()); ++port)
      sum += router->output(port).flits_sent();
  return sum;
}

}  // namespace flitmend
