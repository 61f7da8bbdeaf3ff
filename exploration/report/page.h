// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/table.h"

namespace flitmend {

/// Libraries and scripts that a page embeds for drawing.
struct PlottingLibrary {
  std::string_view vega;
  std::string_view vega_lite;
  std::string_view licences;

  bool complete() const { return !vega.empty() && !vega_lite.empty() && !licences.empty(); }
};

/// Those that the build fetched; incomplete if it could not.
PlottingLibrary plotting_library();

/// The value as JSON that is safe inside a <script>: it contains no '<', '>' or '&'. Invalid UTF-8 becomes
/// the replacement character.
std::string script_json(const nlohmann::ordered_json&);

/// A self-contained HTML file, built part by part. Every text is shown as given, whatever characters it
/// contains.
class ReportPage {
 public:
  ReportPage(std::string title, std::string subtitle);

  void heading(const std::string& text);
  void paragraph(const std::string& text);
  /// Something that a reader must not miss.
  void warning(const std::string& text);
  struct Tile {
    std::string label;
    std::string value;
    std::string note;  ///< small, below the value
  };
  void tiles(const std::vector<Tile>&);
  /// A picture that page/KIND.js draws from the data. `words` describe what it shows, for readers who cannot
  /// see it too.
  void figure(const std::string& kind, const std::string& title, const std::string& words,
              nlohmann::ordered_json data);
  /// A picture that needs no script. `svg`: an element of SVG, well-formed, and without ids, links and
  /// scripts.
  void drawing(const std::string& title, const std::string& words, const std::string& svg);
  /// Sorted by a click on a heading; collapsed at first if `folded`.
  void table(const Table&, bool folded);
  /// A text with its line breaks.
  void listing(const std::string& title, const std::string& text, bool folded);

  /// Throws ConfigurationError if the plotting library is missing.
  std::string html(const PlottingLibrary&) const;

 private:
  void fold(const std::string& title, const std::string& content, bool folded);

  std::string title_;
  std::string subtitle_;
  std::string body_;
  nlohmann::ordered_json figures_ = nlohmann::ordered_json::array();
};

/// The report on a folder, as HTML: on a study, a sweep or a run, if the folder holds study.sqlite,
/// results.sqlite or stats.json. Throws ConfigurationError if it holds none of them, or if they cannot be
/// read.
std::string report_html(const std::filesystem::path& folder, const PlottingLibrary&);

}  // namespace flitmend
