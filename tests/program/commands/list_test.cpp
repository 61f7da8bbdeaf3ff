// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "protocols/routing/registry.h"
#include "support/run_command.h"
#include "testbench/traffic/injection_registry.h"
#include "testbench/traffic/length_registry.h"
#include "testbench/traffic/pattern_registry.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

nlohmann::json listed(const std::string& concern) {
  return nlohmann::json::parse(run_flitmend({"list", concern, "--json"}).out);
}

TEST(List, EveryTopologyAndRoutingAlgorithm) {
  const auto topology_list = listed("topologies");
  ASSERT_EQ(topology_list.size(), topologies().entries().size());
  const std::string text = run_flitmend({"list"}).out;
  for (std::size_t i = 0; i < topology_list.size(); ++i) {
    EXPECT_EQ(topology_list[i]["name"], topologies().entries()[i].name);
    EXPECT_NE(text.find("\n  " + topology_list[i]["name"].get<std::string>() + " "), std::string::npos);
  }
  const auto routing = listed("routing");
  ASSERT_EQ(routing.size(), routing_algorithms().entries().size());
  for (const auto& entry : routing) {
    EXPECT_EQ(entry["concern"], "routing");
    EXPECT_EQ(entry["key"], "routing.algorithm");
    EXPECT_FALSE(entry["description"].get<std::string>().empty());
    EXPECT_EQ(entry["requirements"].size(), entry["topologies"].size());
    EXPECT_NE(text.find("\n  " + entry["name"].get<std::string>() + " "), std::string::npos);
  }
}

TEST(List, SaysWhatRoutingNeeds) {
  for (const auto& entry : listed("routing"))
    if (entry["name"] == "duato") {
      EXPECT_EQ(entry["vc_reallocation"], "atomic");
      EXPECT_EQ(entry["requirements"][0]["topology"], "mesh");
      EXPECT_EQ(entry["requirements"][0]["virtual_channels"], 2);
      EXPECT_EQ(entry["requirements"][1]["virtual_channels"], 3);
      EXPECT_NE(entry["needs"].get<std::string>().find("torus with 3 virtual channels"), std::string::npos);
      return;
    }
  FAIL() << "duato is not listed";
}

TEST(List, PresetsSayWhatTheySet) {
  for (const auto& entry : listed("presets"))
    if (entry["name"] == "sbrp") {
      EXPECT_EQ(entry["settings"]["router.input_buffer"], "1");
      EXPECT_EQ(entry["settings"]["network_interface.ejection"], "unlimited");
      return;
    }
  FAIL() << "sbrp is not listed";
}

TEST(List, TrafficIsPatternsInjectionAndLengths) {
  std::map<std::string, std::set<std::string>> names;
  for (const auto& entry : listed("traffic")) names[entry["key"]].insert(entry["name"].get<std::string>());
  EXPECT_EQ(names["traffic.pattern"].size(), traffic_patterns().entries().size());
  EXPECT_TRUE(names["traffic.pattern"].contains("tornado"));
  EXPECT_EQ(names["traffic.injection"].size(), injection_processes().entries().size());
  EXPECT_TRUE(names["traffic.injection"].contains("bursty"));
  EXPECT_EQ(names["traffic.length_distribution"].size(), length_distributions().entries().size());
  EXPECT_TRUE(names["traffic.length_distribution"].contains("bimodal"));
  EXPECT_NE(run_flitmend({"list", "traffic"}).out.find("needs: equal radices"), std::string::npos);
}

TEST(List, WholeListIsOneArray) {
  const auto all = nlohmann::json::parse(run_flitmend({"list", "--json"}).out);
  ASSERT_TRUE(all.is_array());
  for (const auto& entry : all)
    for (const char* key : {"concern", "key", "name", "description", "needs"})
      EXPECT_TRUE(entry[key].is_string()) << entry;
}

TEST(List, UnknownConcern) {
  const auto result = run_flitmend({"list", "routin"});
  EXPECT_EQ(result.status, ExitStatus::bad_usage);
  EXPECT_EQ(result.err, "flitmend: list: unknown group 'routin' (did you mean 'routing'?)\n");
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace flitmend
