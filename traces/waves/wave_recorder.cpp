// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/wave_recorder.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/text.h"

namespace flitmend {
namespace {

// Variables by size: 1, 2, 4, 8 bytes.
unsigned size_class(std::uint32_t bytes) {
  return static_cast<unsigned>(std::countr_zero(bytes)) & 3u;
}

// Declares the recorded signals below a scope; scopes without any do not appear.
class Declarations {
 public:
  Declarations(const SignalTree& tree, const std::vector<SignalId>& original,
               const std::vector<bool>& selected, VcdWriter& writer)
      : tree_(tree),
        original_(original),
        selected_(selected),
        writer_(writer),
        used_(tree.scope_count(), false),
        variables_(tree.signal_count()) {
    for (SignalId s = 0; s < tree.signal_count(); ++s)
      if (selected[s])
        for (ScopeId scope = tree.scope_of(s); !used_[scope]; scope = tree.parent(scope)) used_[scope] = true;
    visit(SignalTree::kRoot);
    writer_.end_declarations();
  }
  // By signal; length 0 if neither the signal nor an alias of it is recorded.
  const std::vector<VcdWriter::Variable>& variables() const { return variables_; }

 private:
  void visit(ScopeId scope) {
    for (const SignalId s : tree_.signals(scope)) {
      if (!selected_[s]) continue;
      VcdWriter::Variable& variable = variables_[original_[s]];
      if (variable.length == 0)
        variable = writer_.declare(tree_.signal_name(s), tree_.kind(s).width);
      else
        writer_.declare_alias(tree_.signal_name(s), variable);
    }
    for (const ScopeId c : tree_.children(scope)) {
      if (!used_[c]) continue;
      writer_.begin_scope(tree_.scope_name(c));
      visit(c);
      writer_.end_scope();
    }
  }

  const SignalTree& tree_;
  const std::vector<SignalId>& original_;
  const std::vector<bool>& selected_;
  VcdWriter& writer_;
  std::vector<bool> used_;
  std::vector<VcdWriter::Variable> variables_;
};

}  // namespace

WaveRecorder::GroupId WaveRecorder::add_group() {
  groups_.emplace_back();
  return static_cast<GroupId>(groups_.size() - 1);
}

void WaveRecorder::add_storage(GroupId group, ScopeId scope, std::string_view name, const SignalKind& kind,
                               const void* storage, std::size_t bytes) {
  if (group >= groups_.size()) throw std::out_of_range("no such group of signals");
  const SignalId signal = add_field(scope, {name, kind});
  registrations_.push_back({group, static_cast<std::uint32_t>(bytes), signal, 1, 1, storage, nullptr});
}

SignalId WaveRecorder::add_reader(GroupId group, ScopeId scope, std::span<const Field> fields,
                                  const void* object, Reader read) {
  if (group >= groups_.size()) throw std::out_of_range("no such group of signals");
  if (fields.empty() || fields.size() > kMaxFields)
    throw std::invalid_argument(formatted("a record has 1 to %1% fields", kMaxFields));
  const auto first = static_cast<SignalId>(tree_.signal_count());
  Word used = 0;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (fields[f].kind.width == 0) continue;
    used |= Word{1} << f;
    add_field(scope, fields[f]);
  }
  registrations_.push_back({group, 0, first, static_cast<std::uint32_t>(fields.size()), used, object, read});
  return first;
}

SignalId WaveRecorder::add_field(ScopeId scope, const Field& field) {
  const std::size_t dot = field.name.rfind('.');
  std::string_view name = field.name;
  if (dot != std::string_view::npos) {
    scope = tree_.scope(scope, name.substr(0, dot));
    name.remove_prefix(dot + 1);
  }
  const SignalId signal = tree_.add_signal(scope, name, field.kind);
  original_.push_back(signal);
  return signal;
}

void WaveRecorder::add_alias(ScopeId scope, SignalId first, std::span<const Field> fields) {
  for (const Field& f : fields)
    if (f.kind.width > 0) original_[add_field(scope, f)] = original_[first++];
}

void WaveRecorder::start(std::unique_ptr<ByteSink> sink, const Timescale& timescale,
                         const std::vector<bool>& selected, Window window) {
  if (writer_) throw std::logic_error("a recording is started once");
  writer_ = std::make_unique<VcdWriter>(std::move(sink), timescale);
  window_ = window;
  next_ = window.from;
  timescale_ = timescale;
  recorded_.spacing = timescale.ticks;
  lay_out(Declarations(tree_, original_, selected, *writer_).variables());
  // Somebody who opens the file while the simulation runs finds all names; a full disk is noticed at once.
  writer_->flush();
  check();
}

// What is sampled together is stored together: sorted by group, then by size.
void WaveRecorder::lay_out(const std::vector<VcdWriter::Variable>& variables) {
  std::stable_sort(registrations_.begin(), registrations_.end(),
                   [](const Registration& a, const Registration& b) {
                     return a.group != b.group ? a.group < b.group : a.bytes < b.bytes;
                   });
  watched_.assign(mask_words(group_count()), 0);
  before_ = watched_;
  auto r = registrations_.begin();
  for (GroupId g = 0; g < group_count(); ++g) {
    Group& group = groups_[g];
    group.first_record = static_cast<std::uint32_t>(records_.size());
    std::uint32_t count[4] = {};
    group.stored[0] = static_cast<std::uint32_t>(stored_.size());
    for (; r != registrations_.end() && r->group == g; ++r) {
      Word mask = 0;
      std::vector<VcdWriter::Variable> own(r->fields);
      for (std::uint32_t f = 0, signal = r->signal; f < r->fields; ++f) {
        if (!(r->used >> f & 1)) continue;
        own[f] = variables[signal++];
        mask |= Word{own[f].length != 0} << f;
      }
      if (!mask) continue;
      selected_count_ += static_cast<std::size_t>(std::popcount(mask));
      if (r->bytes) {
        stored_.push_back({r->object, 0});
        stored_variables_.push_back(own.front());
        ++count[size_class(r->bytes)];
      } else {
        records_.push_back(
            {r->object, r->read, 0, mask, static_cast<std::uint32_t>(values_.size()), r->fields});
        values_.insert(values_.end(), r->fields, 0);
        variables_.insert(variables_.end(), own.begin(), own.end());
      }
    }
    for (unsigned i = 0; i < 4; ++i) group.stored[i + 1] = group.stored[i] + count[i];
    group.end_record = static_cast<std::uint32_t>(records_.size());
    if (group.end_record > group.first_record || group.stored[4] > group.stored[0])
      set_bit(watched_.data(), g);
  }
  registrations_ = {};
}

template <class T, bool everything>
void WaveRecorder::sample_stored(std::uint32_t first, std::uint32_t end) {
  for (std::uint32_t i = first; i < end; ++i) {
    const Word now = *static_cast<const T*>(stored_[i].at);
    if (everything || now != stored_[i].last) {
      stored_[i].last = now;
      writer_->change(stored_variables_[i], now);
    }
  }
}

template <bool everything>
void WaveRecorder::sample_record(Record& record) {
  Word now[kMaxFields];
  const Word present = record.read(record.object, now);
  Word* const last = &values_[record.first];
  // Most registers of a router keep their values through most cycles.
  const std::size_t bytes = record.fields * sizeof(Word);
  if (!everything && present == record.present && std::memcmp(now, last, bytes) == 0) return;
  Word changed = everything ? ~Word{0} : present ^ record.present;
  for (unsigned f = 0; f < record.fields; ++f) changed |= Word{now[f] != last[f]} << f;
  std::memcpy(last, now, bytes);
  record.present = present;
  for (changed &= record.selected; changed; changed &= changed - 1) {
    const auto f = static_cast<unsigned>(std::countr_zero(changed));
    if (present >> f & 1)
      writer_->change(variables_[record.first + f], now[f]);
    else
      writer_->change_to_absent(variables_[record.first + f]);
  }
}

template <bool everything>
void WaveRecorder::sample(const Group& group) {
  sample_stored<std::uint8_t, everything>(group.stored[0], group.stored[1]);
  sample_stored<std::uint16_t, everything>(group.stored[1], group.stored[2]);
  sample_stored<std::uint32_t, everything>(group.stored[2], group.stored[3]);
  sample_stored<std::uint64_t, everything>(group.stored[3], group.stored[4]);
  for (std::uint32_t r = group.first_record; r < group.end_record; ++r)
    sample_record<everything>(records_[r]);
}

void WaveRecorder::begin(std::uint64_t now, std::uint64_t tick) {
  begun_ = true;
  recorded_.first_cycle = recorded_.last_cycle = now;
  recorded_.first_tick = recorded_.last_tick = tick;
  writer_->step(tick);
  writer_->begin_initial_values();
  for (const Group& group : groups_) sample<true>(group);
  writer_->end_initial_values();
}

// A clock without a period may have several edges at one time: the file shows the last.
void WaveRecorder::step(std::uint64_t now, std::uint64_t tick) {
  if (tick != recorded_.last_tick) {
    recorded_.spacing = (tick - recorded_.last_tick) / (now - recorded_.last_cycle);
    writer_->step(tick);
  }
  recorded_.last_cycle = now;
  recorded_.last_tick = tick;
}

void WaveRecorder::sample_cycle(std::uint64_t now, const Word* active, std::uint64_t tick) {
  if (now > window_.to) {
    finish_at(now == window_.to + 1 ? tick : timescale_.tick_of(window_.to + 1));
    return;
  }
  if (!begun_) {
    begin(now, tick);
    std::copy_n(active, before_.size(), before_.begin());
  } else {
    step(now, tick);
    for (std::size_t w = 0; w < before_.size(); ++w) {
      Word rest = (active[w] | before_[w]) & watched_[w];
      before_[w] = active[w];
      for (; rest; rest &= rest - 1)
        sample<false>(groups_[w * kWordBits + static_cast<unsigned>(std::countr_zero(rest))]);
    }
  }
  if (!writer_->open()) check();
}

void WaveRecorder::sample_all_next() {
  before_ = watched_;
}

void WaveRecorder::flush() {
  if (!recording()) return;
  writer_->flush();
  check();
}

void WaveRecorder::finish(std::uint64_t now) {
  if (!recording()) return;
  const std::uint64_t end = now > window_.to ? window_.to + 1 : now;
  finish_at(timescale_.tick_of(std::max(end, window_.from)));
}

void WaveRecorder::finish_at(std::uint64_t tick) {
  if (!recording()) return;
  writer_->close(tick);
  check();
}

void WaveRecorder::fail(const std::string& why) {
  if (!failure_.empty()) return;
  failure_ = "waves: " + why;
  if (listener_) listener_(failure_);
}

std::string WaveRecorder::described(std::uint64_t tick) const {
  if (timescale_.even) return formatted("cycle %1%", (tick - timescale_.first_tick) / timescale_.ticks);
  return formatted("%1% %2%", tick * timescale_.magnitude, timescale_.unit);
}

// Called after anything that may have met a full disk.
void WaveRecorder::check() {
  next_ = writer_->open() ? next_ : ~std::uint64_t{0};
  if (!failure_.empty() || writer_->failure().empty()) return;
  std::string why = writer_->failure() + "; ";
  if (writer_->nothing_kept())
    why += "there was no room for a first time step, so nothing was kept";
  else if (writer_->damaged())
    why += "the file is not complete";
  else
    why += "the recording ends before " + described(writer_->lost_from()) +
           ", everything before that is readable";
  fail(why);
}

}  // namespace flitmend
