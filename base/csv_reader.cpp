// SPDX-License-Identifier: Apache-2.0
#include "base/csv_reader.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "base/nearest.h"
#include "base/text.h"
#include "base/utf8.h"

namespace flitmend {
namespace {

constexpr std::size_t kMostLineBytes = 1 << 16;
constexpr std::size_t kBlockBytes = 1 << 18;
constexpr int kMostLine = std::numeric_limits<int>::max();
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

bool CsvReader::is_number(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') || text.starts_with('+'));
  return !digits.empty() && digits.find_first_of("0123456789") <= 1 &&
         digits.find_first_not_of("0123456789.eE+-,;") == digits.npos;
}

CsvReader::CsvReader(std::string path, std::span<const Column> columns,
                     const std::function<bool(std::string_view)>& is_value)
    : path_(std::move(path)),
      file_(path_),
      columns_(columns.begin(), columns.end()),
      fields_(columns.size()) {
  fill();
  refuse_unreadable();
  if (std::string_view(buffer_).starts_with(kByteOrderMark)) begin_ = kByteOrderMark.size();
  for (std::size_t i = 0; i < columns_.size(); ++i) order_.push_back(i);
  if (!next_line()) return;
  split();
  if (is_value(split_.front().text)) return;
  read_header();
  first_ = false;
}

void CsvReader::refuse_unreadable() const {
  using namespace std::string_view_literals;
  constexpr std::pair<std::string_view, std::string_view> kRemedies[] = {
      {"BZh"sv, "compressed by bzip2; decompress it with bunzip2"},
      {"\x28\xb5\x2f\xfd"sv, "compressed by zstd; decompress it with unzstd"},
      {"PK\x03\x04"sv, "a ZIP archive, as spreadsheets are stored; export it as CSV"},
      {"\xff\xfe"sv, "in UTF-16; save it as UTF-8"},
      {"\xfe\xff"sv, "in UTF-16; save it as UTF-8"}};
  for (const auto& [bytes, remedy] : kRemedies)
    if (std::string_view(buffer_).starts_with(bytes))
      throw ConfigurationError(Place{path_, 1}, "the file is " + std::string(remedy));
}

bool CsvReader::fill() {
  if (end_of_file_) return false;
  buffer_.erase(0, std::exchange(begin_, 0));
  const std::size_t had = buffer_.size();
  buffer_.resize(had + kBlockBytes);
  const std::size_t count = file_.read(buffer_.data() + had, kBlockBytes, line_ + (line_ < kMostLine));
  buffer_.resize(had + count);
  end_of_file_ = count == 0;
  return true;
}

bool CsvReader::next_line() {
  for (;;) {
    std::size_t end = buffer_.find('\n', begin_);
    while (end == buffer_.npos) {
      const std::size_t searched = buffer_.size() - begin_;
      if (searched > kMostLineBytes || !fill()) break;
      end = buffer_.find('\n', begin_ + searched);
    }
    if (end == buffer_.npos && begin_ == buffer_.size()) {
      text_ = {};
      return false;
    }
    text_ = std::string_view(buffer_).substr(begin_, std::min(end, buffer_.size()) - begin_);
    line_ += line_ < kMostLine;
    fields_.assign(fields_.size(), {});
    if (text_.size() > kMostLineBytes)
      fail(kNoColumn, "the line has more than 65536 bytes; break it into several");
    begin_ = end == buffer_.npos ? buffer_.size() : end + 1;
    if (text_.ends_with('\r')) text_.remove_suffix(1);
    const auto fail_at = [&](std::size_t at, const char* what) {
      throw ConfigurationError(Place{path_, line_, static_cast<int>(at) + 1}, what);
    };
    if (const std::size_t at = text_.find('\r'); at != text_.npos)
      fail_at(at, "a carriage return without a line feed; end lines with LF or CRLF");
    if (const std::size_t at = text_.find('\0'); at != text_.npos)
      fail_at(at, "a byte 0; the file must be text");
    if (const std::size_t at = first_not_utf8(text_); at != text_.npos)
      fail_at(at, "a byte that is not UTF-8; save the file as UTF-8");
    if (!text_.starts_with('#') && !without_blanks(text_).empty()) return true;
  }
}

void CsvReader::split() {
  split_.clear();
  unquoted_.clear();
  unquoted_.reserve(text_.size());  // so that fields stay where they are
  for (std::size_t at = 0;;) {
    std::size_t first = text_.find_first_not_of(" \t", at);
    if (first == text_.npos) first = text_.size();
    const int column = static_cast<int>(first) + 1;
    const auto fail_here = [&](const char* what) {
      throw ConfigurationError(Place{path_, line_, column}, what);
    };
    std::size_t comma;
    if (first < text_.size() && text_[first] == '"') {
      const std::size_t begin = unquoted_.size();
      std::size_t i = first + 1;
      for (; i < text_.size() && (text_[i] != '"' || text_.substr(i + 1).starts_with('"')); ++i) {
        unquoted_ += text_[i];
        i += text_[i] == '"';
      }
      if (i >= text_.size()) fail_here("a quotation mark without its end in this line; add it");
      comma = text_.find(',', i);
      const std::string_view after = text_.substr(i + 1, comma == text_.npos ? comma : comma - i - 1);
      if (!without_blanks(after).empty()) fail_here("text after the closing quotation mark; add a comma");
      split_.push_back({without_blanks(std::string_view(unquoted_).substr(begin)), column});
    } else {
      comma = text_.find(',', first);
      const std::string_view field =
          without_blanks(text_.substr(at, comma == text_.npos ? comma : comma - at));
      if (field.find('"') != field.npos)
        fail_here("a quotation mark inside a field; put the whole field in quotes, and double those inside");
      split_.push_back({field, column});
    }
    if (comma == text_.npos) return;
    at = comma + 1;
  }
}

void CsvReader::read_header() {
  std::vector<std::string_view> names;
  for (const Column& column : columns_) names.push_back(column.name);
  order_.clear();
  for (const Field& field : split_) {
    const auto found = std::ranges::find(names, field.text);
    const std::size_t column = static_cast<std::size_t>(found - names.begin());
    const auto refuse = [&](const std::string& text) {
      throw ConfigurationError(Place{path_, line_, field.column}, text);
    };
    if (found == names.end())
      refuse("unknown column " + shown_value(field.text) + did_you_mean(field.text, names));
    if (std::ranges::find(order_, column) != order_.end())
      refuse("column " + std::string(field.text) + " is there twice; remove one");
    order_.push_back(column);
  }
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].required && std::ranges::find(order_, i) == order_.end())
      throw ConfigurationError(
          Place{path_, line_},
          "the header has no column " + std::string(columns_[i].name) + "; columns are " + joined(names));
}

bool CsvReader::read() {
  if (std::exchange(first_, false) && !text_.empty()) {
    // The constructor has read it.
  } else {
    if (!next_line()) {
      if (!any_)
        throw ConfigurationError(Place{path_, std::max(line_, 1)},
                                 "the file has no line with values; add one");
      return false;
    }
    split();
  }
  any_ = true;
  if (split_.size() > order_.size())
    throw ConfigurationError(Place{path_, line_, split_[order_.size()].column},
                             formatted("%1%, but a line has %2% at most; remove the last ones",
                                       counted(split_.size(), "field"), order_.size()));
  fields_.assign(fields_.size(), {});
  for (std::size_t i = 0; i < split_.size(); ++i) fields_[order_[i]] = split_[i];
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].required && fields_[i].text.empty())
      fail(i, "no " + std::string(columns_[i].name) + "; each line needs one");
  return true;
}

std::uint64_t CsvReader::whole(std::size_t column, std::uint64_t first, std::uint64_t last) const {
  const std::string_view text = field(column);
  const std::string name(columns_[column].name);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end != text.data() + text.size())
    fail(column, name + " " + shown_value(text) + " is not a whole number; write digits only");
  if (error != std::errc() || value < first || value > last)
    fail(column, formatted("%1% %2% is out of range; it must be %3% to %4%", name, text, first, last));
  return value;
}

Place CsvReader::place(std::size_t column) const {
  return {path_, line_, column == kNoColumn ? 0 : fields_[column].column};
}

void CsvReader::fail(std::size_t column, const std::string& text) const {
  throw ConfigurationError(place(column), text);
}

}  // namespace flitmend
