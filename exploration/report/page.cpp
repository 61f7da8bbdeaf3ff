// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/page.h"

#include "base/errors.h"
#include "base/escaped_text.h"
#include "base/text.h"
#include "exploration/report/assets.h"
#include "exploration/report/sections.h"
#include "exploration/studies/study_database.h"
#include "exploration/sweeps/reader.h"

namespace flitmend {
namespace {

// Nothing may be loaded from anywhere. Vega compiles the expressions of its specifications, which needs
// 'unsafe-eval'.
constexpr const char* kHead =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline' "
    "'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta name=\"generator\" content=\"flitmend " FLITMEND_VERSION "\">\n";

std::string element(const std::string& name, const std::string& text) {
  return "<" + name + ">" + html_escaped(text) + "</" + name + ">\n";
}

std::string script(std::string_view text) {
  return "<script>\n" + std::string(text) + "\n</script>\n";
}

}  // namespace

std::string script_json(const nlohmann::ordered_json& value) {
  const std::string plain = value.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  std::string escaped;
  escaped.reserve(plain.size());
  // These occur only inside strings.
  for (const char c : plain) switch (c) {
      case '<':
        escaped += "\\u003c";
        break;
      case '>':
        escaped += "\\u003e";
        break;
      case '&':
        escaped += "\\u0026";
        break;
      default:
        escaped += c;
    }
  return escaped;
}

PlottingLibrary plotting_library() {
  return {assets::vega, assets::vega_lite, assets::licences};
}

ReportPage::ReportPage(std::string title, std::string subtitle)
    : title_(std::move(title)), subtitle_(std::move(subtitle)) {}

void ReportPage::heading(const std::string& text) {
  body_ += element("h2", text);
}

void ReportPage::paragraph(const std::string& text) {
  body_ += element("p", text);
}

void ReportPage::warning(const std::string& text) {
  body_ += "<p class=\"warning\" role=\"alert\">" + html_escaped(text) + "</p>\n";
}

void ReportPage::tiles(const std::vector<Tile>& tiles) {
  body_ += "<dl class=\"tiles\">\n";
  for (const Tile& tile : tiles)
    body_ += "<div><dt>" + html_escaped(tile.label) + "</dt><dd>" + html_escaped(tile.value) +
             (tile.note.empty() ? "" : "<small>" + html_escaped(tile.note) + "</small>") + "</dd></div>\n";
  body_ += "</dl>\n";
}

void ReportPage::figure(const std::string& kind, const std::string& title, const std::string& words,
                        nlohmann::ordered_json data) {
  const std::string id = formatted("figure-%1%", figures_.size() + 1);
  body_ += "<figure id=\"" + id + "\" data-kind=\"" + html_escaped(kind) + "\">\n" + element("h3", title) +
           "<div class=\"controls\"></div>\n<div class=\"plot\" role=\"img\" aria-label=\"" +
           html_escaped(title + ". " + words) + "\"><p class=\"pending\">Pictures need JavaScript; the " +
           "tables below have the numbers.</p></div>\n" + element("figcaption", words) + "</figure>\n";
  figures_.push_back({{"id", id}, {"kind", kind}, {"title", title}, {"data", std::move(data)}});
}

void ReportPage::drawing(const std::string& title, const std::string& words, const std::string& svg) {
  body_ += "<figure class=\"drawing\">\n" + element("h3", title) +
           "<div class=\"controls\"></div>\n<div class=\"picture\" role=\"img\" aria-label=\"" +
           html_escaped(title + ". " + words) + "\">\n" + svg + "</div>\n" + element("figcaption", words) +
           "</figure>\n";
}

void ReportPage::fold(const std::string& title, const std::string& content, bool folded) {
  body_ += std::string("<details") + (folded ? "" : " open") + "><summary>" + html_escaped(title) +
           "</summary>\n" + content + "</details>\n";
}

void ReportPage::table(const Table& table, bool folded) {
  fold(table.title, "<div class=\"wide\">" + table.html() + "</div>\n", folded);
}

void ReportPage::listing(const std::string& title, const std::string& text, bool folded) {
  fold(title, "<pre>" + html_escaped(text) + "</pre>\n", folded);
}

std::string ReportPage::html(const PlottingLibrary& library) const {
  if (!library.complete())
    throw ConfigurationError(
        "this program was built without the plotting library of reports; install npm (Debian: apt-get "
        "install "
        "npm), configure with CMake again to fetch the library, and build");
  std::string page = kHead;
  page += "<title>" + html_escaped(title_) + "</title>\n<style>\n" + std::string(assets::report_css) +
          "</style>\n</head>\n<body>\n<header>" + element("h1", title_) + element("p", subtitle_) +
          "</header>\n<main>\n" + body_ +
          "</main>\n<footer>\n<p>Written by flitmend " FLITMEND_VERSION
          ". This file needs no network.</p>\n<details><summary>Licences of the plotting library in this "
          "file</summary>\n<pre>" +
          html_escaped(library.licences) + "</pre></details>\n</footer>\n";
  page += "<script type=\"application/json\" id=\"figures\">" + script_json(figures_) + "</script>\n";
  for (const std::string_view text :
       {library.vega, library.vega_lite, assets::tables_js, assets::histogram_js, assets::map_js,
        assets::timeline_js, assets::hit_latency_js, assets::sender_memory_js, assets::curves_js,
        assets::main_js})
    page += script(text);
  return page + "</body>\n</html>\n";
}

std::string report_html(const std::filesystem::path& folder, const PlottingLibrary& library) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error))
    throw ConfigurationError("there is no folder " + folder.string() +
                             "; name the one that flitmend run, sweep or study wrote to (--out)");
  if (!std::filesystem::is_directory(folder, error))
    throw ConfigurationError(
        folder.string() +
        " is not a folder; name the one that flitmend run, sweep or study wrote to (--out)");
  if (has_study(folder)) return study_report(folder).html(library);
  if (SweepReader::has_results(folder)) return sweep_report(folder).html(library);
  if (std::filesystem::exists(folder / "stats.json", error)) return run_report(folder).html(library);
  throw ConfigurationError("nothing to report on in " + folder.string() +
                           ": it has none of stats.json (flitmend run), results.sqlite (flitmend sweep) "
                           "and study.sqlite (flitmend "
                           "study)");
}

}  // namespace flitmend
