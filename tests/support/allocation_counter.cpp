// SPDX-License-Identifier: Apache-2.0
#include "support/allocation_counter.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
#include <execinfo.h>
#include <unistd.h>
#define FLITMEND_COUNTS_MALLOC 1
#endif

namespace flitmend {
namespace {

std::atomic<std::uint64_t> allocation_count{0};

#ifdef FLITMEND_COUNTS_MALLOC
std::atomic<unsigned> stacks_left{0};

void count_allocation() {
  ++allocation_count;
  if (stacks_left == 0) return;
  static thread_local bool inside = false;  // the stack walk may itself allocate
  if (inside) return;
  inside = true;
  --stacks_left;
  void* stack[24];
  backtrace_symbols_fd(stack, backtrace(stack, 24), STDERR_FILENO);
  inside = false;
}
#else
void* counted(std::size_t bytes, std::size_t alignment) {
  ++allocation_count;
  void* p = alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__
                ? std::malloc(bytes ? bytes : 1)
                : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!p) throw std::bad_alloc();
  return p;
}
#endif

}  // namespace

std::uint64_t allocations() {
  return allocation_count;
}

void show_next_allocations([[maybe_unused]] unsigned count) {
#ifdef FLITMEND_COUNTS_MALLOC
  stacks_left = count;
#endif
}

}  // namespace flitmend

#ifdef FLITMEND_COUNTS_MALLOC

// The program's definitions replace those of the C library, also in its shared libraries.
extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) {
  flitmend::count_allocation();
  return __libc_malloc(bytes);
}
void* calloc(std::size_t number, std::size_t bytes) {
  flitmend::count_allocation();
  return __libc_calloc(number, bytes);
}
void* realloc(void* p, std::size_t bytes) {
  flitmend::count_allocation();
  return __libc_realloc(p, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  flitmend::count_allocation();
  return __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return memalign(alignment, bytes);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t bytes) {
  void* const memory = memalign(alignment, bytes);
  if (!memory) return ENOMEM;
  *p = memory;
  return 0;
}
}

#else

// The array forms call these. The nothrow form of a sanitizer does not, and its delete would not match.
void* operator new(std::size_t bytes) {
  return flitmend::counted(bytes, 0);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return flitmend::counted(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return flitmend::counted(bytes, 0);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
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

#endif
