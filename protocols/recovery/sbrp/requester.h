// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/recovery/sbrp/parameters.h"
#include "rtl_tlm/node/network_interface.h"

namespace flitmend::sbrp {

/// A request to send again what a fault has cut.
struct Request {
  CutMessage cut;
  bool silent = false;  ///< made by the receiver, to which nothing has arrived for a long time
};

/// Asks the senders of messages to send them again. A request is in the memory of the processing element,
/// which survives faults of the router: WAIT while it is composed, then SENT, until it is acknowledged or
/// repeated.
class Requester {
 public:
  Requester(NetworkInterface&, NetworkContext&, const Parameters&);

  /// Makes a request, unless the same one has not been answered yet.
  void ask(Cycle t, const Request&);
  /// A request has left, or its router has died: the answer is due from now on.
  void sent(Cycle t, MessageIndex request);
  /// The answer to a request has arrived; `message` is the message that it was about. False: it is an old
  /// one.
  bool acknowledged(std::uint16_t number, CutMessage& message);
  void evaluate(Cycle t) {
    if (t >= next_due_) send_again(t);
  }
  bool busy() const { return !pending_.empty(); }
  Cycle next_due() const { return next_due_; }
  /// The node has died, and its requests with it.
  void node_died();
  void clear();

 private:
  struct Pending {
    Request request;
    Cycle due = 0;  ///< when it is to be sent; kNever: it waits at the injector
    std::uint32_t times_sent = 0;
    std::uint16_t number = 0;
  };

  Pending* find(std::uint16_t number);
  void remove(Pending&);
  void transmit(Cycle t, Pending&);
  void send_again(Cycle t);

  NetworkInterface& interface_;
  NetworkContext& context_;
  const Parameters& parameters_;
  std::vector<Pending> pending_;
  Cycle next_due_ = kNever;
  std::uint16_t next_number_ = 0;
};

}  // namespace flitmend::sbrp
