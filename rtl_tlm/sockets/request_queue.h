// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "rtl_tlm/signals/ring_queue.h"
#include "rtl_tlm/sockets/settings.h"
#include "rtl_tlm/sockets/transaction.h"

namespace flitmend {

/// The requests for a target at its interface: there are a limited number of places for them, and if they are
/// numbered (numbers_requests), those of each node are handed to the target in the order of their numbers.
///
/// A request takes its place when its head arrives, in the order of the numbers, and keeps it until its reply
/// has left. One that comes before an older one waits in the reorder buffer, which always has room for it
/// (SendOrder); so a request in the network never waits for another one behind it.
///
/// A request of several messages is always taken in, and gets its place when all of it is here. If it had one
/// before, its other messages could wait behind requests that wait for that place.
class RequestQueue {
 public:
  /// `nodes`: that may send requests. `limited`: whether requests ask for a place (admit); else there are any
  /// number.
  RequestQueue(const TransactionParameters& parameters, NodeId nodes)
      : ordered_(numbers_requests(parameters.ordering)),
        depth_(parameters.reorder_depth),
        places_(parameters.target_queue),
        nodes_(nodes) {}
  RequestQueue(RequestQueue&&) = default;

  /// Whether requests ask for a place. Before the first cycle.
  void limit(bool limited) { limited_ = limited; }
  bool limited() const { return limited_; }

  /// The head of a request, or of a part of one, has arrived. False: there is no place for it now.
  bool admit(NetworkTransaction&);
  /// All of a request has arrived.
  void arrived(NetworkTransaction&);
  /// A request has been lost on its way. Those after it do not wait for it.
  void lost(NetworkTransaction&);
  /// A request no longer needs its place.
  void leave(NetworkTransaction& t) {
    t.placed = false;
    give_back_place();
  }
  /// The same for a request whose record has been released.
  void give_back_place();

  /// The next request for the target; null: none.
  NetworkTransaction* pop() {
    if (ready_.empty()) return nullptr;
    NetworkTransaction* const t = ready_.front();
    ready_.pop();
    return t;
  }
  bool empty() const { return ready_.empty(); }
  unsigned used() const { return used_; }

 private:
  enum class State : std::uint8_t { absent, arriving, arrived, lost };
  struct Entry {
    NetworkTransaction* transaction = nullptr;
    State state = State::absent;
  };
  /// The requests of one node.
  struct Flow {
    std::uint32_t next_place = 0;     ///< number of the request that gets a place next
    std::uint32_t next_delivery = 0;  ///< … that the target gets next
    std::vector<Entry> buffer;        ///< by number modulo its size
    bool waits = false;               ///< it is in waiting_
  };

  Flow& flow_from(NodeId);
  static Entry& entry(Flow& flow, std::uint32_t sequence) {
    return flow.buffer[sequence % flow.buffer.size()];
  }
  bool has_place() const { return used_ < places_; }
  /// Whether what is here of a request will be followed by the rest without waiting for anybody.
  static bool in_one_piece(const NetworkTransaction& t) { return t.parts.size() == 1; }
  /// Whether the next request of a flow may ask for a place.
  static bool may_have_place(const Entry& next) {
    return next.state == State::arrived || (next.state == State::arriving && in_one_piece(*next.transaction));
  }
  void place(Flow&, NetworkTransaction&);
  /// Without an order: the same for complete requests that wait for a place, and hands them over.
  void place_unplaced();
  /// Gives places to early requests whose turn it is, and hands over what can be delivered.
  void advance(Flow&);

  bool ordered_;
  bool limited_ = false;
  unsigned depth_;
  unsigned places_;
  NodeId nodes_;
  unsigned used_ = 0;
  std::vector<std::unique_ptr<Flow>> flows_;  ///< by source; empty until the first request
  RingQueue<Flow*> waiting_;                  ///< flows whose next request is here, without a place
  RingQueue<NetworkTransaction*> unplaced_;   ///< without an order: complete, and without a place
  RingQueue<NetworkTransaction*> ready_;
};

}  // namespace flitmend
