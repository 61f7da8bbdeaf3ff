// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/signals/message.h"

namespace flitmend {

MessageIndex MessagePool::allocate() {
  if (free_.empty()) {
    blocks_.push_back(std::make_unique<Message[]>(kBlockSize));
    // Room for all descriptors, so that release() never allocates.
    if (free_.capacity() < size_ + kBlockSize) free_.reserve(2 * (size_ + kBlockSize));
    // Lowest index first: a run's indices do not depend on how the pool grew.
    for (MessageIndex i = kBlockSize; i-- > 0;) free_.push_back(size_ + i);
    size_ += kBlockSize;
  }
  const MessageIndex index = free_.back();
  free_.pop_back();
  (*this)[index] = Message{};
  return index;
}

template <class T>
T& MessagePool::begin(std::vector<std::unique_ptr<T[]>>& lines, MessageIndex index) {
  const std::size_t block = index >> kBlockBits;
  if (lines.size() <= block) lines.resize(blocks_.size());
  if (!lines[block]) lines[block] = std::make_unique<T[]>(kBlockSize);
  return lines[block][index & (kBlockSize - 1)] = T{};
}

MessageLoss& MessagePool::begin_loss(MessageIndex index) {
  (*this)[index].incomplete = true;
  return begin(losses_, index);
}

ProtocolFields& MessagePool::begin_fields(MessageIndex index) {
  return begin(fields_, index);
}

void MessagePool::release(MessageIndex index) {
  free_.push_back(index);
}

}  // namespace flitmend
