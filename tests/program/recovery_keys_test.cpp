// SPDX-License-Identifier: Apache-2.0
// Keys of section recovery: those that a protocol does not read change nothing, and run and check name them.
// The others change what a run finds.
#include <algorithm>
#include <map>

#include "protocols/recovery/registry.h"
#include "support/key_effect_bases.h"
#include "support/program_fixture.h"
#include "testbench/configuration/declarations.h"

namespace flitmend {
namespace {

using Values = std::map<std::string, std::string>;

/// A value far from the default.
std::string far_value(const DeclaredKey& key) {
  // T_out must be longer than a message stalls at zero load.
  return key.path == "recovery.timeout" ? "50" : test::far_values(key).front();
}

/// With these values of some keys, the others show what they do: without, FCR has nothing for a guard to
/// repair, and that of APCS waits longer than anything takes.
Values revealing(const std::string& protocol) {
  if (protocol == "fcr") return {{"fcr_capacity", "1"}, {"timeout", "30"}, {"guard_timeout", "100"}};
  if (protocol == "apcs") return {{"guard_timeout", "100"}};
  return {};
}

class RecoveryKeys : public ProgramFixture {
 protected:
  /// Section recovery in one line.
  static std::string section(const std::string& protocol, const Values& values) {
    std::string text = "recovery: {protocol: " + protocol;
    for (const auto& [name, value] : values) {
      const std::size_t dot = name.find('.');
      text +=
          ", " + (dot == name.npos ? name + ": " + value
                                   : name.substr(0, dot) + ": {" + name.substr(dot + 1) + ": " + value + "}");
    }
    return text + "}\n";
  }
  /// What a run with many faults finds out.
  nlohmann::ordered_json found(const std::string& recovery) {
    EXPECT_NE(
        run(recovery + "network: {size: [4, 4]}\nfaults: {node_rate: 2e-3, link_rate: 2e-3, duration: 60}\n"
                       "simulation: {warmup: 0, measure: 3000, max_cycles: 30000, hierarchy: compact}\n"
                       "traffic: {load: 0.3, message_length: 8}\nrouting: {head_wait_cycles: 20}\n",
            {"--out", folder_ / "o", "--allow-deadlock"}),
        2)
        << err_;
    nlohmann::ordered_json stats = this->stats("o");
    stats.erase("host");
    return stats;
  }
};

class RecoveryKeysOf : public RecoveryKeys, public testing::WithParamInterface<std::size_t> {};

TEST_P(RecoveryKeysOf, ChangeARunUnlessTheyAreNamed) {
  const RecoveryEntry& entry = recovery_protocols().entries()[GetParam()];
  const std::string protocol(entry.name);
  const Values base = revealing(protocol);
  std::vector<std::string_view> own = entry.keys;
  for (const OptionKey* option : entry.options) own.push_back(option->name());
  const nlohmann::ordered_json plain = found(section(protocol, base));
  std::size_t read = 0;
  for (const DeclaredSection& declared : declarations(RecoverySettings{}))
    for (const DeclaredKey& key : declared.keys) {
      const std::string name = key.path.substr(std::string("recovery.").size());
      if (name == "protocol") continue;
      Values values = base;
      values[name] = far_value(key);
      const std::string recovery = section(protocol, values);
      const bool same = found(recovery) == plain;
      const std::string note = key.path + " has no effect with recovery.protocol " + protocol;
      if (std::find(own.begin(), own.end(), name) != own.end()) {
        ++read;
        EXPECT_FALSE(same) << recovery;
        EXPECT_EQ(err_.find("no effect"), err_.npos) << err_;
      } else {
        EXPECT_TRUE(same) << recovery;
        EXPECT_NE(err_.find(note), err_.npos) << recovery << err_;
        ASSERT_EQ(check(recovery + "routing: {head_wait_cycles: 20}\n"), 0) << err_;
        EXPECT_NE(err_.find((folder_ / "c.yaml") + ":1:"), err_.npos) << err_;
        EXPECT_NE(err_.find(note), err_.npos) << err_;
      }
    }
  EXPECT_EQ(read, own.size()) << "an entry names a key that does not exist";
}

INSTANTIATE_TEST_SUITE_P(Protocol, RecoveryKeysOf,
                         testing::Range(std::size_t{0}, recovery_protocols().entries().size()),
                         [](const auto& one) {
                           std::string name(recovery_protocols().entries()[one.param].name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A run writes all keys into config.yaml, with their defaults.
TEST_F(RecoveryKeys, WithDefaultsAreNotNamed) {
  found(section("sbrp-1", {}));
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
