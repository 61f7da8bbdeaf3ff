// SPDX-License-Identifier: Apache-2.0
// The same as rtl_router_test, with enough messages for rare states of the allocators to occur.
#include "rtl/compare_with_model.h"

namespace flitmend {
namespace {

TEST(RtlRouterLong, OneAgreesForAMillionMessages) {
  compare(one_router(), 1000000, .2);
}
TEST(RtlRouterLong, AllAgreeForAHundredThousandMessages) {
  compare(all_routers(), 100000, .3);
}

}  // namespace
}  // namespace flitmend
