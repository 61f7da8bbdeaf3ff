// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "rtl_tlm/signals/ring_queue.h"
#include "rtl_tlm/sockets/address_map.h"
#include "rtl_tlm/sockets/settings.h"
#include "rtl_tlm/sockets/transaction.h"

namespace flitmend {

/// Which of a node's transactions may be under way at the same time, and the order of their answers.
///
/// Ordering::per_target: transactions to one target are numbered. Up to reorder_depth of them may be
/// unanswered; the target's queue has room for as many, so that one that overtakes another in the network is
/// always taken out of it. Answers are given in the order of the numbers.
///
/// Ordering::per_initiator: the same, and each initiator's answers are given in the order of its requests,
/// whatever their targets are.
///
/// Ordering::per_address: a transaction waits until those before it that touch the same bytes are answered.
class SendOrder {
 public:
  SendOrder(const TransactionParameters& parameters, const AddressMap& addresses)
      : ordering_(parameters.ordering), depth_(parameters.reorder_depth), addresses_(addresses) {}

  /// Takes a new transaction. False: it waits, and answered() will hand it over when it may be sent.
  bool begin(NetworkTransaction&);
  /// Whether the answer to a new transaction of an initiator would have to wait for that of an older one.
  bool keeps_back(unsigned initiator) const {
    return initiator < initiators_.size() && !initiators_[initiator].empty();
  }
  /// Takes a transaction that the network refuses: nothing is sent, and the answer waits for its turn. Calls
  /// answer(t) if that is now.
  template <class Answer>
  void refuse(NetworkTransaction& t, Answer&& answer) {
    if (ordering_ != Ordering::per_initiator) {
      answer(t);
      return;
    }
    line_up(t);
    let_answer(t, answer);
  }
  /// The answer to a transaction is here. Calls answer(t) for each whose answer may be given now, and then
  /// send(t) for each that may be sent now.
  template <class Answer, class Send>
  void answered(NetworkTransaction& t, Answer&& answer, Send&& send) {
    t.answered = true;
    if (ordering_ == Ordering::none) {
      answer(t);
      return;
    }
    Flow& flow = *flows_[addresses_.index(t.destination, t.target)];
    if (ordering_ == Ordering::per_address) {
      std::erase(flow.conflicting, &t);
      answer(t);
      while (NetworkTransaction* next = take_free(flow)) send(*next);
      return;
    }
    while (!flow.unanswered.empty() && flow.unanswered.front()->answered) {
      NetworkTransaction& first = *flow.unanswered.front();
      flow.unanswered.pop();
      if (ordering_ == Ordering::per_target)
        answer(first);
      else
        let_answer(first, answer);
    }
    while (!flow.waiting.empty() && flow.unanswered.size() < depth_) {
      NetworkTransaction& next = *flow.waiting.front();
      flow.waiting.pop();
      --waiting_;
      number(flow, next);
      send(next);
    }
  }
  /// Transactions that wait.
  std::size_t waiting() const { return waiting_; }

 private:
  /// The transactions to one target.
  struct Flow {
    std::uint32_t next = 0;                              ///< number of the next one
    RingQueue<NetworkTransaction*> unanswered;           ///< numbered: sent, from the first without answer on
    RingQueue<NetworkTransaction*> waiting;              ///< numbered: not sent
    std::vector<NetworkTransaction*> conflicting;        ///< per address: sent
    std::vector<NetworkTransaction*> waiting_conflicts;  ///< per address: not sent, by age
  };

  /// Ordering::per_initiator: its answer comes after those of all that its initiator has sent before it.
  void line_up(NetworkTransaction& t) {
    if (t.initiator >= initiators_.size()) initiators_.resize(t.initiator + 1);
    initiators_[t.initiator].push(&t);
  }
  /// Ordering::per_initiator: only older transactions of its initiator may keep its answer back. Calls
  /// answer(t) for those that none keeps back.
  template <class Answer>
  void let_answer(NetworkTransaction& t, Answer& answer) {
    const unsigned initiator = t.initiator;
    t.in_turn = true;
    while (keeps_back(initiator) && initiators_[initiator].front()->in_turn) {
      NetworkTransaction& first = *initiators_[initiator].front();
      initiators_[initiator].pop();
      answer(first);
    }
  }
  Flow& flow_of(const NetworkTransaction&);
  void number(Flow& flow, NetworkTransaction& t) {
    t.sequence = flow.next++;
    flow.unanswered.push(&t);
  }
  static bool conflict(const NetworkTransaction&, const NetworkTransaction&);
  /// The oldest waiting transaction that no older one keeps back, now sent; null if there is none.
  NetworkTransaction* take_free(Flow&);

  Ordering ordering_;
  std::size_t depth_;
  const AddressMap& addresses_;
  std::vector<std::unique_ptr<Flow>> flows_;  ///< by AddressMap::index; empty until the first transaction
  /// Per initiator: its transactions that have not been answered, by age.
  std::vector<RingQueue<NetworkTransaction*>> initiators_;
  std::size_t waiting_ = 0;
};

}  // namespace flitmend
