// SPDX-License-Identifier: Apache-2.0
// Ten bugs in the router of examples/rtl (plant_bugs.py): the monitor finds each, and names it.
#include "Vbuggy_router.h"
#include "rtl/rtl_bench.h"

namespace flitmend {
namespace {

class BuggyRouter : public RtlRouter<Vbuggy_router> {
 public:
  BuggyRouter(sc_core::sc_module_name name, RouterBoundary& place, const FlitCodec& codec, unsigned bug)
      : RtlRouter(name, place, codec), bug_("bug") {
    rtl.bug(bug_);
    bug_.write(sc_dt::sc_bv<4>(bug));
  }

 private:
  sc_core::sc_signal<sc_dt::sc_bv<4>> bug_;
};

RouterFactory with_bug(unsigned bug) {
  return routers_at(one_router(), [bug](RouterBoundary& place) -> std::unique_ptr<ForeignRouter> {
    const FlitCodec codec(place.context().topology, place.context().hardware);
    return std::make_unique<BuggyRouter>("buggy_router", place, codec, bug);
  });
}

struct Planted {
  const char* name;
  unsigned bug;
  std::vector<ViolationKind> kinds;  ///< any of these names it
  std::vector<std::string> words;    ///< in the message
  bool resets = false;
};

class PlantedBugs : public testing::TestWithParam<Planted> {};

TEST_P(PlantedBugs, AreFoundAndNamed) {
  const Planted& planted = GetParam();
  RtlBench bench("mesh", with_bug(planted.bug));
  sc_core::sc_signal<bool> reset("reset", false);
  bench.fabric.reset(reset);
  RouterBoundary& boundary = *bench.fabric.boundary(3 + 8 * 4);
  boundary.set_starvation_bound(200);
  SteadyTraffic traffic(bench.fabric, .6, 40000);
  std::string said;
  try {
    for (int i = 0; i < 40 && !traffic.done(); ++i) {
      bench.run(100);
      if (!planted.resets) continue;
      reset.write(true);
      bench.run(1);
      reset.write(false);
    }
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), "flitmend/contract");
    said = report.get_msg();
  }
  if (planted.kinds.empty()) {
    EXPECT_EQ(said, "");
    return;
  }
  ASSERT_FALSE(boundary.violations().empty()) << "not found";
  const ContractViolation& found = boundary.violations().front();
  EXPECT_EQ(found.text, said);
  EXPECT_NE(std::find(planted.kinds.begin(), planted.kinds.end(), found.kind), planted.kinds.end()) << said;
  std::vector<std::string> words = planted.words;
  words.insert(words.end(), {"mesh.router_3_4", "cycle " + std::to_string(found.cycle),
                             "virtual channel " + std::to_string(found.vc), to_string(found.kind)});
  for (const std::string& word : words) EXPECT_NE(said.find(word), std::string::npos) << word << ": " << said;
  std::cout << said << "\n";
}

INSTANTIATE_TEST_SUITE_P(
    Rtl, PlantedBugs,
    testing::Values(
        Planted{"None", 0, {}, {}}, Planted{"NoneWithResets", 0, {}, {}, true},
        Planted{"LostOneFlitPacket", 1, {ViolationKind::lost}, {"head_tail"}},
        Planted{"InvertedReady", 2, {ViolationKind::credit_overflow}, {"output"}},
        Planted{"CreditReturnedTwice", 3, {ViolationKind::credit_returned}, {"input", "credit"}},
        Planted{"VcSwapped", 4, {ViolationKind::interleaving}, {"output"}},
        Planted{"TailDroppedUnderBackPressure", 5, {ViolationKind::missing_tail}, {"tail"}},
        Planted{"StaleGrantAfterReset", 6, {ViolationKind::invented}, {"output"}, true},
        Planted{"StarvationOfOnePort", 7, {ViolationKind::starvation}, {"input south"}},
        Planted{"WrongRouteForOneQuadrant", 8, {ViolationKind::misrouted}, {"output south", "gives east"}},
        Planted{"OverwrittenAtFullBuffer", 9, {ViolationKind::lost, ViolationKind::missing_tail}, {"input"}},
        Planted{"HeadFieldCorrupted", 10, {ViolationKind::altered}, {"destination"}}),
    [](const testing::TestParamInfo<Planted>& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace flitmend
