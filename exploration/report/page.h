// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace flitmend {

/// What a page embeds to draw with.
struct PlottingLibrary {
  std::string_view vega;
  std::string_view vega_lite;
  std::string_view licences;

  bool complete() const { return !vega.empty() && !vega_lite.empty() && !licences.empty(); }
};

/// The one that the build fetched; not complete where it could not.
PlottingLibrary plotting_library();

struct ReportTable {
  struct Column {
    std::string head;
    bool number = false;
    std::string explanation = "";  ///< shown when one points at the head
  };
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  ///< cells as text; "–" for none
};

/// One self-contained HTML file under construction, part after part. Every text given is shown as it is,
/// whatever characters it has.
class ReportPage {
 public:
  ReportPage(std::string title, std::string subtitle);

  void heading(const std::string& text);
  void paragraph(const std::string& text);
  /// What a reader must not miss.
  void warning(const std::string& text);
  struct Tile {
    std::string label;
    std::string value;
    std::string note;  ///< small, below the value
  };
  void tiles(const std::vector<Tile>&);
  /// A picture that page/KIND.js draws of the data. `words` say what there is to see, also to those who do
  /// not see it.
  void figure(const std::string& kind, const std::string& title, const std::string& words,
              nlohmann::ordered_json data);
  /// Sorted by a click on a head; folded away at first where that is asked for.
  void table(const ReportTable&, bool folded);
  /// A text with its line breaks.
  void listing(const std::string& title, const std::string& text, bool folded);

  /// Throws ConfigurationError where there is nothing to draw with.
  std::string html(const PlottingLibrary&) const;

 private:
  void fold(const std::string& title, const std::string& content, bool folded);

  std::string title_;
  std::string subtitle_;
  std::string body_;
  nlohmann::ordered_json figures_ = nlohmann::ordered_json::array();
};

}  // namespace flitmend
