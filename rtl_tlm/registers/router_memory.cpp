// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/registers/router_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace flitmend {
namespace {

constexpr std::size_t kFirstChunk = std::size_t{64} << 10;
constexpr std::size_t kLargePage = std::size_t{2} << 20;

}  // namespace

RouterMemory::RouterMemory() = default;
RouterMemory::~RouterMemory() = default;

void RouterMemory::Free::operator()(std::byte* chunk) const {
  ::operator delete (chunk, std::align_val_t{kLargePage});
}

RouterLayout& RouterMemory::layout(NetworkContext& context, unsigned ports, bool has_local_port) {
  auto& layout = layouts_[{ports, has_local_port}];
  if (!layout) layout = std::make_unique<RouterLayout>(context, ports, has_local_port);
  return *layout;
}

std::byte* RouterMemory::block(const RouterLayout& layout) {
  if (chunk_size_ - used_ < layout.bytes) {
    // Chunk sizes double, so that a small network takes little memory. Chunks of at least a large page use
    // large pages.
    const std::size_t wanted =
        std::max<std::size_t>({kFirstChunk, std::min(2 * chunk_size_, 8 * kLargePage), layout.bytes});
    const std::size_t size =
        wanted < kLargePage ? wanted : (wanted + kLargePage - 1) / kLargePage * kLargePage;
    chunks_.emplace_back(static_cast<std::byte*>(::operator new (size, std::align_val_t{kLargePage})));
    chunk_size_ = size;
#ifdef MADV_HUGEPAGE
    // Registers are spread over much memory: with small pages, most of the time would be spent in address
    // translation. This is only a hint to the kernel; no result depends on it.
    if (size >= kLargePage) madvise(chunks_.back().get(), size, MADV_HUGEPAGE);
#endif
    used_ = 0;
  }
  std::byte* const block = chunks_.back().get() + used_;
  used_ += layout.bytes;
  return block;
}

Word* RouterMemory::nobody(const RouterLayout& layout) {
  if (nobody_.empty()) nobody_.resize(layout.ring);
  return nobody_.data();
}

}  // namespace flitmend
