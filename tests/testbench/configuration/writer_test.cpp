// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/writer.h"

#include <gtest/gtest.h>

#include "tests/testbench/configuration/load.h"

namespace flitmend {
namespace {

TEST(Writer, ReadsBackAsTheSame) {
  for (const char* text :
       {"", "router: {preset: sbrp}", "routing: {algorithm: duato}",
        "router: {preset: kns, virtual_channels: 5}\nnetwork: {topology: kns, k: 4, n: 3}",
        "network: {topology: kns, k: 9, n: 2, subnetwork: ruft, arity: 3}",
        "network: {topology: hypercube, dimensions: 4}\nsimulation: {time_limit_seconds: 0.1, drain: false}",
        "network: {topology: torus, size: [4, 4, 4]}"}) {
    const std::string written = to_yaml(load(text));
    EXPECT_EQ(to_yaml(load(written)), written) << text;
  }
}

TEST(Writer, ShowsEffectiveValuesAndUnits) {
  const std::string written = to_yaml(load("router: {preset: sbrp}\nlink: {latency: 3}"));
  EXPECT_NE(written.find("  size: [8, 8]  # nodes\n"), std::string::npos) << written;
  EXPECT_NE(written.find("  input_buffer: 1  # flits\n"), std::string::npos) << written;
  EXPECT_NE(written.find("  latency: 3  # cycles\n"), std::string::npos) << written;
  EXPECT_NE(written.find("  pipeline:\n    routing: 0  # cycles\n"), std::string::npos) << written;
}

}  // namespace
}  // namespace flitmend
