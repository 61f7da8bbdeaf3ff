// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace flitmend {

/// 128 bits that stand for the content of memory: different contents have the same with a probability of
/// 2^-128.
struct Digest {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  void add(const Digest& other) {
    low += other.low;
    high += other.high;
  }
  friend auto operator<=>(const Digest&, const Digest&) = default;
};
/// `words`: 8-byte words.
Digest digest_of(const void* memory, std::size_t words, std::uint64_t seed);

/// Memory in which a search builds its network, so that the network's whole state can be copied and restored.
/// The program that links this has an operator new of its own. One per process, and one thread. Linux.
class Arena {
 public:
  /// While one exists, operator new takes memory from the arena.
  class Inside {
   public:
    Inside();
    ~Inside();
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    bool before_;
  };

  /// A copy of the arena's state. Memory is kept for the next one.
  class Snapshot {
   public:
    Snapshot() = default;

   private:
    friend class Arena;
    struct Free {
      void operator()(char*) const;
    };
    std::unique_ptr<char, Free> pages_;
    std::size_t count_ = 0;
    std::size_t room_ = 0;
  };

  /// Everything is built: from now on, pages that are written are noted. No system call may write to the
  /// arena then.
  static void watch();
  static void stop_watching();
  static void save(Snapshot&);
  /// Of a snapshot taken since watch().
  static void restore(const Snapshot&);
  /// Of everything in the arena that has been written since watch(), whatever was written in between. Free
  /// memory does not count; it is cleared, so a snapshot must be restored afterwards.
  static Digest digest();
  /// Pages written since watch().
  static std::size_t pages_written();
};

}  // namespace flitmend
