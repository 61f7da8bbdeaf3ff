// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/registers/trace.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>

namespace flitmend {
namespace {

struct Traced {
  FlitKind kind = FlitKind::none;
  RouteFsm state = RouteFsm::idle;
  PipelineStage stage = PipelineStage::none;
};

}  // namespace

TEST(ScTrace, TakesFlitsAndEnums) {
  const std::string base = testing::TempDir() + "flitmend_trace_" + std::to_string(getpid());
  Traced traced;
  sc_core::sc_signal<Flit> flit("flit");
  sc_core::sc_signal<RouteFsm> state("state");
  sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(base.c_str());
  file->set_time_unit(1, sc_core::SC_PS);
  sc_trace(file, flit, "flit");
  sc_trace(file, state, "state");
  sc_trace(file, traced.kind, "kind");
  sc_trace(file, traced.stage, "stage");
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  flit.write({9, 77, FlitKind::tail, 3});
  state.write(RouteFsm::routed);
  traced.kind = FlitKind::broken_tail;
  traced.stage = PipelineStage::vc_allocation;
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  sc_core::sc_close_vcd_trace_file(file);

  std::ifstream in(base + ".vcd");
  std::stringstream text;
  text << in.rdbuf();
  std::remove((base + ".vcd").c_str());
  const auto has = [&](const std::string& part) { return text.str().find(part) != std::string::npos; };
  EXPECT_TRUE(has(" kind [3:0] ")) << text.str();
  EXPECT_TRUE(has(" state [2:0] "));
  EXPECT_TRUE(has(" stage [1:0] "));
  for (const char* member : {"kind [3:0]", "vc [7:0]", "message [31:0]", "number [15:0]"})
    EXPECT_TRUE(has(member)) << member;
  EXPECT_TRUE(has("b1001101 ")) << "number 77";
  EXPECT_TRUE(has("b1001 ")) << "message 9";
  EXPECT_TRUE(has("b11 ")) << "vc 3, and kind tail";
  EXPECT_TRUE(has("b101 ")) << "kind broken_tail";
  EXPECT_TRUE(has("b10 ")) << "state routed";
  std::ostringstream words;
  words << FlitKind::head << ' ' << RouteFsm::needs_route << ' ' << PipelineStage::routing;
  EXPECT_EQ(words.str(), "head NEEDS_ROUTE ROUTING");
}

}  // namespace flitmend
