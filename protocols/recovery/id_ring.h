// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace flitmend {

/// Values by consecutive ids, in a ring that doubles when full. Ids may wrap around.
template <class T>
class IdRing {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::uint32_t first() const { return first_; }
  /// The id after the last one.
  std::uint32_t next() const { return first_ + static_cast<std::uint32_t>(size_); }
  bool has(std::uint32_t id) const { return id - first_ < size_; }
  T& operator[](std::uint32_t id) { return ring_[id & (ring_.size() - 1)]; }
  const T& operator[](std::uint32_t id) const { return ring_[id & (ring_.size() - 1)]; }
  T& front() { return (*this)[first_]; }
  /// `id` must follow the last one, unless the ring is empty.
  T& push(std::uint32_t id, const T& value) {
    if (empty()) first_ = id;
    if (size_ == ring_.size()) grow();
    ++size_;
    return (*this)[id] = value;
  }
  void pop_front() {
    ++first_;
    --size_;
  }
  void clear() { size_ = 0; }

 private:
  void grow() {
    std::vector<T> larger(ring_.empty() ? 16 : 2 * ring_.size());
    for (std::uint32_t id = first_; id != next(); ++id) larger[id & (larger.size() - 1)] = (*this)[id];
    ring_.swap(larger);
  }
  std::vector<T> ring_;
  std::size_t size_ = 0;
  std::uint32_t first_ = 0;
};

}  // namespace flitmend
