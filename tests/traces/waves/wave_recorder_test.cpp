// SPDX-License-Identifier: Apache-2.0
#include "traces/waves/wave_recorder.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random_stream.h"
#include "support/vcd_reader.h"
#include "traces/waves/glob.h"
#include "traces/waves/memory_sink.h"

namespace flitmend {
namespace {

enum class Colour : std::uint8_t { red, green, blue };

const WaveEnum& colour_words() {
  static const WaveEnum words{"colour", {{"red", "Red4"}, {"green", "DarkGreen"}, {"blue", "Navy"}}};
  return words;
}

// A module with a variable of every size and a record whose fields appear and disappear.
struct Module {
  bool flag = false;
  Colour colour = Colour::red;
  std::int16_t number = 0;
  std::uint32_t wide = 0;
  std::uint64_t widest = 0;
  bool has_head = false;
  std::uint32_t source = 0, destination = 0;

  static Word read(const Module& m, Word* values) {
    values[0] = m.has_head ? m.source : 0;
    values[1] = m.has_head ? m.destination : 0;
    values[2] = m.wide & 7;
    return m.has_head ? 0b111 : 0b100;
  }
  void shake(RandomStream& random) {
    // Few things change at a time, as in hardware.
    switch (random.below(6)) {
      case 0:
        flag = !flag;
        break;
      case 1:
        colour = static_cast<Colour>(random.below(3));
        break;
      case 2:
        number = static_cast<std::int16_t>(random.bits());
        break;
      case 3:
        wide = random.bits();
        break;
      case 4:
        widest = random.bits64();
        break;
      default:
        has_head = random.below(2);
        source = random.below(64);
        destination = random.below(64);
    }
  }
};

// Registers modules m0, m1, …, each in its own group.
void add_module(WaveRecorder& recorder, const Module& m) {
  static const WaveRecorder::Field kFields[] = {{"source", SignalKind::integer(6)},
                                                {"destination", SignalKind::integer(6)},
                                                {"low", SignalKind::integer(3)}};
  const auto group = recorder.add_group();
  const ScopeId scope = recorder.tree().scope(SignalTree::kRoot, "top.m" + std::to_string(group));
  recorder.add_variable(group, scope, "widest", SignalKind::hexadecimal(64), &m.widest);
  recorder.add_variable(group, scope, "flag", SignalKind::bit(), &m.flag);
  recorder.add_variable(group, scope, "wide", SignalKind::integer(32), &m.wide);
  recorder.add_record<&Module::read>(group, recorder.tree().scope(scope, "head"), kFields, &m);
  recorder.add_variable(group, scope, "colour", SignalKind::enumeration(colour_words()), &m.colour);
  recorder.add_variable(group, scope, "number", SignalKind::integer(16), &m.number);
}

using Values = std::map<std::string, VcdDump::Change>;  // time is not used

Values values_of(const Module& m, const std::string& name) {
  const auto value = [](std::uint64_t v) { return VcdDump::Change{0, false, v}; };
  const auto head = [&](std::uint64_t v) { return VcdDump::Change{0, !m.has_head, m.has_head ? v : 0}; };
  return {{name + ".flag", value(m.flag)},
          {name + ".colour", value(static_cast<unsigned>(m.colour))},
          {name + ".number", value(static_cast<std::uint16_t>(m.number))},
          {name + ".wide", value(m.wide)},
          {name + ".widest", value(m.widest)},
          {name + ".head.source", head(m.source)},
          {name + ".head.destination", head(m.destination)},
          {name + ".head.low", value(m.wide & 7)}};
}

void start(WaveRecorder& recorder, MemoryFile& file, const std::vector<std::string>& globs = {},
           WaveRecorder::Window window = {}, std::uint64_t period = 1'000'000) {
  recorder.start(std::make_unique<MemorySink>(file), Timescale::of_period(period),
                 select_signals(recorder.tree(), globs), window);
}

}  // namespace

TEST(WaveRecorder, WritesChangesOfActiveGroupsOnly) {
  Module a, b;
  WaveRecorder recorder;
  add_module(recorder, a);
  add_module(recorder, b);
  MemoryFile file;
  start(recorder, file, {"*.flag", "top.m1.head"});
  EXPECT_EQ(recorder.signal_count(), 5u);
  const auto cycle = [&](std::uint64_t now, Word active) { recorder.cycle(now, &active); };
  cycle(0, 0b11);
  a.flag = true;
  a.wide = 9;  // not recorded
  cycle(1, 0b01);
  b.has_head = true;
  b.destination = 33;
  cycle(2, 0b10);
  b.has_head = false;
  cycle(3, 0);  // inactive, but active one cycle earlier: what it had is gone
  a.flag = false;
  cycle(4, 0);  // this must not be recorded
  cycle(5, 0b01);
  recorder.finish(7);
  EXPECT_EQ(file.text,
            "$version Flitmend $end\n$timescale 1 ns $end\n"
            "$scope module top $end\n"
            "$scope module m0 $end\n$var wire 1 ! flag $end\n$upscope $end\n"
            "$scope module m1 $end\n$var wire 1 \" flag $end\n"
            "$scope module head $end\n$var wire 6 # source $end\n$var wire 6 $ destination $end\n"
            "$var wire 3 % low $end\n$upscope $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n"
            "#0\n$dumpvars\n0!\n0\"\nbz #\nbz $\nb0 %\n$end\n"
            "#1\n1!\n"
            "#2\nb0 #\nb100001 $\n"
            "#3\nbz #\nbz $\n"
            "#5\n0!\n"
            "#7\n");
}

TEST(WaveRecorder, AnAliasIsWrittenOnceWhicheverNameIsAskedFor) {
  static const WaveRecorder::Field kFields[] = {{"flit.source", SignalKind::integer(6)},
                                                {"flit.destination", SignalKind::integer(6)},
                                                {"low", SignalKind::bit()}};
  const auto record = [](const std::vector<std::string>& globs) {
    Module m;
    WaveRecorder recorder;
    const auto group = recorder.add_group();
    const ScopeId here = recorder.tree().scope(SignalTree::kRoot, "top.here");
    const ScopeId there = recorder.tree().scope(SignalTree::kRoot, "top.there");
    const SignalId first = recorder.add_record<&Module::read>(group, here, kFields, &m);
    recorder.add_alias(there, first, kFields);
    MemoryFile file;
    start(recorder, file, globs);
    const Word active = 1;
    recorder.cycle(0, &active);
    m.has_head = true;
    m.source = 5;
    m.wide = 1;
    recorder.cycle(1, &active);
    recorder.finish(2);
    return file.text;
  };
  EXPECT_EQ(record({"*.source"}),
            "$version Flitmend $end\n$timescale 1 ns $end\n"
            "$scope module top $end\n"
            "$scope module here $end\n$scope module flit $end\n$var wire 6 ! source $end\n$upscope $end\n"
            "$upscope $end\n"
            "$scope module there $end\n$scope module flit $end\n$var wire 6 ! source $end\n$upscope $end\n"
            "$upscope $end\n$upscope $end\n$enddefinitions $end\n"
            "#0\n$dumpvars\nbz !\n$end\n#1\nb101 !\n#2\n");
  EXPECT_EQ(read_vcd(record({"*.there.low"}))["top.there.low"].at(1).value, 1u);
  EXPECT_EQ(read_vcd(record({})).signals.size(), 6u);
}

// The dump contains the whole state of every cycle, for any choice of signals and any window.
TEST(WaveRecorder, GivesBackEveryStateOfARandomModel) {
  for (std::uint32_t trial = 0; trial < 6; ++trial) {
    RandomStream random(trial, RandomPurpose::test);
    constexpr unsigned kModules = 130, kCycles = 120;
    std::vector<Module> modules(kModules);
    WaveRecorder recorder;
    for (const Module& m : modules) add_module(recorder, m);
    WaveRecorder::Window window;
    if (trial % 3) window = {random.below(60), 60 + random.below(60)};
    const std::vector<std::vector<std::string>> globs{
        {}, {"*.head.*", "top.m7?"}, {"top.m12[0-9]", "*.flag"}};
    MemoryFile file;
    start(recorder, file, globs[trial % 3], window, 2'500'000);
    std::vector<Values> history;
    for (unsigned t = 0; t < kCycles; ++t) {
      std::vector<Word> active(mask_words(kModules));
      for (unsigned m = 0; m < kModules; ++m)
        if (random.below(3) == 0) {
          modules[m].shake(random);
          set_bit(active.data(), m);
        }
      recorder.cycle(t, active.data());
      history.emplace_back();
      for (unsigned m = 0; m < kModules; ++m)
        history.back().merge(values_of(modules[m], "top.m" + std::to_string(m)));
    }
    recorder.finish(kCycles);
    EXPECT_EQ(recorder.failure(), "");
    const VcdDump dump = read_vcd(file.text);
    EXPECT_EQ(dump.signals.size(), recorder.signal_count());
    EXPECT_EQ(dump.timescale, "100 ps");
    const std::uint64_t last = std::min<std::uint64_t>(window.to, kCycles - 1);
    EXPECT_EQ(dump.times.front(), window.from * 25);
    EXPECT_EQ(dump.times.back(), (last + 1) * 25);
    for (const auto& [name, signal] : dump.signals) {
      // Changes only.
      for (std::size_t i = 1; i < signal.changes.size(); ++i)
        ASSERT_FALSE(signal.changes[i].value == signal.changes[i - 1].value &&
                     signal.changes[i].absent == signal.changes[i - 1].absent)
            << name;
      for (std::uint64_t t = window.from; t <= last; ++t) {
        VcdDump::Change now = signal.at(t * 25);
        now.time = 0;
        ASSERT_EQ(now, history[t][name]) << name << " in cycle " << t << " of trial " << trial;
      }
    }
  }
}

TEST(WaveRecorder, AWindowThatNeverComesIsStillADump) {
  Module m;
  WaveRecorder recorder;
  add_module(recorder, m);
  MemoryFile file;
  start(recorder, file, {}, {100, 200});
  const Word active = 1;
  for (unsigned t = 0; t < 50; ++t) recorder.cycle(t, &active);
  recorder.finish(50);
  EXPECT_FALSE(recorder.begun());
  EXPECT_EQ(read_vcd(file.text).signals.size(), 8u);
}

TEST(WaveRecorder, ClosesBehindItsWindow) {
  Module m;
  WaveRecorder recorder;
  add_module(recorder, m);
  MemoryFile file;
  start(recorder, file, {}, {2, 4});
  const Word active = 1;
  for (unsigned t = 0; t < 5; ++t) {
    m.wide = t;
    recorder.cycle(t, &active);
  }
  EXPECT_TRUE(recorder.recording());
  EXPECT_FALSE(file.closed);
  recorder.cycle(5, &active);
  EXPECT_FALSE(recorder.recording());
  EXPECT_TRUE(file.closed);
  recorder.cycle(6, &active);
  recorder.finish(7);
  EXPECT_EQ(read_vcd(file.text).times, (std::vector<std::uint64_t>{2, 3, 4, 5}));
}

TEST(WaveRecorder, AFullDiskIsToldOnceAndTheModelGoesOn) {
  Module m;
  WaveRecorder recorder;
  add_module(recorder, m);
  MemoryFile file;
  file.room = 300'000;
  std::vector<std::string> told;
  recorder.on_failure([&](const std::string& text) { told.push_back(text); });
  start(recorder, file);
  RandomStream random(5, RandomPurpose::test);
  const Word active = 1;
  for (unsigned t = 0; t < 100'000; ++t) {
    m.shake(random);
    recorder.cycle(t, &active);
  }
  recorder.finish(100'000);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0], recorder.failure());
  const std::uint64_t end = read_vcd(file.text).times.back() + 1;
  EXPECT_EQ(told[0], "waves: full; the recording ends before cycle " + std::to_string(end) +
                         ", everything before that is readable");
}

TEST(WaveRecorder, NoRoomForTheNamesIsSeenAtTheStart) {
  Module m;
  WaveRecorder recorder;
  add_module(recorder, m);
  MemoryFile file;
  file.room = 100;
  start(recorder, file);
  EXPECT_FALSE(recorder.recording());
  EXPECT_TRUE(file.removed);
  EXPECT_EQ(recorder.failure(), "waves: full; there was no room for a first time step, so nothing was kept");
  const Word active = 1;
  recorder.cycle(0, &active);
  recorder.finish(1);
}

TEST(WaveRecorder, AHundredThousandSignals) {
  constexpr unsigned kModules = 12'500;
  std::vector<Module> modules(kModules);
  WaveRecorder recorder;
  for (const Module& m : modules) add_module(recorder, m);
  MemoryFile file;
  start(recorder, file);
  EXPECT_EQ(recorder.signal_count(), 100'000u);
  std::vector<Word> active(mask_words(kModules));
  recorder.cycle(0, active.data());
  for (unsigned m = 0; m < kModules; ++m) modules[m].widest = m;
  std::fill(active.begin(), active.end(), ~Word{0});
  active.back() = low_bits(kModules % kWordBits);
  recorder.cycle(1, active.data());
  recorder.finish(2);
  const VcdDump dump = read_vcd(file.text);
  ASSERT_EQ(dump.signals.size(), 100'000u);
  for (unsigned m = 0; m < kModules; ++m) {
    const auto& signal = dump["top.m" + std::to_string(m) + ".widest"];
    EXPECT_EQ(signal.at(1).value, m);
    EXPECT_EQ(signal.changes.size(), m ? 2u : 1u);
  }
}

TEST(WaveRecorder, RefusesWrongRegistrations) {
  Module m;
  WaveRecorder recorder;
  const ScopeId scope = recorder.tree().scope(SignalTree::kRoot, "top");
  EXPECT_THROW(recorder.add_variable(0, scope, "x", SignalKind::bit(), &m.flag), std::out_of_range);
  const auto group = recorder.add_group();
  EXPECT_THROW(recorder.add_record<&Module::read>(group, scope, {}, &m), std::invalid_argument);
  const std::vector<WaveRecorder::Field> many(WaveRecorder::kMaxFields + 1, {"f", SignalKind::bit()});
  EXPECT_THROW(recorder.add_record<&Module::read>(group, scope, many, &m), std::invalid_argument);
}

}  // namespace flitmend
