// SPDX-License-Identifier: Apache-2.0
#include "testbench/collectives/collective_run.h"

#include <algorithm>
#include <tuple>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {

namespace {
constexpr std::size_t kKeptWrong = 20;
}

CollectiveRun::Repetition::Repetition(const PlannedCollective& c, RandomStream random)
    : contributions(random, static_cast<std::uint32_t>(c.members.size()), c.schedule.slots),
      contents(contributions.all()),
      messages(c.schedule.transfers.size()) {}

bool CollectiveRun::Ready::operator>(const Ready& other) const {
  return std::tuple(cycle, source, handle) > std::tuple(other.cycle, other.source, other.handle);
}

CollectiveRun::CollectiveRun(std::vector<PlannedCollective> collectives, NodeId nodes, std::uint64_t seed)
    : collectives_(std::move(collectives)), seed_(seed), nodes_(nodes), counts_(collectives_.size()) {
  std::size_t repetitions = 0;
  Handle handle = 0;
  for (std::uint32_t c = 0; c < collectives_.size(); ++c) {
    const PlannedCollective& one = collectives_[c];
    const std::vector<CollectiveTransfer>& transfers = one.schedule.transfers;
    first_handle_.push_back(handle);
    first_repetition_.push_back(repetitions);
    handle += static_cast<Handle>(transfers.size()) * one.repetitions;
    repetitions += one.repetitions;
    std::vector<std::vector<Action>>& actions = actions_.emplace_back(one.members.size());
    for (std::uint32_t i = 0; i < transfers.size(); ++i) {
      actions[transfers[i].from].push_back({transfers[i].sent_in, false, i});
      actions[transfers[i].to].push_back({transfers[i].received_in, true, i});
    }
    for (std::vector<Action>& of : actions)
      std::ranges::sort(of, {}, [](const Action& a) { return std::tuple(a.round, a.receives, a.transfer); });
    for (std::uint32_t member = 0; member < one.members.size(); ++member)
      nodes_[one.members[member]].places.push_back({c, member});
  }
  repetitions_.resize(repetitions);
  for (NodeId node = 0; node < nodes; ++node) run(node);
}

MessageSchedule::Handle CollectiveRun::first_handle(std::uint32_t collective,
                                                    std::uint32_t repetition) const {
  const std::size_t messages = collectives_[collective].schedule.transfers.size();
  return first_handle_[collective] + static_cast<Handle>(messages * repetition);
}

CollectiveRun::Position CollectiveRun::position_of(Handle handle) const {
  // Of several that begin there, all but the last have no messages.
  const auto after = std::ranges::upper_bound(first_handle_, handle);
  const auto collective = static_cast<std::uint32_t>(after - first_handle_.begin()) - 1;
  const auto messages = static_cast<Handle>(collectives_[collective].schedule.transfers.size());
  const Handle within = handle - first_handle_[collective];
  return {collective, within / messages, within % messages};
}

CollectiveRun::MessageState* CollectiveRun::state_of(Handle handle) {
  const Position at = position_of(handle);
  Repetition* const repetition = repetition_at(at.collective, at.repetition).get();
  return repetition ? &repetition->messages[at.transfer] : nullptr;
}

const CollectiveRun::Action* CollectiveRun::action_of(const Node& node) const {
  const Place& place = node.places[node.place];
  const std::vector<Action>& actions = actions_[place.collective][place.member];
  return node.action < actions.size() ? &actions[node.action] : nullptr;
}

/// Takes the node as far as the messages that have arrived allow.
void CollectiveRun::run(NodeId id) {
  Node& node = nodes_[id];
  while (node.place < node.places.size()) {
    if (!node.begun) begin(node);
    while (action_of(node)) {
      if (node.awaited == 0) send_round(id);
      if (node.awaited > 0) return;
      receive_round(node);
    }
    end(id);
  }
}

void CollectiveRun::begin(Node& node) {
  const Place& place = node.places[node.place];
  const PlannedCollective& c = collectives_[place.collective];
  std::unique_ptr<Repetition>& repetition = repetition_at(place.collective, node.repetition);
  if (!repetition) {
    const auto number = static_cast<std::uint32_t>(first_repetition_[place.collective] + node.repetition);
    repetition = std::make_unique<Repetition>(c, RandomStream(seed_, RandomPurpose::contribution, number));
  }
  node.begun = true;
  node.action = 0;
  node.next = std::max(node.next, c.start);
  node.busy = node.next;
  repetition->begin = std::min(repetition->begin, node.next);
  counts_[place.collective].begin = std::min(counts_[place.collective].begin, node.next);
}

/// Sends the messages of the next round, and counts those that it has to wait for.
void CollectiveRun::send_round(NodeId id) {
  Node& node = nodes_[id];
  const Place& place = node.places[node.place];
  const CollectiveSchedule& schedule = collectives_[place.collective].schedule;
  const std::vector<Action>& actions = actions_[place.collective][place.member];
  const Handle first = first_handle(place.collective, node.repetition);
  Repetition& repetition = *repetition_at(place.collective, node.repetition);
  const bool sends = !actions[node.action].receives;
  node.round = actions[node.action].round;
  node.busy = sends || node.next == 0 ? node.next : node.next - 1;
  for (; node.action < actions.size(); ++node.action) {
    const Action& action = actions[node.action];
    if (action.round != node.round || action.receives) break;
    const std::size_t slot =
        std::size_t{place.member} * schedule.slots + schedule.transfers[action.transfer].slot;
    repetition.messages[action.transfer].content = repetition.contents[slot];
    ready_.push({node.next, id, first + action.transfer});
  }
  for (std::size_t i = node.action; i < actions.size() && actions[i].round == node.round; ++i)
    node.awaited += repetition.messages[actions[i].transfer].arrival == kNever;
}

/// All messages of the round have arrived: combines them in the order of their arrival.
void CollectiveRun::receive_round(Node& node) {
  const Place& place = node.places[node.place];
  const PlannedCollective& c = collectives_[place.collective];
  const std::vector<Action>& actions = actions_[place.collective][place.member];
  Repetition& repetition = *repetition_at(place.collective, node.repetition);
  std::vector<std::pair<Cycle, const CollectiveTransfer*>> arrived;
  for (; node.action < actions.size() && actions[node.action].round == node.round; ++node.action) {
    const Action& action = actions[node.action];
    const CollectiveTransfer& transfer = c.schedule.transfers[action.transfer];
    const MessageState& message = repetition.messages[action.transfer];
    arrived.emplace_back(message.arrival, &transfer);
    std::uint64_t& slot = repetition.contents[std::size_t{place.member} * c.schedule.slots + transfer.into];
    slot = transfer.combine ? slot + message.content : message.content;
  }
  std::ranges::sort(arrived, {}, [](const auto& message) { return message.first; });
  for (const auto& [cycle, transfer] : arrived)
    node.busy = std::max(node.busy, cycle) + (transfer->combine ? c.combine_time : 0);
  node.next = node.busy + 1;
}

/// The node's part of the repetition is done.
void CollectiveRun::end(NodeId id) {
  Node& node = nodes_[id];
  const Place place = node.places[node.place];
  const PlannedCollective& c = collectives_[place.collective];
  std::unique_ptr<Repetition>& repetition = repetition_at(place.collective, node.repetition);
  check(place, node.repetition, *repetition, node.busy);
  repetition->end = std::max(repetition->end, node.busy);
  if (++repetition->members_done == c.members.size()) {
    CollectiveCounts& counts = counts_[place.collective];
    const std::uint64_t time = repetition->end - repetition->begin;
    ++counts.completed;
    counts.end = std::max(counts.end, repetition->end);
    counts.time_sum += time;
    counts.time_max = std::max(counts.time_max, time);
    repetition.reset();
  }
  node.next = node.busy + 1;
  node.begun = false;
  if (++node.repetition < c.repetitions) return;
  node.repetition = 0;
  ++node.place;
}

void CollectiveRun::check(const Place& place, std::uint32_t repetition, const Repetition& of, Cycle cycle) {
  const PlannedCollective& c = collectives_[place.collective];
  for (std::uint32_t slot = 0; slot < c.schedule.slots; ++slot) {
    const auto expected = of.contributions.expected(*c.kind->operation, c.root, place.member, slot);
    if (!expected || *expected == of.contents[std::size_t{place.member} * c.schedule.slots + slot]) continue;
    ++counts_[place.collective].wrong_slots;
    if (wrong_.size() < kKeptWrong)
      wrong_.push_back({place.collective, repetition, c.members[place.member], slot, cycle});
  }
}

std::optional<MessageSchedule::Packet> CollectiveRun::pop(Cycle now) {
  while (!ready_.empty() && ready_.top().cycle <= now) {
    const Ready next = ready_.top();
    ready_.pop();
    if (next.cycle >= nodes_[next.source].stop) continue;
    const Position at = position_of(next.handle);
    const PlannedCollective& c = collectives_[at.collective];
    MessageState& message = *state_of(next.handle);
    message.sent = message.in_flight = true;
    ++sent_;
    ++counts_[at.collective].messages;
    return Packet{.handle = next.handle,
                  .source = next.source,
                  .destination = c.members[c.schedule.transfers[at.transfer].to],
                  .length = c.length,
                  .bytes = c.piece_bytes,
                  .ready = next.cycle,
                  .content = message.content,
                  .flow = at.collective};
  }
  return std::nullopt;
}

void CollectiveRun::answered(Handle handle, bool ok) {
  MessageState* const message = state_of(handle);
  if (sent_ == answered_ || (message && !message->in_flight))
    throw ContractError(
        formatted("a message that is not in the network was reported as delivered (handle %1%)", handle));
  if (message) message->in_flight = false;
  ++answered_;
  counts_[position_of(handle).collective].failed += !ok;
}

void CollectiveRun::delivered(Handle handle, Cycle) {
  answered(handle, true);
}

void CollectiveRun::undeliverable(Handle handle, Cycle) {
  answered(handle, false);
}

void CollectiveRun::received(Handle handle, std::optional<std::uint64_t> content, Cycle now) {
  MessageState* const message = state_of(handle);
  if (!message || message->arrival != kNever) return;  // counted already
  message->arrival = now;
  if (content) message->content = *content;
  const Position at = position_of(handle);
  const CollectiveTransfer& transfer = collectives_[at.collective].schedule.transfers[at.transfer];
  const NodeId id = collectives_[at.collective].members[transfer.to];
  Node& node = nodes_[id];
  if (node.awaited == 0 || node.repetition != at.repetition ||
      node.places[node.place].collective != at.collective || node.round != transfer.received_in)
    return;
  if (--node.awaited > 0) return;
  receive_round(node);
  run(id);
}

void CollectiveRun::stop_node(NodeId node, Cycle cycle) {
  nodes_[node].stop = std::min(nodes_[node].stop, cycle);
}

std::uint64_t CollectiveRun::failed() const {
  std::uint64_t failed = 0;
  for (const CollectiveCounts& counts : counts_) failed += counts.failed;
  return failed;
}

std::uint32_t CollectiveRun::ended(NodeId id, std::size_t collective) const {
  const Node& node = nodes_[id];
  const auto found = std::ranges::find(node.places, collective, &Place::collective);
  const auto place = static_cast<std::size_t>(found - node.places.begin());
  if (node.place == place) return node.repetition;
  return node.place > place ? collectives_[collective].repetitions : 0;
}

bool CollectiveRun::withholds(NodeId id, std::size_t collective, std::uint32_t repetition) const {
  if (nodes_[id].stop == kNever) return false;
  const PlannedCollective& c = collectives_[collective];
  const auto& of = repetitions_[first_repetition_[collective] + repetition];
  for (std::size_t i = 0; of && i < of->messages.size(); ++i)
    if (c.members[c.schedule.transfers[i].from] == id && !of->messages[i].sent) return true;
  return false;
}

std::string CollectiveRun::cause(NodeId id, std::size_t collective, const NameOf& name) const {
  const Node& node = nodes_[id];
  if (node.stop != kNever) return name(id) + " is dead";
  if (node.awaited == 0 || node.places[node.place].collective != collective) return {};
  const PlannedCollective& c = collectives_[collective];
  const Repetition& of = *repetitions_[first_repetition_[collective] + node.repetition];
  const std::vector<Action>& actions = actions_[collective][node.places[node.place].member];
  for (std::size_t i = node.action; i < actions.size() && actions[i].round == node.round; ++i) {
    const MessageState& message = of.messages[actions[i].transfer];
    if (message.sent && !message.in_flight && message.arrival == kNever)
      return name(id) + " waits for a message of " +
             name(c.members[c.schedule.transfers[actions[i].transfer].from]) + ", which is lost";
  }
  return {};
}

std::string CollectiveRun::missing(std::size_t collective, const NameOf& name) const {
  constexpr std::size_t kMost = 3;
  const PlannedCollective& c = collectives_[collective];
  if (counts_[collective].completed == c.repetitions) return {};
  const std::uint32_t repetition =
      ended(std::ranges::min(c.members, {}, [&](NodeId id) { return ended(id, collective); }), collective);
  std::vector<NodeId> open;  // the dead first
  for (const NodeId id : c.members)
    if (ended(id, collective) == repetition || withholds(id, collective, repetition)) open.push_back(id);
  std::stable_partition(open.begin(), open.end(), [&](NodeId id) { return nodes_[id].stop != kNever; });
  std::vector<std::string> causes;
  for (const NodeId id : open)
    if (causes.size() < kMost)
      if (const std::string found = cause(id, collective, name); !found.empty()) causes.push_back(found);
  if (const std::size_t others = open.size() - causes.size(); others > 0)
    causes.push_back(counted(others, causes.empty() ? "member" : "more member") +
                     (others == 1 ? " waits" : " wait"));
  return formatted("repetition %1%: ", repetition) + joined(causes, "; ");
}

}  // namespace flitmend
