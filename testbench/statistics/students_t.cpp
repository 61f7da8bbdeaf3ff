// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/students_t.h"

#include <array>

namespace flitmend {
namespace {

constexpr std::array<double, 31> kTable = {
    12.706204736174705, 4.3026527297494639, 3.1824463052837096, 2.7764451051977944, 2.5705818356363155,
    2.44691185114497,   2.3646242515927853, 2.3060041352041667, 2.2621571627982055, 2.2281388519862747,
    2.2009851600916399, 2.1788128296672289, 2.1603686564627925, 2.1447866879178038, 2.1314495455597757,
    2.1199052992212547, 2.1098155778333171, 2.1009220402410385, 2.0930240544083098, 2.0859634472658648,
    2.0796138447276804, 2.0738730679040262, 2.0686576104190487, 2.0638985616280258, 2.0595385527532977,
    2.0555294386428732, 2.0518305164802856, 2.0484071417952452, 2.0452296421327043, 2.0422724563012383,
    2.0395134463964085};

}  // namespace

double students_t_975(std::size_t degrees_of_freedom) {
  if (degrees_of_freedom <= kTable.size()) return kTable.at(degrees_of_freedom - 1);
  // A series in 1/ν from the normal distribution's quantile z [Abramowitz64 26.7.5]; the error is at most
  // 3·10⁻⁸.
  constexpr double z = 1.9599639845400542, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z, z9 = z7 * z * z;
  constexpr double a = (z3 + z) / 4, b = (5 * z5 + 16 * z3 + 3 * z) / 96;
  constexpr double c = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384;
  constexpr double d = (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / 92160;
  const auto nu = static_cast<double>(degrees_of_freedom);
  return z + (a + (b + (c + d / nu) / nu) / nu) / nu;
}

}  // namespace flitmend
