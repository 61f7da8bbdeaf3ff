// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

#include "traces/message_schedule.h"
#include "traces/messages/trace_reader.h"

namespace flitmend {

/// A CSV trace, replayed with its dependencies. A message is ready in its cycle or, if that is later, `delay`
/// + 1 cycles after the last delivery that it waits for. A message that waits for an abandoned one goes on.
/// Messages are returned in the order of their ready cycles, those of one cycle in the order of the trace.
///
/// Memory: the messages that are due and not delivered yet, and 16 bytes for each message with an id.
class TraceReplay final : public MessageSchedule {
 public:
  /// Throws ConfigurationError if the file is not a trace; flit_bytes ≥ 1.
  TraceReplay(const std::string& path, TraceReader::NodeOf node_of, std::uint32_t flit_bytes);

  std::optional<Packet> pop(Cycle now) override;
  Cycle next_cycle() const override;
  void delivered(Handle, Cycle) override;
  void undeliverable(Handle, Cycle) override;
  bool finished() const override;

  std::uint64_t undeliverable_count() const { return undeliverable_; }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Slot {
    Packet packet;
    std::uint64_t order = 0;
    std::uint32_t number = TraceMessage::kNoId;
    std::uint32_t outstanding = 0;  ///< deliveries that it waits for
    Cycle delay = 0;
    Cycle since = 0;  ///< the cycle after the last of them
    bool in_flight = false;
  };
  /// A message with an id.
  struct Awaited {
    Cycle after = kNever;           ///< the cycle after its end; kNever: not yet
    std::uint32_t waiting = kNone;  ///< the first link of those that wait for it
  };
  struct Link {
    Handle slot;
    std::uint32_t next;
  };
  using Ready = std::tuple<Cycle, std::uint64_t, Handle>;

  void admit();
  void make_ready(Handle);
  void release(Handle, Cycle);

  TraceReader reader_;
  std::uint32_t flit_bytes_;
  TraceMessage next_;
  bool has_next_ = false;
  std::vector<Slot> slots_;
  std::vector<Handle> free_;
  std::vector<Awaited> awaited_;  ///< by number
  std::vector<Link> links_;
  std::uint32_t free_links_ = kNone;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
  std::uint64_t admitted_ = 0, ended_ = 0, undeliverable_ = 0;
};

}  // namespace flitmend
