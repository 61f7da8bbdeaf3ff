// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/bits.h"
#include "traces/waves/signal_tree.h"
#include "traces/waves/vcd_writer.h"

namespace flitmend {

/// Records signals of a clocked model, one sample per clock cycle, changes only.
///
/// 1. Everything that could be recorded is registered, in groups: what belongs to one group (a router) is
///    sampled together.
/// 2. start() chooses signals and opens the file.
/// 3. After each clock cycle, when the whole model has been evaluated, cycle() gets the groups that were
///    active. Only those, and those active one cycle earlier (what they sent has left them), are compared
///    with what was written last.
/// 4. finish() closes the file.
/// Registered objects must outlive the recording and must not move.
class WaveRecorder {
 public:
  using GroupId = std::uint32_t;  ///< numbered from 0 in order of add_group()

  /// A signal of a record. If kind.width is 0 there is none: the reader's value is ignored.
  struct Field {
    std::string_view name;  ///< below the record's scope; dots separate scopes ("head.source")
    SignalKind kind;
  };
  static constexpr unsigned kMaxFields = 64;
  /// Reads the fields of a record from its object: one value each, 0 if absent. Returns a mask of those that
  /// are present (bit i: field i); an absent one appears as z.
  using Reader = Word (*)(const void* object, Word* values);

  WaveRecorder() = default;
  WaveRecorder(const WaveRecorder&) = delete;
  WaveRecorder& operator=(const WaveRecorder&) = delete;

  SignalTree& tree() { return tree_; }
  const SignalTree& tree() const { return tree_; }

  GroupId add_group();
  GroupId group_count() const { return static_cast<GroupId>(groups_.size()); }

  /// A variable of 1, 2, 4 or 8 bytes: an integer, a bool or an enum.
  template <class T>
  void add_variable(GroupId group, ScopeId scope, std::string_view name, const SignalKind& kind,
                    const T* storage) {
    static_assert(std::is_integral_v<T> || std::is_enum_v<T>);
    add_storage(group, scope, name, kind, storage, sizeof(T));
  }
  /// Several signals that one function reads from one object:
  /// Word read(const Object&, Word* values), see Reader. Returns the first of the signals.
  template <auto read, class Object>
  SignalId add_record(GroupId group, ScopeId scope, std::span<const Field> fields, const Object* object) {
    return add_reader(group, scope, fields, object, [](const void* o, Word* values) {
      return read(*static_cast<const Object*>(o), values);
    });
  }

  /// Gives the signals of a record a second name: what two modules share appears in the scope of both, but is
  /// compared and written once. `first`: what add_record() returned.
  void add_alias(ScopeId scope, SignalId first, std::span<const Field> fields);

  /// The cycles that are recorded, both included.
  struct Window {
    std::uint64_t from = 0;
    std::uint64_t to = ~std::uint64_t{0};
  };
  /// Records the selected signals (one entry per signal of the tree) into the sink. Called once, after all
  /// registrations.
  void start(std::unique_ptr<ByteSink>, const Timescale&, const std::vector<bool>& selected, Window);
  /// Called once, with one line that says what happened, if the recording ends early or fail() is called.
  void on_failure(std::function<void(const std::string&)> listener) { listener_ = std::move(listener); }

  /// Whether a group has a signal that is recorded.
  bool watched(GroupId group) const { return group < groups_.size() && test_bit(watched_.data(), group); }
  /// The clock cycle `now` has been evaluated; `active` has one bit per group. Cycles come in order; one may
  /// be left out if nothing was active in it or in the one before. `tick`: the time of its edge, not before
  /// that of an earlier cycle.
  void cycle(std::uint64_t now, const Word* active, std::uint64_t tick) {
    if (due(now)) sample_cycle(now, active, tick);
  }
  /// The same for a clock whose cycles are evenly spaced.
  void cycle(std::uint64_t now, const Word* active) { cycle(now, active, timescale_.tick_of(now)); }
  /// Whether cycle(now) would do anything: false before the window and once the recording has ended.
  bool due(std::uint64_t now) const { return now >= next_; }
  /// The first cycle after `now` that may not be left out: that in which the window begins. ~0: none.
  std::uint64_t needed_after(std::uint64_t now) const {
    return begun_ ? ~std::uint64_t{0} : std::max(next_, now + 1);
  }
  /// Something has changed between cycles: every group is sampled in the next one.
  void sample_all_next();
  /// Ends the recording; `now` is the number of clock cycles that were evaluated. Later calls do nothing.
  void finish(std::uint64_t now);
  /// The same at a time.
  void finish_at(std::uint64_t tick);
  /// Something that belongs to the recording could not be written: makes this its failure if it has none.
  void fail(const std::string& why);
  /// Writes what was recorded to the file.
  void flush();
  /// The same in the handler of a signal that ends the process.
  void rescue() noexcept {
    if (writer_) writer_->rescue();
  }

  bool recording() const { return writer_ && writer_->open(); }
  /// Whether the window has begun.
  bool begun() const { return begun_; }
  /// Why the recording ended early or is not complete, "" if nothing failed.
  const std::string& failure() const { return failure_; }
  /// Signals that are recorded.
  std::size_t signal_count() const { return selected_count_; }
  /// The first and the last cycle that have been recorded, with the ticks of their edges.
  struct Recorded {
    std::uint64_t first_cycle = 0, last_cycle = 0;
    std::uint64_t first_tick = 0, last_tick = 0;
    std::uint64_t spacing = 1;  ///< ticks between the last two
  };
  const Recorded& recorded() const { return recorded_; }

 private:
  struct Stored {  // a variable
    const void* at;
    Word last;
  };
  struct Record {
    const void* object;
    Reader read;
    Word present;         // fields that were present when last written
    Word selected;        // fields that are recorded
    std::uint32_t first;  // index of the value and variable of its first field
    std::uint32_t fields;
  };
  struct Group {
    std::uint32_t stored[5] = {};  // ranges of the variables of 1, 2, 4 and 8 bytes
    std::uint32_t first_record = 0, end_record = 0;
  };
  struct Registration {  // until start()
    GroupId group;
    std::uint32_t bytes;  // of a variable; 0: a record
    SignalId signal;      // its first one
    std::uint32_t fields;
    Word used;  // fields that have a signal
    const void* object;
    Reader read;
  };

  void add_storage(GroupId, ScopeId, std::string_view name, const SignalKind&, const void*,
                   std::size_t bytes);
  SignalId add_reader(GroupId, ScopeId, std::span<const Field>, const void* object, Reader);
  SignalId add_field(ScopeId, const Field&);
  void lay_out(const std::vector<VcdWriter::Variable>& variables);
  void sample_cycle(std::uint64_t now, const Word* active, std::uint64_t tick);
  void begin(std::uint64_t now, std::uint64_t tick);
  void step(std::uint64_t now, std::uint64_t tick);
  template <bool everything>
  void sample(const Group&);
  template <class T, bool everything>
  void sample_stored(std::uint32_t first, std::uint32_t end);
  template <bool everything>
  void sample_record(Record&);
  void check();
  /// The cycle of a tick, or its time.
  std::string described(std::uint64_t tick) const;

  SignalTree tree_;
  std::vector<SignalId> original_;  // by signal: what it is an alias of, or itself
  std::vector<Registration> registrations_;
  std::vector<Group> groups_;
  std::vector<Stored> stored_;
  std::vector<VcdWriter::Variable> stored_variables_;
  std::vector<Record> records_;
  std::vector<Word> values_;  // of the fields of records
  std::vector<VcdWriter::Variable> variables_;
  std::vector<Word> watched_, before_;  // masks of groups: those recorded; those active in the last cycle
  std::unique_ptr<VcdWriter> writer_;
  Window window_;
  std::uint64_t next_ = ~std::uint64_t{0};  // cycles before this one are not recorded
  Timescale timescale_;
  Recorded recorded_;
  std::size_t selected_count_ = 0;
  bool begun_ = false;
  std::string failure_;
  std::function<void(const std::string&)> listener_;
};

}  // namespace flitmend
