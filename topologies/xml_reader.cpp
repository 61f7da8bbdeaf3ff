// SPDX-License-Identifier: Apache-2.0
#include "topologies/xml_reader.h"

#include <new>

#include "base/errors.h"

namespace flitmend {
namespace {

/// The part of a name after the colon of its namespace.
std::string_view local_name(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

XmlReader::Attributes attributes_of(const XML_Char** words) {
  XmlReader::Attributes attributes;
  for (; *words; words += 2) attributes.emplace_back(words[0], words[1]);
  return attributes;
}

}  // namespace

XmlReader::XmlReader(std::string source) : source_(std::move(source)), parser_(XML_ParserCreate(nullptr)) {
  if (!parser_) throw std::bad_alloc();
  XML_SetUserData(parser_.get(), this);
  XML_SetElementHandler(
      parser_.get(),
      [](void* self, const XML_Char* name, const XML_Char** words) {
        auto& reader = *static_cast<XmlReader*>(self);
        reader.guarded([&] { reader.begin(local_name(name), attributes_of(words)); });
      },
      [](void* self, const XML_Char* name) {
        auto& reader = *static_cast<XmlReader*>(self);
        reader.guarded([&] { reader.end(local_name(name)); });
      });
  XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* text, int length) {
    auto& reader = *static_cast<XmlReader*>(self);
    reader.guarded([&] { reader.characters({text, static_cast<std::size_t>(length)}); });
  });
  XML_SetStartDoctypeDeclHandler(
      parser_.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
        auto& reader = *static_cast<XmlReader*>(self);
        reader.guarded([&] { reader.fail("DOCTYPE is not supported; remove it"); });
      });
}

/// No exception may pass through Expat: an error is kept until it returns.
template <class F>
void XmlReader::guarded(F&& f) {
  if (error_) return;
  try {
    f();
  } catch (...) {
    error_ = std::current_exception();
    XML_StopParser(parser_.get(), XML_FALSE);
  }
}

void XmlReader::parse(const std::string& text) {
  const XML_Status status = XML_Parse(parser_.get(), text.data(), static_cast<int>(text.size()), XML_TRUE);
  if (error_) std::rethrow_exception(error_);
  if (status != XML_STATUS_OK)
    fail(std::string("this is not well-formed XML: ") + XML_ErrorString(XML_GetErrorCode(parser_.get())));
}

Place XmlReader::here() const {
  return {source_, static_cast<int>(XML_GetCurrentLineNumber(parser_.get())),
          static_cast<int>(XML_GetCurrentColumnNumber(parser_.get())) + 1};
}

void XmlReader::fail_at(const Place& place, const std::string& text) {
  throw ConfigurationError(place, text);
}

}  // namespace flitmend
