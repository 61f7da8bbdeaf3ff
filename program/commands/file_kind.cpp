// SPDX-License-Identifier: Apache-2.0
#include "program/commands/file_kind.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "base/input_file.h"
#include "exploration/campaign/campaign.h"
#include "exploration/campaign/exhaustive_campaign.h"
#include "exploration/studies/study.h"
#include "exploration/sweeps/file_keys.h"
#include "testbench/configuration/configuration.h"
#include "testbench/configuration/declarations.h"
#include "testbench/configuration/document.h"
#include "testbench/configuration/source_text.h"

namespace flitmend {
namespace {

struct Known {
  FileKind kind;
  const char* what;  ///< "this is a sweep"
  const char* remedy;
};
constexpr Known kKnown[] = {
    {FileKind::configuration, "a configuration", "flitmend run simulates it"},
    {FileKind::sweep, "a sweep", "flitmend sweep runs it"},
    {FileKind::campaign, "a campaign", "flitmend campaign runs it"},
    {FileKind::exhaustive, "an exhaustive campaign", "flitmend campaign --exhaustive runs it"},
    {FileKind::study, "a study", "flitmend study runs it"},
};

/// Something that is not YAML, by how it begins.
struct Foreign {
  std::string_view begin;
  const char* what;
  const char* remedy;
};
constexpr Foreign kForeign[] = {
    {"<", "a graph", "name it with network.graph in a configuration"},
    {"BZh", "a compressed trace", "name it with traffic.trace in a configuration"},
    {"SQLite format 3", "the results of a sweep", "flitmend report reads their folder"},
};

[[noreturn]] void refuse(const std::filesystem::path& file, const char* what, const char* remedy) {
  throw ConfigurationError(Place{file.string()}, std::string("this is ") + what + "; " + remedy);
}

void refuse_foreign(const std::filesystem::path& file) {
  std::error_code none;
  if (std::filesystem::is_directory(file, none)) refuse(file, "a folder", "name a file in it");
  std::string why;
  const InputStream stream = open_input_file(file.string(), why);
  if (!stream) return;  // such as a pipe, of which reading has already said so
  std::string begin(32, '\0');
  begin.resize(std::fread(begin.data(), 1, begin.size(), stream.get()));
  for (const Foreign& foreign : kForeign)
    if (begin.starts_with(foreign.begin)) refuse(file, foreign.what, foreign.remedy);
}

/// How many of a document's keys a file of that kind may have.
std::size_t matches(const DocumentNode& root, FileKind kind) {
  const auto count = [&](auto&& has) {
    return static_cast<std::size_t>(
        std::count_if(root.entries.begin(), root.entries.end(),
                      [&](const DocumentEntry& entry) { return has(entry.key); }));
  };
  if (kind == FileKind::configuration) {
    const std::vector<DeclaredSection> sections = declarations(Configuration{});
    return count([&](const std::string& key) {
      return std::ranges::any_of(sections, [&](const DeclaredSection& s) { return s.path == key; });
    });
  }
  const FileSection& keys = kind == FileKind::sweep        ? sweep_keys()
                            : kind == FileKind::campaign   ? campaign_keys()
                            : kind == FileKind::exhaustive ? exhaustive_campaign_keys()
                                                           : study_keys();
  return count([&](const std::string& key) {
    // A sweep has the key too, for the tasks of a cluster.
    if (key == "exhaustive") return kind == FileKind::exhaustive;
    return std::ranges::any_of(keys.keys, [&](const FileKey& k) { return k.name == key; });
  });
}

}  // namespace

void refuse_other_kind(const std::filesystem::path& file, FileKind expected) {
  refuse_foreign(file);
  DocumentNode root;
  try {
    ErrorList errors(file.string());
    root = parse_document(read_source_text(file), errors).value_or(DocumentNode{});
  } catch (const ConfigurationError&) {
    return;  // not a text: what has been said is right
  }
  // A sweep's keys may all be keys of a campaign, so the first kind with the most wins.
  const Known* best = nullptr;
  std::size_t most = matches(root, expected);
  for (const Known& known : kKnown)
    if (const std::size_t keys = matches(root, known.kind); keys > most) {
      best = &known;
      most = keys;
    }
  if (best) refuse(file, best->what, best->remedy);
}

}  // namespace flitmend
