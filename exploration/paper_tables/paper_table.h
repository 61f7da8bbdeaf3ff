// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "exploration/sweeps/records.h"

namespace flitmend {

/// The verdict of comparing a printed value with ours.
enum class PaperVerdict {
  agrees,          ///< ours rounds to the printed digits or is within the tolerance, or the statement holds
  misprint,        ///< ours differs from the print but agrees with the value that was meant, see the reason
  refuted,         ///< ours differs from the print, and a second witness agrees with ours, see the reason
  not_reproduced,  ///< ours differs from the print, which is known, and no second witness decides; see the
                   ///< reason
  deviates,        ///< none of these
};
/// In the order above.
inline constexpr PaperVerdict kPaperVerdicts[] = {PaperVerdict::agrees, PaperVerdict::misprint,
                                                  PaperVerdict::refuted, PaperVerdict::not_reproduced,
                                                  PaperVerdict::deviates};
std::string_view to_string(PaperVerdict);

/// One printed value (or statement) next to ours.
struct PaperRow {
  std::string label;
  std::optional<double> printed;  ///< none if the paper makes a statement instead
  int decimals = 3;               ///< printed digits after the decimal point
  std::string statement;          ///< what the paper says, if it prints no number
  double ours = 0;
  /// Largest |ours − printed| that agrees: half a unit of the last printed digit, or the sampling error of a
  /// measured value.
  double tolerance = 0;
  PaperVerdict verdict = PaperVerdict::deviates;
  std::string reason;  ///< why print and ours differ, or another remark; may be empty

  /// ours − printed; none for a statement.
  std::optional<double> difference() const;

  /// Gives the value that was meant if the print is known to be wrong. A row that disagrees with the print
  /// but agrees with `meant` (same tolerance) becomes a misprint; only then is the reason kept.
  PaperRow or_misprint_of(double meant, std::string why) &&;
  /// Names a second witness against the print: an independent computation, a measurement, or another number
  /// of the same paper. A row that disagrees with the print becomes refuted if |ours − witness| ≤ tolerance;
  /// otherwise ours is the one in doubt, and the row still deviates. The reason is kept only if refuted.
  PaperRow or_refuted_by(double witness, double witness_tolerance, std::string why) &&;
  /// The same for a statement: `witness_denies` is whether the witness, judged as ours is, denies it too.
  PaperRow or_refuted_if(bool witness_denies, std::string why) &&;
  /// A row that disagrees with the print, which nothing independent decides, becomes not reproduced. `why`:
  /// what is known.
  PaperRow or_not_reproduced(std::string why) &&;
  /// Adds a remark, whatever the verdict is.
  PaperRow note(const std::string& text) &&;

 private:
  /// A row that deviates becomes `as` if something decides it.
  PaperRow decided(bool decides, PaperVerdict as, std::string why) &&;
};

/// A computed value against the print: agrees iff it rounds to the printed digits.
PaperRow compare_digits(std::string label, double printed, int decimals, double ours);
/// A measured value against the print: agrees iff |ours − printed| ≤ tolerance.
PaperRow compare_measured(std::string label, double printed, int decimals, double ours, double tolerance);
/// A statement that the paper makes without a number.
PaperRow judge_statement(std::string label, std::string statement, double ours, bool holds);

struct PaperTable {
  std::string title;               ///< "Table 2: P_hit in n-dimensional meshes"
  std::vector<std::string> notes;  ///< how it was computed, how the print was read
  std::vector<PaperRow> rows;

  std::size_t count(PaperVerdict) const;
};

/// For tables that draw at random.
struct PaperTableOptions {
  std::uint64_t seed = 1;
  unsigned jobs = 0;  ///< threads, 0: one per processor; never changes a value
};

/// A published table: `flitmend analyze paper NAME`.
struct PaperTableEntry {
  std::string_view name;
  std::string_view description;
  PaperTable (*compute)(const PaperTableOptions&);
};

/// All published tables. A new table is one function in a file of this folder and one line in registry.cpp.
const Registry<PaperTableEntry>& paper_tables();

/// A published table as it was printed, from studies/papers/printed-tables.yaml.
class PrintedTable {
 public:
  /// `name`: of its PaperTableEntry.
  explicit PrintedTable(const char* name);

  /// Title and notes without rows. `computed` replaces %1%, %2%, … in the notes.
  PaperTable begin(const std::vector<std::string>& computed = {}) const;
  /// The printed rows: objects by column. The paper has no number for a column that is missing.
  const std::vector<Json>& rows() const { return rows_; }
  /// The row, which becomes a misprint if its print is known to be wrong and ours agrees with what was meant.
  /// `computed` replaces %1%, %2%, … in the reason.
  PaperRow judged(PaperRow row, const std::vector<std::string>& computed = {}) const;
  /// What was meant by the row of that label, if its print is known to be wrong.
  std::optional<double> meant(const std::string& label) const;

 private:
  const Json* misprint(const std::string& label) const;

  const Json& table_;
  std::vector<Json> rows_;
};

}  // namespace flitmend
