// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "base/settings.h"
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// Writes every key that it visits as a line of YAML, with its unit as a comment.
class SettingsWriter : public SettingsVisitor {
 public:
  void begin_section(std::string_view name, std::string_view description) override;
  void end_section() override;

  const std::string& text() const { return text_; }

 private:
  void visit_key(const Key&, ValuePointer, const AllowedValues&) override;

  std::string text_;
  std::string indent_;
};

/// The effective configuration as YAML: every key with its value, units as comments. Reading it gives the
/// same configuration.
std::string to_yaml(Configuration);

}  // namespace flitmend
