// SPDX-License-Identifier: Apache-2.0
// Meshes with routers of examples/rtl/router.sv: they do what preset rtl-example does, in every cycle.
#include "rtl/compare_with_model.h"

namespace flitmend {
namespace {

TEST(RtlRouter, OneAgreesWithTheModelAtLowLoad) {
  compare(one_router(), 2000, .05);
}
TEST(RtlRouter, OneAgreesWithTheModelBeyondSaturation) {
  compare(one_router(), 20000, .6);
}
TEST(RtlRouter, ARowAgreesWithTheModel) {
  compare(one_row(), 5000, .3);
}
TEST(RtlRouter, AllAgreeWithTheModel) {
  compare(all_routers(), 2000, .3);
}

}  // namespace
}  // namespace flitmend
