// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/path_counts.h"
#include "base/text.h"
#include "exploration/paper_tables/paper_table.h"
#include "exploration/paper_tables/tables.h"

namespace flitmend {
namespace {

constexpr int kDecimals = 3;

std::string six_decimals(double value) {
  const std::string text = formatted("%f", value);
  return text.substr(text.find('.') == 1 && text[0] == '0' ? 1 : 0);
}

}  // namespace

PaperTable fault_rings_table_2(const PaperTableOptions& options) {
  const PrintedTable printed("fault-rings-table-2");
  PaperTable table = printed.begin();
  for (const Json& row : printed.rows()) {
    using Coordinates = std::vector<std::uint32_t>;
    const FaultBox box{row["origin"].get<Coordinates>(), row["size"].get<Coordinates>()};
    const FaultPattern pattern(MeshShape(row["mesh"].get<Coordinates>()), {box});
    const std::string ring_name = row["ring"].get<std::string>();
    const double printed_p_hit = row["p_hit"].get<double>();
    const auto p_hit = [&](FaultRegion region) {
      return count_paths_by_sweep(pattern, region, options.jobs).p_hit();
    };
    const double ring = p_hit(FaultRegion::ring);
    const std::string label = formatted("%1%, %2% at %3%, %4%", pattern.mesh().description(),
                                        joined(box.size, "x"), coordinate_text(box.origin), ring_name);
    if (ring_name == to_string(RingKind::f_chain)) {
      table.rows.push_back(compare_digits(label, printed_p_hit, kDecimals, ring));
    } else {
      PaperRow compared = compare_digits(label, printed_p_hit, kDecimals, p_hit(FaultRegion::fault));
      std::string note = "with the ring " + six_decimals(ring);
      if (to_string(pattern.kind()) != ring_name) note += ", which the border cuts to an f-chain";
      table.rows.push_back(std::move(compared).note(note));
    }
  }
  return table;
}

}  // namespace flitmend
