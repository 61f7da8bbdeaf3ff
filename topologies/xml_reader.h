// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <expat.h>

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/errors.h"

namespace flitmend {

/// Reads an XML text without a document type, element by element: calls begin(), characters() and end(),
/// which may throw.
class XmlReader {
 public:
  using Attributes = std::vector<std::pair<std::string_view, std::string_view>>;  ///< name and value

  /// `source`: what error messages call the text.
  explicit XmlReader(std::string source);
  XmlReader(const XmlReader&) = delete;
  XmlReader& operator=(const XmlReader&) = delete;
  virtual ~XmlReader() = default;

 protected:
  /// Throws ConfigurationError with the place of what is not well-formed, and whatever a handler throws.
  void parse(const std::string& text);

  /// `name`: the part after the colon of a namespace.
  virtual void begin(std::string_view name, const Attributes&) = 0;
  /// A part of the text between two tags.
  virtual void characters(std::string_view text) = 0;
  virtual void end(std::string_view name) = 0;

  /// Where the parser is; after parse() its end.
  Place here() const;
  /// Throws ConfigurationError with that place, or with the one given.
  [[noreturn]] void fail(const std::string& text) const { fail_at(here(), text); }
  [[noreturn]] static void fail_at(const Place&, const std::string& text);

 private:
  struct FreeParser {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  template <class F>
  void guarded(F&& f);

  std::string source_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, FreeParser> parser_;
  std::exception_ptr error_;
};

}  // namespace flitmend
