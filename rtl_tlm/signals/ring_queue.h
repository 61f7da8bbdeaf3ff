// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstddef>
#include <vector>

namespace flitmend {

/// A FIFO in a ring that doubles when full and never shrinks, so there is no allocation in steady state.
template <class T>
class RingQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const T& front() const { return ring_[first_]; }
  T& front() { return ring_[first_]; }
  T& back() { return ring_[(first_ + size_ - 1) & (ring_.size() - 1)]; }
  const T& operator[](std::size_t i) const { return ring_[(first_ + i) & (ring_.size() - 1)]; }
  void push(const T& value) {
    if (size_ == ring_.size()) grow();
    ring_[(first_ + size_++) & (ring_.size() - 1)] = value;
  }
  void pop() {
    first_ = (first_ + 1) & (ring_.size() - 1);
    --size_;
  }
  /// Removes an element that it has. O(size).
  void erase(const T& value) {
    const std::size_t mask = ring_.size() - 1;
    std::size_t i = 0;
    while (ring_[(first_ + i) & mask] != value) ++i;
    for (; i + 1 < size_; ++i) ring_[(first_ + i) & mask] = ring_[(first_ + i + 1) & mask];
    --size_;
  }
  void clear() { first_ = size_ = 0; }

 private:
  void grow() {
    std::vector<T> larger(ring_.empty() ? 4 : 2 * ring_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = (*this)[i];
    ring_.swap(larger);
    first_ = 0;
  }
  std::vector<T> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace flitmend
