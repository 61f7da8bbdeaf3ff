// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/loader.h"

#include "testbench/configuration/overrides.h"
#include "testbench/configuration/settings_loader.h"
#include "testbench/configuration/settle.h"
#include "testbench/configuration/source_text.h"

namespace flitmend {
namespace {

Configuration load_document(const DocumentNode& root, const std::string& name, ErrorList& errors) {
  // The first pass finds mistakes and the preset; the second pass overrides the preset's values.
  Configuration read;
  SettingsLoader loader(root, errors);
  read.visit(loader);
  loader.finish();
  errors.throw_if_any();

  Configuration configuration;
  apply_preset(read.hardware.router.preset, configuration.hardware);
  SettingsLoader again(root, errors);
  configuration.visit(again);
  std::map<std::string, std::string, std::less<>> places;
  for (const auto& [path, place] : again.given()) places[path] = errors.text(place);
  configuration.set_places(name, std::move(places));
  settle(configuration);
  return configuration;
}

}  // namespace

Configuration parse_configuration(const std::string& text, const std::string& name,
                                  const std::vector<std::string>& sets) {
  check_source_text(text, name);
  ErrorList errors(name);
  DocumentNode root = parse_document(text, 0, errors).value_or(DocumentNode{});
  apply_overrides(root, sets, errors);
  return load_document(root, name, errors);
}

Configuration load_configuration(const std::filesystem::path& path, const std::vector<std::string>& sets) {
  return parse_configuration(read_source_text(path), path.string(), sets);
}

}  // namespace flitmend
