// SPDX-License-Identifier: Apache-2.0
#include "exploration/search/arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

namespace flitmend {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kBytes = std::size_t{1} << 32;  // reserved, not taken
constexpr std::size_t kPages = kBytes / kPage;
constexpr std::size_t kUnit = 16;       // alignment of every block, and its header
constexpr std::size_t kFineSizes = 64;  // blocks of up to 64 units: a list per size; larger: per power of two
constexpr std::size_t kSizes = kFineSizes + 33;

/// Before each block.
struct alignas(kUnit) Header {
  std::uint32_t size;    ///< index of its list
  std::uint32_t before;  ///< bytes from the start of the block to the header
};

/// At the start of the arena, so that a snapshot restores it too.
struct Allocator {
  char* next;
  void* free[kSizes];
};

// All of this is outside of the arena.
char* arena = nullptr;
char* original = nullptr;          // by page: its content when watch() was called
std::uint32_t* written = nullptr;  // pages written since then
std::size_t written_count = 0;
Digest* before = nullptr;  // of their original content
bool in_use = false;

char* reserve(std::size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    constexpr char kText[] = "flitmend-search: cannot reserve memory; raise ulimit -v\n";
    [[maybe_unused]] const auto ignored = write(STDERR_FILENO, kText, sizeof kText - 1);
    std::_Exit(5);
  }
  return static_cast<char*>(memory);
}

Allocator& allocator() {
  return *reinterpret_cast<Allocator*>(arena);
}

void open_arena() {
  arena = reserve(kBytes);
  allocator().next = arena + (sizeof(Allocator) + kUnit - 1) / kUnit * kUnit;
}

bool in_arena(const void* p) {
  return arena && p >= arena && p < arena + kBytes;
}

struct Size {
  std::uint32_t list;
  std::size_t bytes;
};

/// Of a block with room for `bytes` bytes.
Size size_for(std::size_t bytes) {
  const std::size_t units = (bytes + kUnit - 1) / kUnit;
  if (units <= kFineSizes) return {static_cast<std::uint32_t>(units), units * kUnit};
  const auto log = static_cast<std::uint32_t>(std::bit_width(units - 1));
  return {static_cast<std::uint32_t>(kFineSizes) + log, kUnit << log};
}

/// Of a block of that list.
std::size_t bytes_of(std::uint32_t list) {
  return list <= kFineSizes ? list * kUnit : kUnit << (list - kFineSizes);
}

void* allocate_inside(std::size_t bytes, std::size_t alignment) {
  if (!arena) open_arena();
  const std::size_t slack = alignment > kUnit ? alignment : 0;
  const Size size = size_for(bytes + sizeof(Header) + slack);
  Allocator& from = allocator();
  char* block = static_cast<char*>(from.free[size.list]);
  if (block) {
    std::memcpy(&from.free[size.list], block, sizeof(void*));
  } else {
    if (size.bytes > static_cast<std::size_t>(arena + kBytes - from.next)) return nullptr;
    block = from.next;
    from.next += size.bytes;
  }
  char* data = block + sizeof(Header);
  if (slack) data += (alignment - reinterpret_cast<std::uintptr_t>(data) % alignment) % alignment;
  Header* const header = reinterpret_cast<Header*>(data) - 1;
  *header = {size.list, static_cast<std::uint32_t>(reinterpret_cast<char*>(header) - block)};
  return data;
}

void free_inside(void* data) {
  const Header header = reinterpret_cast<Header*>(data)[-1];
  char* const block = static_cast<char*>(data) - sizeof(Header) - header.before;
  std::memset(block, 0, bytes_of(header.size));  // so that free memory is the same whatever it contained
  void*& list = allocator().free[header.size];
  std::memcpy(block, &list, sizeof(void*));
  list = block;
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  void* const memory = in_use ? allocate_inside(bytes, alignment)
                       : alignment > kUnit
                           ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
                           : std::malloc(bytes ? bytes : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void release(void* memory) {
  if (in_arena(memory))
    free_inside(memory);
  else
    std::free(memory);
}

/// The first write to a page since watch().
void page_written(int signal, siginfo_t* info, void*) {
  if (!in_arena(info->si_addr)) {
    std::signal(signal, SIG_DFL);  // the instruction runs again, and the process ends
    return;
  }
  const std::size_t page = static_cast<std::size_t>(static_cast<char*>(info->si_addr) - arena) / kPage;
  std::memcpy(original + page * kPage, arena + page * kPage, kPage);
  before[written_count] = digest_of(original + page * kPage, kPage / 8, page);
  mprotect(arena + page * kPage, kPage, PROT_READ | PROT_WRITE);
  written[written_count++] = static_cast<std::uint32_t>(page);
}

}  // namespace

Arena::Inside::Inside() : before_(in_use) {
  in_use = true;
}
Arena::Inside::~Inside() {
  in_use = before_;
}

void Arena::Snapshot::Free::operator()(char* memory) const {
  std::free(memory);
}

void Arena::watch() {
  if (!arena) open_arena();
  original = reserve(kBytes);
  written = reinterpret_cast<std::uint32_t*>(reserve(kPages * sizeof *written));
  before = reinterpret_cast<Digest*>(reserve(kPages * sizeof *before));
  std::fill(std::begin(allocator().free), std::end(allocator().free),
            nullptr);  // digest() need not clear these
  struct sigaction action {};
  action.sa_sigaction = page_written;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  mprotect(arena, kBytes, PROT_READ);
}

void Arena::stop_watching() {
  mprotect(arena, kBytes, PROT_READ | PROT_WRITE);
}

void Arena::save(Snapshot& snapshot) {
  if (snapshot.room_ < written_count) {
    snapshot.room_ = 2 * written_count;
    snapshot.pages_.reset(static_cast<char*>(std::malloc(snapshot.room_ * kPage)));
    if (!snapshot.pages_) throw std::bad_alloc();
  }
  snapshot.count_ = written_count;
  for (std::size_t i = 0; i < written_count; ++i)
    std::memcpy(snapshot.pages_.get() + i * kPage, arena + written[i] * kPage, kPage);
}

void Arena::restore(const Snapshot& snapshot) {
  for (std::size_t i = 0; i < snapshot.count_; ++i)
    std::memcpy(arena + written[i] * kPage, snapshot.pages_.get() + i * kPage, kPage);
  for (std::size_t i = snapshot.count_; i < written_count; ++i)
    std::memcpy(arena + written[i] * kPage, original + written[i] * kPage, kPage);
}

Digest digest_of(const void* memory, std::size_t words, std::uint64_t seed) {
  using Wide = unsigned __int128;
  constexpr std::uint64_t kOdd[] = {0xa0761d6478bd642full, 0xe7037ed1a0b428dbull, 0x8ebc6af09c88c6e3ull,
                                    0x589965cc75374cc3ull};
  const auto mixed = [](std::uint64_t a, std::uint64_t b) {
    const Wide product = Wide{a} * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  const auto* const bytes = static_cast<const char*>(memory);
  const auto word = [&](std::size_t i) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes + 8 * i, 8);
    return value;
  };
  std::uint64_t a = seed ^ kOdd[0], b = seed + kOdd[1], c = seed * kOdd[2], d = ~seed ^ kOdd[3];
  std::size_t i = 0;
  for (; i + 4 <= words; i += 4) {
    const std::uint64_t w[4] = {word(i), word(i + 1), word(i + 2), word(i + 3)};
    a = mixed(a ^ w[0], w[1] ^ kOdd[1]);
    b = mixed(b ^ w[2], w[3] ^ kOdd[2]);
    c = mixed(c ^ w[3], w[0] ^ kOdd[3]);
    d = mixed(d ^ w[1], w[2] ^ kOdd[0]);
  }
  for (; i < words; ++i) {
    a = mixed(a ^ word(i), kOdd[1]);
    c = mixed(c ^ word(i), kOdd[3]);
  }
  return {mixed(a ^ kOdd[2], b ^ seed), mixed(c ^ kOdd[0], d + seed)};
}

Digest Arena::digest() {
  allocator().next = nullptr;
  for (std::size_t list = 0; list < kSizes; ++list)
    for (void* block = std::exchange(allocator().free[list], nullptr); block;) {
      void* next = nullptr;
      std::memcpy(&next, block, sizeof next);
      std::memset(block, 0, sizeof next);
      block = next;
    }
  Digest sum;
  for (std::size_t i = 0; i < written_count; ++i) {
    const std::size_t page = written[i];
    Digest change = digest_of(arena + page * kPage, kPage / 8, page);
    change.low -= before[i].low;  // 0 for a page with its original content
    change.high -= before[i].high;
    sum.add(change);
  }
  return sum;
}

std::size_t Arena::pages_written() {
  return written_count;
}

}  // namespace flitmend

// The program's own operator new and delete. The other forms call these.
void* operator new(std::size_t bytes) {
  return flitmend::allocate(bytes, flitmend::kUnit);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return flitmend::allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  flitmend::release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  flitmend::release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  flitmend::release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  flitmend::release(memory);
}
