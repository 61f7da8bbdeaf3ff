// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/report.h"

#include "base/errors.h"
#include "exploration/report/sections.h"
#include "exploration/studies/study_database.h"
#include "exploration/sweeps/reader.h"

namespace flitmend {

std::string report_html(const std::filesystem::path& folder, const PlottingLibrary& library) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error))
    throw ConfigurationError("there is no folder " + folder.string() +
                             "; name the one that flitmend run, sweep or study wrote to (--out)");
  if (!std::filesystem::is_directory(folder, error))
    throw ConfigurationError(
        folder.string() +
        " is not a folder; name the one that flitmend run, sweep or study wrote to (--out)");
  if (has_study(folder)) return study_report(folder).html(library);
  if (SweepReader::has_results(folder)) return sweep_report(folder).html(library);
  if (std::filesystem::exists(folder / "stats.json", error)) return run_report(folder).html(library);
  throw ConfigurationError("nothing to report on in " + folder.string() +
                           ": it has none of stats.json (flitmend run), results.sqlite (flitmend sweep) "
                           "and study.sqlite (flitmend "
                           "study)");
}

}  // namespace flitmend
