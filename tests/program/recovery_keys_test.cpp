// SPDX-License-Identifier: Apache-2.0
// Keys of section recovery that a protocol does not read: run and check name them, and they change nothing.
#include <algorithm>
#include <cstdlib>

#include "protocols/recovery/registry.h"
#include "support/program_fixture.h"
#include "testbench/configuration/declarations.h"

namespace flitmend {
namespace {

class RecoveryKeys : public ProgramFixture {
 protected:
  /// "recovery: {protocol: fcr, backoff: {kill: 5}}"
  static std::string section(const std::string& protocol, const std::string& name, const std::string& value) {
    const std::size_t dot = name.find('.');
    const std::string key = dot == name.npos
                                ? name + ": " + value
                                : name.substr(0, dot) + ": {" + name.substr(dot + 1) + ": " + value + "}";
    return "recovery: {protocol: " + protocol + (name.empty() ? "" : ", " + key) + "}\n";
  }
  /// Another value than the default.
  static std::string other_value(const DeclaredKey& key) {
    for (const Choice& choice : key.choices)
      if (choice.name != key.value) return std::string(choice.name);
    return std::to_string(std::atoi(key.value.c_str()) + 3);
  }
  /// What a run with many faults found out.
  nlohmann::ordered_json found(const std::string& recovery) {
    const int status =
        run("network: {size: [4, 4]}\nfaults: {node_rate: 1e-3, duration: 10}\n"
            "simulation: {warmup: 0, measure: 600, hierarchy: compact}\n"
            "traffic: {load: 0.3, message_length: 8}\n" +
                recovery,
            {"--out", folder_ / "o", "--allow-deadlock"});
    EXPECT_EQ(status, 0) << err_;
    nlohmann::ordered_json stats = this->stats("o");
    stats.erase("host");
    return stats;
  }
};

class RecoveryKeysOf : public RecoveryKeys, public testing::WithParamInterface<std::size_t> {};

TEST_P(RecoveryKeysOf, ThatAreNotReadAreNamedAndChangeNothing) {
  const RecoveryEntry& entry = recovery_protocols().entries()[GetParam()];
  const std::string protocol(entry.name);
  const nlohmann::ordered_json plain = found(section(protocol, "", ""));
  std::size_t read = 0;
  for (const DeclaredSection& declared : declarations(RecoverySettings{}))
    for (const DeclaredKey& key : declared.keys) {
      const std::string name = key.path.substr(std::string("recovery.").size());
      if (name == "protocol") continue;
      const std::string recovery = section(protocol, name, other_value(key));
      if (std::find(entry.keys.begin(), entry.keys.end(), name) != entry.keys.end()) {
        ++read;
        ASSERT_EQ(check(recovery), 0) << err_;
        EXPECT_EQ(err_.find("no effect"), err_.npos) << err_;
        continue;
      }
      const std::string note = key.path + " has no effect with recovery.protocol " + protocol;
      EXPECT_EQ(found(recovery), plain) << recovery;
      EXPECT_NE(err_.find(note), err_.npos) << recovery << err_;
      ASSERT_EQ(check(recovery), 0) << err_;
      EXPECT_NE(err_.find((folder_ / "c.yaml") + ":1:"), err_.npos) << err_;
      EXPECT_NE(err_.find(note), err_.npos) << err_;
    }
  EXPECT_EQ(read, entry.keys.size()) << "an entry names a key that does not exist";
}

INSTANTIATE_TEST_SUITE_P(Protocol, RecoveryKeysOf,
                         testing::Range(std::size_t{0}, recovery_protocols().entries().size()),
                         [](const testing::TestParamInfo<std::size_t>& info) {
                           std::string name(recovery_protocols().entries()[info.param].name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A run writes all keys into config.yaml, with their defaults.
TEST_F(RecoveryKeys, WithDefaultsAreNotNamed) {
  found(section("sbrp-1", "", ""));
  ASSERT_EQ(run(folder_.read("o/config.yaml"), {}), 0) << err_;
  EXPECT_EQ(err_.find("no effect"), err_.npos) << err_;
}

TEST_F(RecoveryKeys, SeveralAreNamedTogether) {
  ASSERT_EQ(check("recovery: {protocol: utp, timeout: 900, scouting: 3, retry_limit: 4}"), 0) << err_;
  EXPECT_NE(err_.find(":1:36: recovery.timeout, recovery.scouting have no effect with recovery.protocol utp"),
            err_.npos)
      << err_;
}

}  // namespace
}  // namespace flitmend
