// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "exploration/studies/judgement.h"
#include "exploration/studies/study.h"

namespace flitmend {

/// The file of a study's folder that holds its statements; results of its sweeps stand in folders beside it.
inline constexpr const char* kStudyFile = "study.sqlite";
/// Its layout: grows whenever a table or column changes its name or meaning.
inline constexpr int kStudySchema = 1;

/// Whether the folder holds a study.
bool has_study(const std::filesystem::path& folder);

/// Throws what begin_study would, and changes nothing.
void check_study_folder(const std::filesystem::path& folder, const Study&, bool resume);

/// Begins the study's file: its title and text, no statements yet. Throws ConfigurationError where the folder
/// has another study's, or the other version's, or has one at all and `resume` is not set.
void begin_study(const std::filesystem::path& folder, const Study&, const std::string& version, bool resume);

/// Puts the judged statements into the file, all or none; `complete`: no run is missing. Tables: statements
/// (number, says, judged, measured, holds: 1, 0, NULL where undecided), comparisons (statement, number, at,
/// compared, wanted, measured, holds), meta. Throws WriteError.
void write_statements(const std::filesystem::path& folder, const std::vector<JudgedStatement>&,
                      bool complete);

/// What a report says of a study beside its tables.
struct StudyHeader {
  std::string name;
  std::string title;
  std::string about;
  std::string text;
  bool quick = false;
  bool complete = false;
  std::vector<std::string> sweeps;  ///< names of the folders
};
/// Throws ConfigurationError where the folder has no study, or one that is damaged or of another schema.
StudyHeader read_study_header(const std::filesystem::path& folder);

}  // namespace flitmend
