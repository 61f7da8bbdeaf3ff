#include "support/allocation_counter.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace flitmend {
namespace {
std::atomic<std::uint64_t> count{0};

void* counted(std::size_t bytes, std::size_t alignment) {
  ++count;
  void* p = alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
                ? std::malloc(bytes ? bytes : 1)
                : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!p) throw std::bad_alloc();
  return p;
}
}  // namespace

std::uint64_t allocations() {
  return count;
}

}  // namespace flitmend

// The array and nothrow forms call these.
void* operator new(std::size_t bytes) {
  return flitmend::counted(bytes, 0);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return flitmend::counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}
