// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "protocols/recovery/registry.h"
#include "protocols/routing/registry.h"
#include "support/run_command.h"
#include "testbench/collectives/collective.h"
#include "testbench/traffic/injection.h"
#include "testbench/traffic/length.h"
#include "testbench/traffic/pattern.h"
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

TEST(List, TrafficIsPatternsInjectionLengthsAndCollectives) {
  std::map<std::string, std::set<std::string>> names;
  for (const auto& entry : listed("traffic")) names[entry["key"]].insert(entry["name"].get<std::string>());
  EXPECT_EQ(names["traffic.pattern"].size(), traffic_patterns().entries().size());
  EXPECT_TRUE(names["traffic.pattern"].contains("tornado"));
  EXPECT_EQ(names["traffic.injection"].size(), injection_processes().entries().size());
  EXPECT_TRUE(names["traffic.injection"].contains("bursty"));
  EXPECT_EQ(names["traffic.length_distribution"].size(), length_distributions().entries().size());
  EXPECT_TRUE(names["traffic.length_distribution"].contains("bimodal"));
  EXPECT_EQ(names["traffic.collectives"].size(), collectives().entries().size());
  EXPECT_TRUE(names["traffic.collectives"].contains("ring all-reduce"));
  EXPECT_NE(run_flitmend({"list", "traffic"}).out.find("needs: equal radices"), std::string::npos);
}

TEST(List, WholeListIsOneArray) {
  const auto all = nlohmann::json::parse(run_flitmend({"list", "--json"}).out);
  ASSERT_TRUE(all.is_array());
  for (const auto& entry : all)
    for (const char* key : {"concern", "key", "name", "description", "needs"})
      EXPECT_TRUE(entry[key].is_string()) << entry;
}

const nlohmann::json& protocol_named(const nlohmann::json& list, const std::string& name) {
  for (const auto& entry : list)
    if (entry["name"] == name) return entry;
  throw std::runtime_error(name + " is not listed");
}

// What is published, from the tables; what is built, from the text that describes the protocols.
TEST(List, RecoveryProtocolsNextToWhatIsPublished) {
  const auto list = listed("recovery");
  EXPECT_EQ(list.size(), recovery_protocols().entries().size());
  const auto& sbrp_0 = protocol_named(list, "sbrp-0");
  EXPECT_EQ(sbrp_0["published"]["flit_counter"], false);
  EXPECT_EQ(sbrp_0["published"]["resends_whole"], true) << "Table 2 says of SBRP-0 alone more than Table 3";
  EXPECT_EQ(sbrp_0["published"]["control_lines"], false);
  EXPECT_EQ(sbrp_0["built"]["control_lines"], true) << "RESYNC and the signals that follow tails";
  EXPECT_EQ(sbrp_0["control_lines"],
            nlohmann::json::parse(R"(["tail_received", "tail_gone", "resynchronise"])"));
  EXPECT_FALSE(sbrp_0["published"].contains("shadow_registers"));
  const auto& sbrp_1 = protocol_named(list, "sbrp-1");
  EXPECT_EQ(sbrp_1["published"]["resends_part"], true);
  EXPECT_TRUE(protocol_named(list, "end-to-end")["published"].empty());

  // 5 ports of 4 virtual channels. SBRP-1 has the flit counter and shadow.first and shadow.count more.
  const auto bits = [&](const std::string& name, const char* of) {
    return protocol_named(list, name)["added_bits"]["iq"][of].get<unsigned>();
  };
  EXPECT_EQ(bits("sbrp-1", "router") - bits("sbrp-0", "router"), 20u * (16 + 16 + 16));
  EXPECT_EQ(bits("sbrp-1", "interface") - bits("sbrp-0", "interface"), 4u * (16 + 16));
  // The head copy; tail_owed; LINGER and the shadow register.
  EXPECT_EQ(bits("sbrp-0", "router") - bits("none", "router"),
            20u * (6 + 6 + 32 + 64) + 20u + 20u * (1 + 6 + 6 + 32 + 16 + 16 + 5));
  EXPECT_EQ(bits("sbrp-2", "router"), bits("none", "router"));
  // An id and 64 bits for each of 64 sources.
  EXPECT_EQ(bits("sbrp-2", "interface"), 64u * (32 + 64));
  EXPECT_EQ(bits("none", "interface"), 0u);
  EXPECT_EQ(bits("sbrp-0", "control_wires_per_channel"), 3u * 4);
}

TEST(List, RecoveryTablesMarkWhatDiffers) {
  const std::string text = run_flitmend({"list", "recovery"}).out;
  const auto line_of = [&](const std::string& start, std::size_t from) {
    const std::size_t at = text.find("\n" + start, from);
    return at == text.npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  };
  const std::size_t built = text.find("As built");
  ASSERT_NE(built, text.npos);
  EXPECT_NE(line_of("control lines ", text.find("Table 3")).find("no "), std::string::npos);
  EXPECT_NE(line_of("control lines ", built).find("yes *"), std::string::npos);
  EXPECT_EQ(line_of("shadow registers + ", built).find('*'), std::string::npos);
  EXPECT_NE(text.find("\n* differs from what is published; + is in neither table.\n"), text.npos);
  EXPECT_EQ(run_flitmend({"list"}).out.find("As built"), std::string::npos);
}

TEST(List, UnknownConcern) {
  const auto result = run_flitmend({"list", "routin"});
  EXPECT_EQ(result.status, ExitStatus::bad_usage);
  EXPECT_EQ(result.err, "flitmend: list: unknown group 'routin' (did you mean 'routing'?)\n");
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace flitmend
