// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/study_file.h"

#include <algorithm>

#include "exploration/paper_tables/paper_table.h"
#include "exploration/studies/comparisons_of.h"
#include "exploration/studies/quick.h"
#include "exploration/studies/reference_reader.h"
#include "exploration/studies/statement_reader.h"
#include "exploration/studies/study_keys.h"
#include "exploration/sweeps/map_reader.h"
#include "testbench/configuration/source_text.h"
#include "testbench/configuration/value_reader.h"

namespace flitmend {
namespace {

using NodeKind = DocumentNode::Kind;

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
      const std::string path = "statements[" + std::to_string(i) + "]";
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

Study parse_study(const std::string& text, const std::string& name, const BaseReader& read_base, bool quick) {
  check_source_text(text, name);
  ErrorList errors(name);
  const DocumentNode root = parse_document(text, errors).value_or(DocumentNode{});
  errors.throw_if_any();
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
