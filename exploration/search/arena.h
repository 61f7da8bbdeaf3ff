// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>

namespace flitmend {

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
  /// Pages written since watch().
  static std::size_t pages_written();
};

}  // namespace flitmend
