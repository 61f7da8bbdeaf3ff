// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "program/reference/pages.h"
#include "protocols/routing/registry.h"
#include "support/run_command.h"
#include "testbench/configuration/configuration.h"
#include "testbench/configuration/declarations.h"

namespace flitmend {
namespace {

std::string committed_page(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(FLITMEND_SOURCE_DIR "/docs/" + name, std::ios::binary).rdbuf();
  return text.str();
}

TEST(Reference, CommittedPageIsNotStale) {
  EXPECT_TRUE(committed_page("reference.md") == configuration_reference())
      << "docs/reference.md is stale: run ninja -C build/release reference and commit it";
}

TEST(Reference, EveryClosedKeyOffersAChoice) {
  for (const DeclaredSection& section : declarations(Configuration()))
    for (const DeclaredKey& key : section.keys) EXPECT_NE(key.choices.size(), 1u) << key.path;
}

TEST(Reference, CommittedHardwarePageIsNotStale) {
  EXPECT_TRUE(committed_page("hardware.md") == hardware_reference())
      << "docs/hardware.md is stale: run ninja -C build/release reference and commit it";
}

TEST(Reference, CommittedTablesOfRecoveryProtocolsAreNotStale) {
  EXPECT_NE(committed_page("recovery.md").find(recovery_comparison_page()), std::string::npos)
      << "docs/recovery.md is stale: run ninja -C build/release reference and commit it";
}

TEST(Reference, CommittedTableOfRoutingAlgorithmsIsNotStale) {
  EXPECT_NE(committed_page("routing.md").find(routing_table_page()), std::string::npos)
      << "docs/routing.md is stale: run ninja -C build/release reference and commit it";
  for (const RoutingEntry& entry : routing_algorithms().entries()) {
    const std::string key(entry.reference.substr(1, entry.reference.find_first_of(" ]") - 1));
    EXPECT_NE(committed_page("references.md").find("**[" + key + "]**"), std::string::npos) << entry.name;
  }
}

TEST(Reference, TheCommandPrintsThem) {
  EXPECT_EQ(run_flitmend({"reference"}).out, configuration_reference());
  EXPECT_EQ(run_flitmend({"reference", "--hardware"}).out, hardware_reference());
  EXPECT_EQ(run_flitmend({"reference", "--recovery"}).out, recovery_comparison_page());
  EXPECT_EQ(run_flitmend({"reference", "--routing"}).out, routing_table_page());
  EXPECT_NE(run_flitmend({"--help"}).out.find("\n  reference "), std::string::npos);
}

TEST(Reference, ShowsDefaultUnitRangeChoicesAndMeaning) {
  const std::string page = configuration_reference();
  EXPECT_NE(page.find("| `virtual_channels` | `4` | virtual channels | 1 to 64 | Virtual channels per "
                      "physical channel. |\n"),
            std::string::npos);
  EXPECT_NE(page.find("\n### router.pipeline\n"), std::string::npos);
  EXPECT_NE(page.find("\n| `timeout_seconds` | 0 | 0 to 1e9 | "), std::string::npos);
  EXPECT_NE(page.find("\n| `tolerance` | none | 2 % or a number | "), std::string::npos);
  EXPECT_NE(page.find("- `atomic`: after that tail has left it"), std::string::npos);
}

}  // namespace
}  // namespace flitmend
