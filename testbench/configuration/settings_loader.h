// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "testbench/configuration/document.h"
#include "testbench/configuration/file_folders.h"

namespace flitmend {

/// Reads the value of a key, of any kind, and leaves it unchanged on error. `path`: the dotted path of the
/// key, `unit`: its unit. Errors go into the list, those of a list's items with their index:
/// "traffic.hotspot_nodes[2]: …".
void read_key(const DocumentNode&, const ValuePointer&, const AllowedValues&, const std::string& path,
              std::string_view unit, ErrorList&);

/// Fills settings from a document: visit every settings struct with it, then call finish(). Keys that the
/// document does not set keep their value. Errors go into the error list.
class SettingsLoader : public SettingsVisitor {
 public:
  /// A file that a key names by a relative name.
  struct NamedFile {
    std::string path;  ///< of the key
    std::string name;
    std::string file;  ///< absolute
    Place place;
  };

  /// `root`: a map or null. `folders`: what names of files are relative to; settings get absolute names then,
  /// and without it those that are given.
  SettingsLoader(const DocumentNode& root, ErrorList& errors, const FileFolders* folders = nullptr);

  void begin_section(std::string_view name, std::string_view description) override;
  void begin_shared_section(std::string_view name, std::string_view description, unsigned keys) override;
  void end_section() override;

  /// Reports every key of the document that was not visited.
  void finish();
  /// Dotted paths of the keys that the document sets, with the places of their values.
  const std::map<std::string, Place, std::less<>>& given() const { return given_; }
  const std::vector<NamedFile>& files() const { return files_; }

 private:
  /// `keys`: those that share a number which stands for the section; 0: none may.
  void open_section(std::string_view name, unsigned keys);
  /// What each of `keys` keys gets of a number in place of their section; nothing, and an error, if it cannot
  /// be shared out.
  std::optional<DocumentNode> share_of(const DocumentNode&, const std::string& path, unsigned keys);
  struct Section {
    std::string path;                                  ///< "router.pipeline", "" for the root
    const DocumentNode* node;                          ///< null: not in the document
    std::optional<DocumentNode> share = std::nullopt;  ///< of every key, if a number stands for the section
  };
  std::string path_of(std::string_view name) const;
  /// The value that the document sets for the key; null if none.
  const DocumentNode* value_of(const Key&);
  void report(const DocumentNode&, const std::string& path, const std::string& wrong);
  void visit_key(const Key&, ValuePointer, const AllowedValues&) override;
  /// Makes the name of a file that the key gives absolute.
  void resolve_file(std::string& value, const std::string& path, const Place&);
  void report_unknown(const DocumentNode&, const std::string& path);
  std::string hint(const std::string& path, const std::string& key) const;

  ErrorList& errors_;
  std::vector<Section> stack_;
  const DocumentNode& root_;
  std::map<std::string, std::vector<std::string>, std::less<>> sections_;  ///< known names of a section
  std::map<std::string, Place, std::less<>> given_;
  const FileFolders* folders_;
  std::vector<NamedFile> files_;
  std::size_t unknown_ = 0;  ///< keys so far
};

}  // namespace flitmend
