// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "rtl_tlm/router/router.h"
#include "rtl_tlm/signals/cut_message.h"

namespace flitmend {

/// A request on the wires between a switch and the router of a node: what CutMessage says, without the
/// destination and the length, which the sender of the message knows. A word has 16 bits.
inline constexpr unsigned kRequestWords = 7;
using RequestWords = std::array<std::uint16_t, kRequestWords>;

RequestWords to_words(const CutMessage&);
CutMessage from_words(const RequestWords&);

/// The requests of a switch, which has no network interface. It hands them, one after the other, to the nodes
/// next to it, each to the next one in turn that is alive: a word per cycle over ControlLine::request. If
/// that port fails before the last word has arrived, another node gets the request. Lost if the switch dies.
class RequestSender {
 public:
  /// Whether the switch has wires for requests to a node.
  static bool has_takers(const Router&);
  void add(const CutMessage& cut) { queue_.push_back(to_words(cut)); }
  /// Sends a word, if there is one and somebody to take it. False if it has no request left.
  bool evaluate(const Router&, Cycle t);
  /// The fault status bit of an output has risen: what was to arrive there from t on is lost.
  void output_failed(Cycle t, unsigned port);
  /// Has a request, and a node that can take it.
  bool has_work(const Router&) const;
  /// The requests that have not been handed over.
  const std::vector<RequestWords>& queue() const { return queue_; }
  void clear();

  // --- Its registers ---
  std::size_t waiting() const { return queue_.size(); }
  /// The port over which the first request is being sent; none: no request is.
  std::optional<unsigned> taker() const {
    return taker_ == kNobody ? std::nullopt : std::optional<unsigned>(taker_);
  }
  unsigned last_taker() const { return last_taker_; }
  unsigned words_sent() const { return taker_ == kNobody ? 0 : sent_; }

 private:
  static constexpr unsigned kNobody = ~0u;

  static bool can_take(const Router&, unsigned port);
  /// The next port in turn; kNobody if no node next to the switch can be reached.
  unsigned next_taker(const Router&) const;
  void handed_over();

  std::vector<RequestWords> queue_;
  unsigned taker_ = kNobody;  ///< port over which the first request is being sent
  unsigned last_taker_ = 0;
  unsigned sent_ = 0;  ///< words of it
  Cycle arrival_ = 0;  ///< of the last of these words
};

/// The other end, in the router of a node: puts the words together, by port.
class RequestReceiver {
 public:
  /// Whether a switch hands over requests at that port.
  static bool receives(const RouterState&, unsigned port);
  /// The word that arrived on ControlLine::request at a port in this cycle. Returns the request that it ends.
  std::optional<CutMessage> arrived(unsigned port, Word wires);
  /// The rest of what was arriving there will not come.
  void input_failed(unsigned port) {
    if (port < ports_.size()) ports_[port].count = 0;
  }
  void clear();
  /// Ports at which a request is arriving, one bit each.
  Word arriving() const;

 private:
  struct Arriving {
    RequestWords words{};
    unsigned count = 0;
  };
  std::vector<Arriving> ports_;  ///< as far as requests have arrived
};

}  // namespace flitmend
