// SPDX-License-Identifier: Apache-2.0
// What a run writes is the same for any number of threads: one of 2, 3 and 16 with each network, all at
// night.
#include <algorithm>

#include "protocols/recovery/registry.h"
#include "support/every_nth.h"
#include "support/key_effect_bases.h"
#include "support/program_fixture.h"

namespace flitmend {
namespace {

using test::KeyEffectBase;

/// Networks whose routers do not fill words of 64, with every switching technique, buffers of one flit, one
/// virtual channel, long links, switches, and faults under every recovery protocol.
std::vector<KeyEffectBase> bases() {
  std::vector<KeyEffectBase> all = test::key_effect_bases();
  const std::string busy =
      "simulation: {warmup: 30, measure: 300, max_cycles: 9000}\ntraffic: {load: 0.4, message_length: 4}\n";
  all.push_back({"OddMesh", "network: {size: [11, 7]}\n" + busy});
  all.push_back(
      {"OneVcOfOneFlit", "network: {size: [9, 8]}\nrouter: {virtual_channels: 1, input_buffer: 1}\n" + busy});
  all.push_back({"LongLinks", "network: {topology: torus, size: [9, 5]}\nlink: {latency: 13}\n" + busy});
  all.push_back(
      {"StoreAndForward",
       "network: {size: [9, 8]}\nrouter: {switching: store-and-forward, input_buffer: 8}\n" + busy});
  const auto classes = [](const std::string& router, const std::string& keys) {
    return "network: {size: [9, 8]}\nrouter: {" + router + "}\ntraffic: {classes: [{name: a" + keys +
           "}, {name: b" + keys +
           "}], flows: [{pattern: uniform, load: 0.2, class: a}, {pattern: hotspot, load: 0.2, class: b}]}\n"
           "simulation: {warmup: 30, measure: 300, max_cycles: 9000}\n";
  };
  all.push_back({"WeightedClasses", classes("arbitration: weighted", ", weight: 3, virtual_channels: own")});
  all.push_back({"StrictClasses", classes("arbitration: strict, virtual_channels: 13", ", priority: 2")});
  all.push_back({"OldestClasses", classes("arbitration: oldest-first, crossbar: virtual-channel-inputs",
                                          ", virtual_channels: own")});
  all.push_back({"ClassesBehindOutputBuffers",
                 classes("preset: sbrp, arbitration: weighted", ", weight: 3, virtual_channels: own")});
  all.push_back({"Pair", "network: {size: [2, 1]}\n" + busy});
  all.push_back({"WideRouters", "network: {topology: kns, k: 9, n: 2}\nrouter: {preset: kns}\n" + busy});
  all.push_back(
      {"FaultyCollectives",
       "network: {size: [9, 2]}\nrecovery: {protocol: sbrp-1}\nfaults: {link_rate: 1e-4, duration: 60}\n"
       "traffic: {collectives: [{collective: all-reduce, bytes: 300}, {collective: all-to-all, bytes: "
       "500}]}\nsimulation: {max_cycles: 90000}\n"});
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const RecoveryEntry& entry : recovery_protocols().entries()) {
      list.push_back("Faults_" + std::string(entry.name));
      std::replace(list.back().begin(), list.back().end(), '-', '_');
    }
    return list;
  }();
  for (std::size_t i = 0; i < names.size(); ++i)
    all.push_back(
        {names[i].c_str(), "network: {size: [9, 8]}\nrecovery: {protocol: " +
                               std::string(recovery_protocols().entries()[i].name) +
                               "}\nfaults: {node_rate: 2e-4, link_rate: 4e-4, duration: 60}\n"
                               "routing: {head_wait_cycles: 20}\ntraffic: {load: 0.2, message_length: 8}\n"
                               "simulation: {warmup: 0, measure: 700, max_cycles: 9000}\n"});
  return all;
}

class RunThreads : public ProgramFixture, public testing::WithParamInterface<KeyEffectBase> {
 protected:
  /// All that a run with that many threads has written, by file; the statistics without those of the host.
  std::map<std::string, std::string> written(const std::string& threads) {
    std::filesystem::remove_all(folder_ / "o");
    const std::string waves = recorded_ ? "waves.enabled=true" : "waves.enabled=false";
    const int status = run(GetParam().text, {"--out", folder_ / "o", "--allow-deadlock", "--threads", threads,
                                             "--set", "statistics.events=" + recorded_faults(), "--set",
                                             "statistics.messages=true", "--set", waves});
    EXPECT_NE(status, 2) << err_;
    std::map<std::string, std::string> files;
    for (const char* const name : {"events.csv", "messages.csv", "waves.vcd", "waves.fst"})
      files[name] = read_file(folder_ / "o/" + name);
    nlohmann::ordered_json stats = this->stats("o");
    stats.erase("host");
    files["stats.json"] = stats.dump();
    files["status"] = std::to_string(status);
    return files;
  }
  std::string recorded_faults() const {
    return GetParam().text.find("faults:") != std::string::npos ? "true" : "false";
  }

  bool recorded_ = true;
};

TEST_P(RunThreads, ChangeNothingThatIsWritten) {
  for (const auto& [name, text] : test::key_effect_files()) folder_.write(name, text);
  const std::map<std::string, std::string> one = written("1");
  const auto all = bases();
  std::size_t number =
      static_cast<std::size_t>(std::ranges::find(all, GetParam().name, &KeyEffectBase::name) - all.begin());
  for (const char* const threads : {"2", "3", "16"}) {
    if (number++ % test::every_nth(3) != 0) continue;
    const std::map<std::string, std::string> several = written(threads);
    for (const auto& [name, text] : one)
      EXPECT_TRUE(several.at(name) == text) << threads << " threads: " << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Base, RunThreads, testing::ValuesIn(bases()),
                         [](const auto& one) { return std::string(one.param.name); });

class ThreadsOption : public ProgramFixture {};

TEST_F(ThreadsOption, IsTheKey) {
  const std::string mesh = "network: {size: [4, 4]}\nsimulation: {threads: 3, measure: 100}\n";
  ASSERT_EQ(run(mesh, {"--out", folder_ / "o"}), 0) << err_;
  EXPECT_NE(read_file(folder_ / "o/config.yaml").find("  threads: 3\n"), std::string::npos);
  ASSERT_EQ(run(mesh, {"--out", folder_ / "o", "--threads", "auto"}), 0) << err_;
  EXPECT_NE(read_file(folder_ / "o/config.yaml").find("  threads: auto\n"), std::string::npos);
}

TEST_F(ThreadsOption, RefusesOtherValues) {
  for (const char* const wrong : {"0", "1025", "-1", "two", ""}) {
    EXPECT_EQ(run("", {"--threads", wrong}), 2);
    EXPECT_NE(err_.find("expected a number of threads from 1 to 1024, or auto"), std::string::npos) << err_;
  }
}

TEST_F(ThreadsOption, SaysThatItExceedsTheProcessors) {
  ASSERT_EQ(run("network: {size: [4, 4]}\nsimulation: {measure: 100}\n", {"--threads", "1024"}), 0);
  EXPECT_NE(err_.find("flitmend: simulation.threads = 1024: this process has only "), std::string::npos)
      << err_;
  EXPECT_EQ(run("network: {size: [4, 4]}\nsimulation: {measure: 100}\n", {"--threads", "1"}), 0);
  EXPECT_EQ(err_, "");
}

TEST_F(ThreadsOption, SaysWhereItHasNoEffect) {
  ASSERT_EQ(run("network: {size: [4, 4]}\nrecovery: {protocol: apcs}\nsimulation: {measure: 100}\n",
                {"--threads", "2"}),
            0)
      << err_;
  EXPECT_NE(err_.find("simulation.threads has no effect"), std::string::npos) << err_;
}

}  // namespace
}  // namespace flitmend
