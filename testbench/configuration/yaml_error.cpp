// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/document.h"

namespace flitmend {
namespace {

struct Meaning {
  std::string_view beginning;  ///< of the parser's message
  std::string_view text;
};

constexpr std::string_view kBraces =
    "the braces or brackets are not closed here; check that each { has its } and each [ its ], with commas "
    "between the entries";
constexpr std::string_view kIndentation =
    "this does not fit the lines above it; indent the keys of a section alike, and write 'key: value'";
constexpr std::string_view kColon =
    "a ':' is not expected here; write one 'key: value' per line, and put a text that contains ': ' in "
    "quotes";
constexpr std::string_view kDirective = "a line that starts with % is not supported; remove it";
constexpr std::string_view kName =
    "after & and * comes the name of an anchor, of letters and digits; write a text that starts with & or * "
    "in "
    "quotes";
constexpr std::string_view kTag =
    "tags (words that start with !) are not supported; write the value without it";
constexpr std::string_view kEscape =
    "this is not an escape of a text in double quotes; write \\\\ for a backslash, or use single quotes";
constexpr std::string_view kBlock =
    "the text after | or > is not as expected; indent its lines, with nothing else after | or >";

constexpr Meaning kMeanings[] = {
    {"end of map flow", kBraces},
    {"end of sequence flow", kBraces},
    {"illegal flow end", "this } or ] closes nothing; remove it, or add the { or [ that it belongs to"},
    {"end of map", kIndentation},
    {"end of sequence", kIndentation},
    {"illegal map value", kColon},
    {"illegal map key", kColon},
    {"illegal block entry",
     "a '-' is not expected here; write a list like [1, 2], or each entry on a line of its own"},
    {"illegal EOF in scalar", "the quotes that open here are not closed"},
    {"illegal document indicator", "--- or ... stands inside a text in quotes; close the quotes before it"},
    {"illegal tab", "indent with spaces, not tabs"},
    {"YAML directives", kDirective},
    {"bad YAML version", kDirective},
    {"YAML major version", kDirective},
    {"repeated", kDirective},
    {"TAG directives", kDirective},
    {"illegal character found while scanning tag", kTag},
    {"tag handle", kTag},
    {"end of verbatim tag", kTag},
    {"cannot assign multiple", "a value can have one anchor (&) and one tag"},
    {"aliases can't have", "an alias (*name) is the whole value; remove what follows it"},
    {"alias not found", kName},
    {"anchor not found", kName},
    {"illegal character found while scanning a", kName},
    {"the referenced anchor",
     "there is no anchor (&name) of this name above; define it, or write a text that "
     "starts with * in quotes"},
    {"unknown escape", kEscape},
    {"bad character found while scanning hex", kEscape},
    {"invalid unicode", kEscape},
    {"cannot set zero indentation", kBlock},
    {"unexpected character in block", kBlock},
};

}  // namespace

std::string yaml_error(std::string_view parser_message) {
  for (const auto& [beginning, text] : kMeanings)
    if (parser_message.starts_with(beginning)) return "not YAML: " + std::string(text);
  return "not YAML: this cannot be read; check indentation, quotes and brackets, here and above, and write a "
         "text that starts with a special character in quotes";
}

}  // namespace flitmend
