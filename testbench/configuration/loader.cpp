// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/loader.h"

#include "testbench/configuration/settings_loader.h"
#include "testbench/configuration/settle.h"
#include "testbench/configuration/source_text.h"

namespace flitmend {
namespace {

Configuration read_document(const DocumentNode& root, ErrorList& errors) {
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
  configuration.set_places(errors.file(), again.given());
  settle(configuration);
  return configuration;
}

}  // namespace

Configuration read_configuration(DocumentNode root, const std::string& name,
                                 const std::vector<Override>& overrides) {
  ErrorList errors(name);
  apply_overrides(root, overrides, errors);
  return read_document(root, errors);
}

Configuration parse_configuration(const std::string& text, const std::string& name,
                                  const std::vector<std::string>& sets) {
  check_source_text(text, name);
  ErrorList errors(name);
  DocumentNode root = parse_document(text, errors).value_or(DocumentNode{});
  apply_overrides(root, option_overrides(sets), errors);
  return read_document(root, errors);
}

Configuration load_configuration(const std::filesystem::path& path, const std::vector<std::string>& sets) {
  return parse_configuration(read_source_text(path), path.string(), sets);
}

}  // namespace flitmend
