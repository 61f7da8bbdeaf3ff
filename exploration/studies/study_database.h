// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "exploration/studies/judge.h"
#include "exploration/studies/study.h"

namespace flitmend {

/// The file with a study's statements; the results of its sweeps are in folders next to it.
inline constexpr const char* kStudyFile = "study.sqlite";
/// Version of the layout. Increases whenever a table or column changes its name or meaning.
inline constexpr int kStudySchema = 1;

/// Whether the folder holds a study.
bool has_study(const std::filesystem::path& folder);

/// Throws what begin_study would throw, and changes nothing.
void check_study_folder(const std::filesystem::path& folder, const Study&, bool resume);

/// Creates the study's file: its title and text, no statements yet. Throws ConfigurationError if the folder
/// has another study or the other version, or has one at all and `resume` is not set.
void begin_study(const std::filesystem::path& folder, const Study&, const std::string& version, bool resume);

/// Stores the judged statements, all or none; `complete`: no run is missing. Tables: statements (number,
/// says, judged, measured, holds: 1, 0, NULL if undecided; refuted_by: why, if refuted (holds is 0), else
/// NULL), comparisons (statement, number, at, compared,
/// wanted, measured, holds), meta. Throws WriteError.
void write_statements(const std::filesystem::path& folder, const std::vector<JudgedStatement>&,
                      bool complete);

/// What a report shows of a study apart from its tables.
struct StudyHeader {
  std::string name;
  std::string title;
  std::string about;
  std::string text;
  bool quick = false;
  bool complete = false;
  std::vector<std::string> sweeps;  ///< names of the folders
  std::vector<StudyReference> references;
};
/// Throws ConfigurationError if the folder has no study, or one that is damaged or has another schema.
StudyHeader read_study_header(const std::filesystem::path& folder);

}  // namespace flitmend
