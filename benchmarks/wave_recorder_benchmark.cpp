// SPDX-License-Identifier: Apache-2.0
// The cost of recording: comparing signals that do not change, and writing those that do.
#include <benchmark/benchmark.h>

#include <vector>

#include "base/text.h"
#include "traces/waves/wave_recorder.h"

namespace flitmend {
namespace {

class Nowhere final : public ByteSink {
 public:
  State write(const char* bytes, std::size_t count) override {
    benchmark::DoNotOptimize(bytes);
    size_ += count;
    return State::open;
  }
  std::uint64_t size() const override { return size_; }
  void cut(std::uint64_t) override {}
  bool close() override { return true; }
  void rescue(const char*, std::size_t) noexcept override {}
  const std::string& error() const override { return error_; }

 private:
  std::uint64_t size_ = 0;
  std::string error_;
};

// As large as a router's virtual channel: one record of eight fields.
struct Part {
  std::uint32_t fields[8] = {};

  static Word read(const Part& p, Word* values) {
    for (int i = 0; i < 8; ++i) values[i] = p.fields[i];
    return 0xff;
  }
};

constexpr unsigned kGroups = 64, kPartsOfAGroup = 20;

template <bool records>
void sample(benchmark::State& state) {
  const auto changes = static_cast<std::size_t>(state.range(0));  // signals that change per cycle
  static const WaveRecorder::Field kFields[] = {
      {"f0", SignalKind::integer(3)}, {"f1", SignalKind::integer(2)},  {"f2", SignalKind::integer(4)},
      {"f3", SignalKind::integer(4)}, {"f4", SignalKind::integer(16)}, {"f5", SignalKind::integer(6)},
      {"f6", SignalKind::integer(6)}, {"f7", SignalKind::integer(32)}};
  std::vector<Part> parts(kGroups * kPartsOfAGroup);
  WaveRecorder recorder;
  for (unsigned g = 0; g < kGroups; ++g) {
    recorder.add_group();
    for (unsigned i = 0; i < kPartsOfAGroup; ++i) {
      const Part& part = parts[g * kPartsOfAGroup + i];
      const ScopeId scope = recorder.tree().scope(SignalTree::kRoot, formatted("top.group%1%.part%2%", g, i));
      if constexpr (records)
        recorder.add_record<&Part::read>(g, scope, kFields, &part);
      else
        for (unsigned f = 0; f < 8; ++f)
          recorder.add_variable(g, scope, kFields[f].name, kFields[f].kind, &part.fields[f]);
    }
  }
  recorder.start(std::make_unique<Nowhere>(), Timescale::of_period(1'000'000),
                 std::vector<bool>(recorder.tree().signal_count(), true), {});
  const Word active = ~Word{0};
  std::uint64_t now = 0;
  std::size_t next = 0;
  for (auto _ : state) {
    for (std::size_t c = 0; c < changes; ++c) {
      ++parts[next % parts.size()].fields[next % 8];
      next += 37;
    }
    recorder.cycle(now++, &active);
  }
  recorder.finish(now);
  const auto signals = static_cast<double>(parts.size() * 8) * static_cast<double>(state.iterations());
  state.counters["ns/compared"] =
      benchmark::Counter(signals / 1e9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  if (changes)
    state.counters["ns/changed"] =
        benchmark::Counter(static_cast<double>(changes) * static_cast<double>(state.iterations()) / 1e9,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK_TEMPLATE(sample, false)->Name("variables")->Arg(0)->Arg(1'000)->Arg(5'000);
BENCHMARK_TEMPLATE(sample, true)->Name("records")->Arg(0)->Arg(1'000)->Arg(5'000);

void closed_window(benchmark::State& state) {
  WaveRecorder recorder;
  const Word active = 1;
  std::uint64_t now = 0;
  for (auto _ : state) {
    recorder.cycle(now++, &active);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(closed_window);

}  // namespace
}  // namespace flitmend
