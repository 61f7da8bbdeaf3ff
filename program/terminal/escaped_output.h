// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace flitmend {

/// Text for a terminal, line by line. Control codes and invisible characters are written as escapes
/// (escaped_text), wherever they come from: the title of a study, the name of a file, a message of the
/// system. Tabs stay.
class EscapedOutput : public std::ostream {
 public:
  /// The destination must outlive this.
  explicit EscapedOutput(std::ostream& destination);
  EscapedOutput(const EscapedOutput&) = delete;
  EscapedOutput& operator=(const EscapedOutput&) = delete;
  ~EscapedOutput() override;

 private:
  class Buffer final : public std::streambuf {
   public:
    explicit Buffer(std::ostream& destination) : destination_(destination) {}

   protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;

   private:
    void add(std::string_view text);
    void write_line();

    std::ostream& destination_;
    std::string line_;  ///< not written yet
  };

  Buffer buffer_;
};

}  // namespace flitmend
