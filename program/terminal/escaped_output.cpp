// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/escaped_output.h"

#include "base/escaped_text.h"

namespace flitmend {

EscapedOutput::EscapedOutput(std::ostream& destination) : std::ostream(nullptr), buffer_(destination) {
  rdbuf(&buffer_);
}

EscapedOutput::~EscapedOutput() {
  flush();
}

EscapedOutput::Buffer::int_type EscapedOutput::Buffer::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  const char c = traits_type::to_char_type(character);
  add({&c, 1});
  return destination_ ? character : traits_type::eof();
}

std::streamsize EscapedOutput::Buffer::xsputn(const char* text, std::streamsize count) {
  add({text, static_cast<std::size_t>(count)});
  return destination_ ? count : 0;
}

int EscapedOutput::Buffer::sync() {
  write_line();
  return destination_.flush() ? 0 : -1;
}

void EscapedOutput::Buffer::add(std::string_view text) {
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    line_ += text.substr(0, end);
    write_line();
    destination_ << '\n';
    text.remove_prefix(end + 1);
  }
  line_ += text;
}

void EscapedOutput::Buffer::write_line() {
  std::string_view rest = line_;
  for (std::size_t tab = rest.find('\t'); tab != rest.npos; tab = rest.find('\t')) {
    destination_ << escaped_text(rest.substr(0, tab)) << '\t';
    rest.remove_prefix(tab + 1);
  }
  destination_ << escaped_text(rest);
  line_.clear();
}

}  // namespace flitmend
