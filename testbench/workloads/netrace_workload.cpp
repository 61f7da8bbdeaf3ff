// SPDX-License-Identifier: Apache-2.0
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "testbench/workloads/refused_keys.h"
#include "testbench/workloads/workload.h"
#include "traces/netrace/replay.h"

namespace flitmend {
namespace {

/// Replays a Netrace file with its dependencies: one TLM-2.0 initiator per node, one schedule for all. A
/// packet that waited for a delivery in cycle t is created in cycle t + 1, the first edge after it. The
/// simulation pauses in the cycle in which the last packet is delivered or abandoned.
class NetracePlayer : public sc_core::sc_module {
 public:
  using Socket = tlm_utils::simple_initiator_socket_tagged<NetracePlayer>;
  sc_core::sc_vector<Socket> sockets;  ///< one per node

  SC_HAS_PROCESS(NetracePlayer);
  NetracePlayer(sc_core::sc_module_name, Fabric&, PayloadPool&, NetraceReplay&,
                std::uint64_t node_address_bytes);
  const char* kind() const override { return "flitmend_netrace_player"; }

  bool finished() const { return replay_.finished(); }
  /// At the end of a run: reports the packets that were ready but not handed over because the source queue
  /// was full.
  void tell_held_back(MessageObserver&) const;

 private:
  void play();
  void send(const NetraceReplay::Packet&);
  void answer(tlm::tlm_generic_payload&);
  tlm::tlm_sync_enum nb_transport_bw(int node, tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);

  Fabric& fabric_;
  PayloadPool& payloads_;
  NetraceReplay& replay_;
  std::uint64_t address_bytes_;
  /// By node: for room in the source queue. `ready` is the cycle of their creation.
  std::vector<RingQueue<NetraceReplay::Packet>> waiting_;
  std::vector<bool> blocked_;
  sc_core::sc_event wake_;
};

NetracePlayer::NetracePlayer(sc_core::sc_module_name name, Fabric& fabric, PayloadPool& payloads,
                             NetraceReplay& replay, std::uint64_t node_address_bytes)
    : sc_module(name),
      sockets("sockets", fabric.node_count()),
      fabric_(fabric),
      payloads_(payloads),
      replay_(replay),
      address_bytes_(node_address_bytes),
      waiting_(fabric.node_count()),
      blocked_(fabric.node_count()) {
  for (unsigned node = 0; node < sockets.size(); ++node)
    sockets[node].register_nb_transport_bw(this, &NetracePlayer::nb_transport_bw, static_cast<int>(node));
  SC_METHOD(play);
  sensitive << wake_;
}

void NetracePlayer::play() {
  const Cycle now = fabric_.next_cycle();
  while (auto packet = replay_.pop(now)) {
    packet->ready = now;
    if (blocked_[packet->source])
      waiting_[packet->source].push(*packet);
    else
      send(*packet);
  }
  if (const Cycle next = replay_.next_cycle(); next != kNever)
    wake_.notify(fabric_.edge_time(std::max(next, now + 1)) - sc_core::sc_time_stamp());
}

void NetracePlayer::send(const NetraceReplay::Packet& packet) {
  // The trace's own address selects the place within the node's range.
  const std::uint64_t range = address_bytes_ > packet.bytes ? address_bytes_ - packet.bytes + 1 : 0;
  const std::uint64_t base = packet.destination * address_bytes_;
  tlm::tlm_generic_payload* payload = nullptr;
  if (range == 0) {
    payload = payloads_.acquire_message(base, packet.length);
  } else {
    payload = payloads_.acquire(tlm::TLM_WRITE_COMMAND, base + packet.address % range, packet.bytes);
    for (std::uint32_t at = 0; at < packet.bytes; at += sizeof packet.id)
      std::memcpy(payload->get_data_ptr() + at, &packet.id,
                  std::min<std::size_t>(sizeof packet.id, packet.bytes - at));
  }
  MessageExtension& extension = *payload->get_extension<MessageExtension>();
  extension.tag = packet.handle;
  extension.created = packet.ready;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  switch (sockets[packet.source]->nb_transport_fw(*payload, phase, delay)) {
    case tlm::TLM_COMPLETED:
      answer(*payload);
      break;
    case tlm::TLM_ACCEPTED:
      blocked_[packet.source] = true;
      break;
    case tlm::TLM_UPDATED:
      break;
  }
}

void NetracePlayer::answer(tlm::tlm_generic_payload& payload) {
  const std::uint32_t handle = payload.get_extension<MessageExtension>()->tag;
  const Cycle next = fabric_.next_cycle();
  const Cycle delivered = next > 0 ? next - 1 : 0;
  if (payload.is_response_ok())
    replay_.delivered(handle, delivered);
  else
    replay_.undeliverable(handle, delivered);
  payload.release();
  if (replay_.finished()) fabric_.pause_at(0);
  wake_.notify(fabric_.edge_time(next) - sc_core::sc_time_stamp());  // the earlier one takes precedence
}

void NetracePlayer::tell_held_back(MessageObserver& observer) const {
  for (const auto& packets : waiting_)
    for (std::size_t i = 0; i < packets.size(); ++i) {
      Message message;
      message.created = packets[i].ready;
      message.source = packets[i].source;
      message.destination = packets[i].destination;
      message.length = packets[i].length;
      observer.message_held_back(message);
    }
}

tlm::tlm_sync_enum NetracePlayer::nb_transport_bw(int node, tlm::tlm_generic_payload& payload,
                                                  tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase == tlm::BEGIN_RESP) {
    answer(payload);
    return tlm::TLM_COMPLETED;
  }
  auto& waiting = waiting_[static_cast<unsigned>(node)];
  blocked_[static_cast<unsigned>(node)] = false;
  while (!waiting.empty() && !blocked_[static_cast<unsigned>(node)]) {
    const NetraceReplay::Packet packet = waiting.front();
    waiting.pop();
    send(packet);
  }
  return tlm::TLM_ACCEPTED;
}

constexpr OptionKey kTraceOption{
    .key = {"trace", "", "Netrace file to replay with its dependencies, instead of synthetic traffic.",
            kAlways},
    .values = OptionKey::Text{}};
constexpr OptionKey kRegionOption{
    .key = {"trace_region", "", "Region of the trace to replay, counted from 0; -1: the whole trace.",
            KeyEffect::only_if_given("traffic.trace")},
    .values = OptionKey::Number{.initial = -1, .range = {-1, 65535}}};

std::string trace_of(const TrafficSettings& traffic) {
  return traffic.options.word(kTraceOption);
}

std::optional<unsigned> region_of(const TrafficSettings& traffic) {
  const std::int64_t region = traffic.options.number(kRegionOption);
  return region < 0 ? std::nullopt : std::optional(static_cast<unsigned>(region));
}

/// Replays traffic.trace.
class NetraceWorkload final : public Workload {
 public:
  explicit NetraceWorkload(const WorkloadUse& use)
      : replay_(trace_of(use.configuration.traffic), use.network.topology(),
                use.network.fabric().context().hardware.link.flit_bytes,
                region_of(use.configuration.traffic)),
        player_("player", use.network.fabric(), use.payloads, replay_,
                static_cast<std::uint64_t>(use.configuration.network.node_address_bytes)) {
    Fabric& fabric = use.network.fabric();
    for (NodeId node = 0; node < fabric.node_count(); ++node)
      player_.sockets[node].bind(fabric.sockets(node).target_socket);
  }

  bool done() const override { return player_.finished(); }
  std::uint64_t failed() const override { return replay_.undeliverable_count(); }
  void tell_held_back(MessageObserver& observer) override { player_.tell_held_back(observer); }

 private:
  NetraceReplay replay_;
  NetracePlayer player_;
};

/// An error of a trace, with a remedy where it says only what is damaged.
KeyError trace_error(const std::string& what) {
  const bool has_remedy = what.find("; ") != what.npos;
  return {"traffic.trace", has_remedy ? what : what + "; copy the trace again, or choose another one"};
}

LongestMessage check_netrace(const Configuration& c, const Topology& topology,
                             const HardwareParameters& hardware) {
  refuse_keys(c, c.traffic, {{"traffic.trace", {}}, {"traffic.trace_region", {}}, {"traffic.load", "0"}},
              "with traffic.trace, which says what is sent");
  refuse_phases(c, "with traffic.trace: a trace is replayed and measured from its first packet to its last");
  const std::optional<unsigned> region = region_of(c.traffic);
  const std::string trace = trace_of(c.traffic);
  std::uint32_t longest = 0;
  try {
    check_netrace_fits(trace, NetraceReader(trace, region).header(), topology);
    for (const auto& [type, count] : scan_netrace(trace, region).by_type)
      longest = std::max(longest, flits_of_bytes(netrace_type(type)->bytes, hardware.link.flit_bytes));
  } catch (const ConfigurationError& error) {
    throw trace_error(error.what());
  }
  return {longest, "traffic.trace", "raise link.flit_bytes"};
}

}  // namespace

WorkloadEntry netrace_workload() {
  return {.to_its_end = true,
          .options = {&kTraceOption, &kRegionOption},
          .file_keys = {"traffic.trace"},
          .chosen = [](const TrafficSettings& traffic) { return !trace_of(traffic).empty(); },
          .description = [](const TrafficSettings& traffic) { return "trace " + trace_of(traffic); },
          .files = [](const TrafficSettings& traffic) -> std::vector<InputFile> {
            return {{"traffic.trace", trace_of(traffic)}};
          },
          .check = check_netrace,
          .make = [](const WorkloadUse& use) -> std::unique_ptr<Workload> {
            return std::make_unique<NetraceWorkload>(use);
          }};
}

}  // namespace flitmend
