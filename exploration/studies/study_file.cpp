// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/study_file.h"

#include <algorithm>
#include <cstdlib>

#include "base/errors.h"
#include "base/nearest.h"
#include "base/program_file.h"
#include "base/text.h"
#include "exploration/paper_tables/paper_table.h"
#include "exploration/studies/comparisons_of.h"
#include "exploration/studies/statement_reader.h"
#include "exploration/studies/study.h"
#include "exploration/sweeps/file_keys.h"
#include "testbench/configuration/source_text.h"
#include "testbench/configuration/value_reader.h"

namespace flitmend {
namespace {

using NodeKind = DocumentNode::Kind;

void merge(DocumentNode& node, const DocumentNode& over) {
  if (node.kind != NodeKind::map || over.kind != NodeKind::map) {
    node = over;
    return;
  }
  for (const DocumentEntry& entry : over.entries) {
    const auto found = std::find_if(node.entries.begin(), node.entries.end(),
                                    [&](const DocumentEntry& e) { return e.key == entry.key; });
    if (found == node.entries.end())
      node.entries.push_back(entry);
    else
      merge(found->value, entry.value);
  }
}

/// Removes `quick` from a section and merges it if it applies. False: the section is left out.
bool settle_quick(DocumentNode& node, bool quick, const std::string& path, ErrorList& errors) {
  if (node.kind != NodeKind::map) return true;
  const auto found = std::find_if(node.entries.begin(), node.entries.end(),
                                  [](const DocumentEntry& e) { return e.key == "quick"; });
  if (found == node.entries.end()) return true;
  const DocumentNode over = std::move(found->value);
  node.entries.erase(found);
  const bool out = over.kind == NodeKind::scalar && over.text == "false";
  if (!out && over.kind != NodeKind::map) {
    errors.add(over.place,
               path +
                   ".quick: expected a section of keys that differ in the quick version, or false to leave "
                   "it out, found " +
                   over.called());
    return true;
  }
  if (quick && !out) merge(node, over);
  return !quick || !out;
}

/// The results of a sweep are in a folder with its name.
bool names_a_folder(const std::string& name) {
  constexpr std::size_t kLongest = 100;
  return !name.empty() && name.size() <= kLongest && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return c < 0x80 && (std::isalnum(c) || c == '-' || c == '_' || c == '.');
         });
}

class StudyReader {
 public:
  StudyReader(const DocumentNode& root, const std::string& name, const BaseReader& read_base, bool quick)
      : root_(root),
        name_(name),
        read_base_(read_base),
        errors_(name),
        map_(root, "", study_keys(), errors_) {
    study_.quick = quick;
  }

  Study read() {
    errors_.throw_if_any();
    read_text("title", study_.title);
    read_text("about", study_.about);
    if (study_.title.empty() && !map_.has("title"))
      errors_.add({}, "title: missing; say in one line what the study is about");
    if (const DocumentNode* sweeps = map_.get("sweeps")) read_sweeps(*sweeps);
    const DocumentNode* const statements = map_.get("statements");
    const DocumentNode* const references = map_.get("references");
    map_.finish();
    errors_.throw_if_any();
    read_statements(statements);
    if (references) study_.references = read_references(*references, study_, errors_);
    errors_.throw_if_any();
    return std::move(study_);
  }

 private:
  void read_text(const char* key, std::string& text) {
    if (const DocumentNode* node = map_.get(key)) map_.report(*node, key, read_value(*node, text));
    while (!text.empty() && text.back() == '\n') text.pop_back();
  }

  void read_sweeps(const DocumentNode& sweeps) {
    if (sweeps.kind != NodeKind::map) {
      map_.report(sweeps, "sweeps", "expected names with their sweeps, found " + sweeps.called());
      return;
    }
    for (const DocumentEntry& entry : sweeps.entries) {
      if (!names_a_folder(entry.key)) {
        errors_.add(entry.place, "sweeps: '" + entry.key +
                                     "' cannot be the name of a folder; use letters, digits, -, _ and .");
        continue;
      }
      constexpr int kIndent = 2;
      const std::string text = json_of(entry.value).dump(kIndent) + "\n";
      study_.sweeps.push_back(std::make_unique<StudySweep>(
          entry.key, read_sweep(entry.value, "sweeps." + entry.key, name_, text, read_base_)));
      if (study_.sweeps.back()->sweep.seeds_shared_by)
        errors_.add(entry.value.find("seeds_shared_by")->place,
                    "sweeps." + entry.key +
                        ".seeds_shared_by: a study compares points with the same seed; remove it");
    }
  }

  void read_statements(const DocumentNode* statements) {
    if (!statements || statements->kind != NodeKind::list || statements->items.empty()) {
      errors_.add(statements ? statements->place : Place{},
                  std::string("statements: ") +
                      (statements && statements->kind != NodeKind::list && statements->kind != NodeKind::null
                           ? "expected a list of statements, found " + statements->called()
                       : study_.quick ? "none in the quick version; a study needs at least one"
                                      : "none; a study needs at least one"));
      return;
    }
    StatementContext context;
    for (const auto& sweep : study_.sweeps) context.sweeps.push_back({sweep->name, &sweep->sweep});
    if (const DocumentEntry* curves = root_.find("curves")) context.curves = &curves->value;
    check_named_curves(context, errors_);
    for (std::size_t i = 0; i < statements->items.size(); ++i) {
      ErrorList errors(name_);
      const std::string path = formatted("statements[%1%]", i);
      StatementText text = read_statement(statements->items[i], path, context, errors);
      if (!errors.empty()) {
        errors_.append(errors);
        continue;
      }
      StudyStatement statement{
          std::move(text.says), "", {}, std::move(text.table), std::move(text.refuted_by)};
      if (statement.table.empty()) {
        statement.judged = text.spec.text();
        statement.comparisons = comparisons_of(text.spec, study_.sweeps, study_.quick, errors_);
      } else {
        statement.judged = std::string(paper_tables().at(statement.table).description);
      }
      study_.statements.push_back(std::move(statement));
    }
  }

  const DocumentNode& root_;
  const std::string& name_;
  const BaseReader& read_base_;
  ErrorList errors_;
  MapReader map_;
  Study study_;
};

}  // namespace

std::filesystem::path studies_folder() {
  std::error_code error;
  if (const char* named = std::getenv("FLITMEND_STUDIES"); named && *named) {
    if (std::filesystem::is_directory(named, error)) return named;
    throw ConfigurationError(std::string("FLITMEND_STUDIES names ") + named + ", which is not a folder");
  }
  const std::filesystem::path program = program_file().parent_path();
  // Relative to the program, so that an installation can be moved.
  for (const char* place : {FLITMEND_STUDIES_FROM_PROGRAM, "studies"})
    if (const auto folder = (program / place).lexically_normal();
        std::filesystem::is_directory(folder, error))
      return folder;
  throw ConfigurationError("the studies that come with flitmend are missing: no " +
                           (program / FLITMEND_STUDIES_FROM_PROGRAM).lexically_normal().string() +
                           "; give a study's file, or set FLITMEND_STUDIES to their folder");
}

std::vector<std::filesystem::path> all_studies(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::filesystem::path find_study(const std::string& name_or_file) {
  if (name_or_file.find('/') != name_or_file.npos || name_or_file.ends_with(".yaml")) return name_or_file;
  std::vector<std::string> names;
  for (const std::filesystem::path& file : all_studies(studies_folder())) {
    names.push_back(file.stem().string());
    if (names.back() == name_or_file) return file;
  }
  throw ConfigurationError("unknown study " + shown_value(name_or_file) +
                           did_you_mean(name_or_file, {names.begin(), names.end()}));
}

DocumentNode version_of(const DocumentNode& study, bool quick, ErrorList& errors) {
  DocumentNode version = study;
  for (DocumentEntry& entry : version.entries) {
    if (entry.key == "sweeps" && entry.value.kind == NodeKind::map)
      std::erase_if(entry.value.entries, [&](DocumentEntry& sweep) {
        return !settle_quick(sweep.value, quick, "sweeps." + sweep.key, errors);
      });
    if (entry.key != "statements" || entry.value.kind != NodeKind::list) continue;
    std::size_t number = 0;
    std::erase_if(entry.value.items, [&](DocumentNode& statement) {
      return !settle_quick(statement, quick, formatted("statements[%1%]", number++), errors);
    });
  }
  return version;
}

Study parse_study(const std::string& text, const std::string& name, const BaseReader& read_base, bool quick) {
  const DocumentNode root = read_document(text, name);
  ErrorList errors(name);
  const DocumentNode full_root = version_of(root, false, errors);
  errors.throw_if_any();
  const DocumentNode quick_root = version_of(root, true, errors);
  Study full_study = StudyReader(full_root, name, read_base, false).read();
  Study quick_study = StudyReader(quick_root, name, read_base, true).read();
  Study& study = quick ? quick_study : full_study;
  study.name = std::filesystem::path(name).stem().string();
  study.text = text;
  return std::move(study);
}

Study load_study(const std::filesystem::path& path, bool quick) {
  return parse_study(
      read_source_text(path), path.string(),
      [&](const std::string& file) { return read_source_text(path.parent_path() / file); }, quick);
}

}  // namespace flitmend
