// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/decompressed_file.h"
#include "base/errors.h"

namespace flitmend {

/// Reads a file of comma-separated values line by line, in constant memory; it may be compressed by gzip or
/// xz. UTF-8, with or without a byte order mark; LF or CRLF. Empty lines and lines that begin with # are
/// skipped. Blanks around a field are dropped; quotes as in RFC 4180, without line breaks inside. Optional
/// fields may be missing at the end of a line. Lines have up to 64 KiB. Errors are ConfigurationErrors with
/// file, line and column.
class CsvReader {
 public:
  struct Column {
    std::string_view name;
    bool required = false;  ///< must be in the header, and not empty
  };
  /// `columns`: all that the file may have, in the order that lines have without a header. The first line is
  /// a header unless `is_value` says that its first field is a value. Opens the file.
  CsvReader(std::string path, std::span<const Column> columns,
            const std::function<bool(std::string_view)>& is_value = is_number);

  /// Reads the next line with values; false after the last one. Refuses a file without any.
  bool read();

  /// The field of a column, by its place in `columns`; empty if the line does not have it.
  std::string_view field(std::size_t column) const { return fields_[column].text; }
  /// A whole number, digits only. Refuses others, and those outside first … last.
  std::uint64_t whole(std::size_t column, std::uint64_t first, std::uint64_t last) const;

  /// Where the field is; without a column, or if the line lacks it, the line as a whole.
  Place place(std::size_t column = kNoColumn) const;
  /// Throws about a field, or without a column about the line.
  [[noreturn]] void fail(std::size_t column, const std::string& text) const;

  static constexpr std::size_t kNoColumn = ~std::size_t{0};
  /// The largest whole number that a file may have.
  static constexpr std::uint64_t kLargest = std::uint64_t{1} << 53;
  /// Digits, perhaps with a sign, a point and an exponent.
  static bool is_number(std::string_view);

 private:
  struct Field {
    std::string_view text;
    int column = 0;  ///< from 1; 0: missing
  };

  bool next_line();
  bool fill();
  void split();
  void read_header();
  void refuse_unreadable() const;

  std::string path_;
  DecompressedFile file_;
  std::vector<Column> columns_;
  std::vector<std::size_t> order_;  ///< the column of each field of a line
  std::string buffer_;
  std::size_t begin_ = 0;  ///< of what has not been read
  bool end_of_file_ = false;
  int line_ = 0;
  std::string_view text_;      ///< the line
  std::string unquoted_;       ///< fields of the line that were in quotes
  std::vector<Field> split_;   ///< the fields of the line
  std::vector<Field> fields_;  ///< by column
  bool first_ = true;
  bool any_ = false;
};

}  // namespace flitmend
