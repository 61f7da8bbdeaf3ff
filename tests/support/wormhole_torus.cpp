// SPDX-License-Identifier: Apache-2.0
#include "support/wormhole_torus.h"

#include <deque>
#include <random>
#include <vector>

namespace flitmend::test {
namespace {

constexpr int kNone = -1, kArrived = -2;

struct Worm {
  std::uint64_t created = 0;
  unsigned destination = 0;
  bool counts = false;
  std::uint64_t ties = 0;     ///< by dimension: the direction if both are equally short
  std::uint64_t crossed = 0;  ///< by dimension: it has been granted a wrap-around link
};

/// A virtual channel and the buffer at its end, or an injection virtual channel of a node.
struct Lane {
  int worm = kNone;
  int next = kNone;      ///< the lane that the worm has been granted, or kArrived
  unsigned node = 0;     ///< where the buffer is
  unsigned held = 0;     ///< flits in the buffer
  unsigned to_come = 0;  ///< flits of the worm that are not there yet
};

class Simulator {
 public:
  Simulator(const WormholeTorus& torus, std::uint64_t seed)
      : t_(torus), vcs_(torus.virtual_channels), ports_(2 * torus.dimensions), random_(seed) {
    for (unsigned d = 0; d < t_.dimensions; ++d) {
      strides_.push_back(nodes_);
      nodes_ *= t_.radix;
    }
    lanes_.resize(std::size_t{nodes_} * (ports_ + 1) * vcs_);
    for (unsigned node = 0; node < nodes_; ++node)
      for (unsigned port = 0; port <= ports_; ++port)
        for (unsigned v = 0; v < vcs_; ++v)
          lanes_[lane(node, port, v)].node = port < ports_ ? neighbour(node, port) : node;
    queues_.resize(nodes_);
    for (unsigned node = 0; node < nodes_; ++node) due_.push_back(gap());
    wanting_.resize(std::size_t{nodes_} * ports_);
    last_.resize(wanting_.size());
  }

  double run() {
    for (std::uint64_t now = 0; now < t_.warmup + t_.measure || open_ > 0; ++now) {
      create(now);
      inject();
      allocate();
      move(now);
    }
    return static_cast<double>(sum_) / static_cast<double>(count_);
  }

 private:
  /// That of a channel that leaves a node, or for port ports_ of its injection channel.
  unsigned lane(unsigned node, unsigned port, unsigned v) const {
    return (node * (ports_ + 1) + port) * vcs_ + v;
  }
  unsigned below(unsigned bound) { return std::uniform_int_distribution<unsigned>(0, bound - 1)(random_); }
  double gap() { return std::exponential_distribution<double>(t_.rate)(random_); }
  unsigned coordinate(unsigned node, unsigned d) const { return node / strides_[d] % t_.radix; }
  /// Port 2d leads up in dimension d, port 2d + 1 down.
  unsigned neighbour(unsigned node, unsigned port) const {
    const unsigned d = port / 2, here = coordinate(node, d);
    const unsigned there = (here + (port % 2 == 0 ? 1 : t_.radix - 1)) % t_.radix;
    return node + there * strides_[d] - here * strides_[d];
  }

  void create(std::uint64_t now) {
    for (unsigned node = 0; node < nodes_; ++node)
      for (; due_[node] <= static_cast<double>(now); due_[node] += gap()) {
        const unsigned other = below(nodes_ - 1);
        const bool counts = now >= t_.warmup && now < t_.warmup + t_.measure;
        open_ += counts;
        queues_[node].push_back(static_cast<int>(worms_.size()));
        worms_.push_back({now, other + (other >= node), counts, random_(), 0});
      }
  }

  /// Every free injection lane takes a message, and every other one a flit of its message.
  void inject() {
    for (unsigned node = 0; node < nodes_; ++node)
      for (unsigned v = 0; v < vcs_; ++v) {
        Lane& l = lanes_[lane(node, ports_, v)];
        if (l.worm == kNone && !queues_[node].empty()) {
          l.worm = queues_[node].front();
          l.to_come = t_.message_length;
          queues_[node].pop_front();
        }
        if (l.worm == kNone || l.to_come == 0 || l.held == t_.buffer) continue;
        ++l.held;
        --l.to_come;
      }
  }

  /// ports_ at the destination.
  unsigned port_towards(const Worm& worm, unsigned here) const {
    for (unsigned d = 0; d < t_.dimensions; ++d) {
      const unsigned up = (coordinate(worm.destination, d) + t_.radix - coordinate(here, d)) % t_.radix;
      if (up == 0) continue;
      // A worm that has taken one of two equally short ways is nearer by that way afterwards.
      const bool goes_up = 2 * up == t_.radix ? worm.ties >> d & 1 : 2 * up < t_.radix;
      return 2 * d + !goes_up;
    }
    return ports_;
  }

  void allocate() {
    const auto count = static_cast<unsigned>(lanes_.size());
    const unsigned start = below(count);
    for (unsigned i = 0; i < count; ++i) {
      Lane& l = lanes_[(start + i) % count];
      if (l.worm == kNone || l.next != kNone || l.held == 0) continue;
      Worm& worm = worms_[static_cast<unsigned>(l.worm)];
      const unsigned port = port_towards(worm, l.node);
      if (port == ports_)
        l.next = kArrived;
      else
        grant(l, worm, port);
    }
  }
  void grant(Lane& l, Worm& worm, unsigned port) {
    const unsigned d = port / 2, here = coordinate(l.node, d), to = coordinate(worm.destination, d);
    const bool up = port % 2 == 0;
    const bool wraps = here == (up ? t_.radix - 1 : 0);
    const bool before = !wraps && (up ? to < here : to > here);
    const bool after = wraps || (worm.crossed >> d & 1);
    const unsigned first = after ? vcs_ / 2 : 0, last = before ? vcs_ / 2 : vcs_;
    std::vector<unsigned>& free = scratch_;
    free.clear();
    for (unsigned v = first; v < last; ++v)
      if (lanes_[lane(l.node, port, v)].worm == kNone) free.push_back(lane(l.node, port, v));
    if (free.empty()) return;
    const unsigned drawn = free[below(static_cast<unsigned>(free.size()))];
    lanes_[drawn].worm = l.worm;
    lanes_[drawn].to_come = t_.message_length;
    l.next = static_cast<int>(drawn);
    if (wraps) worm.crossed |= std::uint64_t{1} << d;
  }

  /// A flit per cycle from every lane that has arrived, and over every channel: lanes take turns.
  void move(std::uint64_t now) {
    arrived_.clear();
    for (unsigned id = 0; id < lanes_.size(); ++id) {
      const Lane& l = lanes_[id];
      if (l.held == 0 || l.next == kNone) continue;
      if (l.next == kArrived)
        arrived_.push_back(id);
      else if (lanes_[static_cast<unsigned>(l.next)].held < t_.buffer)
        wanting_[channel_of(static_cast<unsigned>(l.next))].push_back(id);
    }
    // All have been looked at before any moves: room is that of the cycle before.
    for (const unsigned id : arrived_) {
      const unsigned worm = static_cast<unsigned>(lanes_[id].worm);
      if (!leaves(id)) continue;
      if (!worms_[worm].counts) continue;
      sum_ += now - worms_[worm].created;
      ++count_;
      --open_;
    }
    for (std::size_t channel = 0; channel < wanting_.size(); ++channel) {
      std::vector<unsigned>& those = wanting_[channel];
      if (those.empty()) continue;
      unsigned id = those.front();
      for (const unsigned other : those)
        if (other > last_[channel]) {
          id = other;
          break;
        }
      last_[channel] = id;
      those.clear();
      Lane& next = lanes_[static_cast<unsigned>(lanes_[id].next)];
      ++next.held;
      --next.to_come;
      leaves(id);
    }
  }
  std::size_t channel_of(unsigned id) const {
    const unsigned port = id / vcs_ % (ports_ + 1), node = id / vcs_ / (ports_ + 1);
    return std::size_t{node} * ports_ + port;
  }
  /// A flit leaves a lane. True for the last one of the worm, which frees the lane.
  bool leaves(unsigned id) {
    Lane& l = lanes_[id];
    if (--l.held > 0 || l.to_come > 0) return false;
    l.worm = l.next = kNone;
    return true;
  }

  WormholeTorus t_;
  unsigned vcs_, ports_, nodes_ = 1;
  std::mt19937_64 random_;
  std::vector<unsigned> strides_;
  std::vector<Lane> lanes_;
  std::vector<std::deque<int>> queues_;
  std::vector<double> due_;
  std::vector<Worm> worms_;
  std::vector<std::vector<unsigned>> wanting_;  ///< by channel: the lanes that could send over it
  std::vector<unsigned> last_, arrived_, scratch_;
  std::uint64_t open_ = 0, sum_ = 0, count_ = 0;
};

}  // namespace

double mean_latency(const WormholeTorus& torus, std::uint64_t seed) {
  return Simulator(torus, seed).run();
}

}  // namespace flitmend::test
