// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/settings.h"
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// Values as YAML that reads back as the same value: numbers in the shortest form, texts in quotes if they
/// need them, nodes as "3" or "[3, 4]", lists in brackets.
std::string value_text(const ValuePointer&);
std::string value_text(const std::string&);

/// What a value may be, in words: "1 to 64", "true, false", "list of nodes"; empty if it is one of some
/// words.
std::string allowed_text(const ValuePointer&, const AllowedValues&);

/// "1 to 64", "at least 1", "any", followed by the unit if there is one: "1 to 64 flits".
std::string range_text(Range<std::int64_t>, std::string_view unit);
std::string range_text(Range<double>, std::string_view unit);

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
