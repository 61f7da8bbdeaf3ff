// SPDX-License-Identifier: Apache-2.0
// Reports in a real headless browser: what it draws, in light and dark, and how it handles hostile names.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <regex>

#include "exploration/report/page.h"
#include "support/files.h"
#include "support/picture.h"
#include "support/program.h"
#include "support/reports.h"
#include "support/sweep_folder.h"

namespace flitmend {
namespace {

using test::TemporaryFolder;

constexpr std::uint32_t kBlue = 0x0072b2, kOrange = 0xe69f00, kGreen = 0x009e73;

struct Shown {
  Picture picture;
  std::string dom;
};

class ReportInBrowser : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v chromium >/dev/null") != 0) GTEST_SKIP() << "chromium is not installed";
    if (!plotting_library().complete()) GTEST_SKIP() << "built without the plotting library (npm)";
  }

  /// Opens it with scripts/report-to-png, which fails if the page's scripts report an error.
  Shown show(const std::string& html, const std::string& options = "") {
    test::write_file(folder_ / "report.html", html);
    const std::string command = "'" REPORT_TO_PNG "' '" + (folder_ / "report.html") + "' '" +
                                (folder_ / "shot.png") + "' --dom '" + (folder_ / "dom.html") + "' " +
                                options + " 2>'" + (folder_ / "said") + "'";
    if (std::system(command.c_str()) != 0) {
      ADD_FAILURE() << test::read_file(folder_ / "said");
      return {};
    }
    return {read_picture(folder_ / "shot.png"), test::read_file(folder_ / "dom.html")};
  }
  std::string sweep_html(const std::string& name = "vc.yaml") {
    std::filesystem::create_directories(folder_ / "sweep");
    test::write_sweep(folder_ / "sweep", name);
    return report_html(folder_ / "sweep", plotting_library());
  }
  std::string many_curves_html() {
    std::filesystem::create_directories(folder_ / "many");
    test::write_many_curves(folder_ / "many");
    return report_html(folder_ / "many", plotting_library());
  }
  /// A run without channels, with these events.
  std::string events_html(const std::string& events) {
    Results results = test::small_results();
    results.optional.clear();
    test::write_run(
        folder_, results,
        "network: {topology: mesh, size: [3]}\nfaults: {events: [{cycle: 9, node: [1], duration: 10}]}\n");
    test::write_file(folder_ / "events.csv",
                     "cycle,event,part,fault,source,message,destination,flits,created,what\n" + events);
    return report_html(folder_ / "", plotting_library());
  }
  /// The page with a script that runs when everything is drawn.
  static std::string with_script(std::string html, const std::string& script) {
    return html.insert(html.rfind("</body>"), "<script>{" + script + "}</script>");
  }
  std::string run_html(const std::string& network) {
    ProgramProcess run(
        {"run",
         test_configuration("network: " + network +
                            "\nstatistics: {channels: true, histogram: true}\n"
                            "simulation: {warmup: 100, measure: 2000}\ntraffic: {load: 0.1}\n"),
         "--quiet", "--out", folder_ / "run"});
    EXPECT_EQ(run.wait(), 0) << run.err();
    return report_html(folder_ / "run", plotting_library());
  }
  std::string test_configuration(const std::string& text) {
    test::write_file(folder_ / "c.yaml", text);
    return folder_ / "c.yaml";
  }

  TemporaryFolder folder_;
};

std::size_t count(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), expression), std::sregex_iterator()));
}

/// The part of the page that one figure has drawn.
std::string figure(const std::string& dom, int number) {
  const std::size_t from = dom.find("<figure id=\"figure-" + std::to_string(number) + "\"");
  if (from == dom.npos) return "";
  return dom.substr(from, dom.find("</figure>", from) - from);
}

/// The marks with that name in a figure; every line has its own group.
std::string marks(const std::string& figure, const std::string& name) {
  std::string all;
  const std::string word = " " + name + "_marks";
  for (std::size_t at = figure.find(word); at != figure.npos; at = figure.find(word, at + 1))
    all += figure.substr(at, figure.find("</g>", at) - at);
  return all;
}

/// The points of a path "M0,1L2,3…".
std::vector<std::pair<double, double>> points_of(const std::string& path) {
  std::vector<std::pair<double, double>> points;
  const std::regex number("[ML]([-0-9.e]+),([-0-9.e]+)");
  for (std::sregex_iterator i(path.begin(), path.end(), number), end; i != end; ++i)
    points.emplace_back(std::stod((*i)[1]), std::stod((*i)[2]));
  return points;
}

}  // namespace

TEST_F(ReportInBrowser, ASweepHasItsCurves) {
  const Shown shown = show(sweep_html(), "--size 1100x1600");
  EXPECT_EQ(count(shown.dom, "data-drawn=\"yes\""), 3u);
  const std::string latency = figure(shown.dom, 1);
  EXPECT_EQ(count(marks(latency, "bands"), "<path [^>]*fill=\"#(0072B2|E69F00)\""), 2u);
  EXPECT_EQ(count(marks(latency, "curves"), "<path [^>]*stroke=\"#(0072B2|E69F00)\""), 2u);
  EXPECT_EQ(count(marks(latency, "points"), "<path "), 10u);
  EXPECT_EQ(count(marks(figure(shown.dom, 2), "reference"), "<path "), 1u);
  EXPECT_EQ(count(latency, ">load \\(flits per node per cycle\\)<"), 1u);

  // The first curve is 20/(1 − x/0.5): with the logarithmic axis, heights are proportional to logarithms.
  std::smatch path;
  const std::string curves = marks(latency, "curves");
  ASSERT_TRUE(std::regex_search(curves, path, std::regex(" d=\"([^\"]*)\"")));
  const auto points = points_of(path[1]);
  ASSERT_EQ(points.size(), 5u);
  const auto height = [](double load) { return std::log(20 / (1 - load / 0.5)); };
  for (int i = 1; i < 4; ++i) {
    EXPECT_NEAR(points[i].first - points[0].first, (points[4].first - points[0].first) * i / 4, 0.01);
    EXPECT_NEAR((points[0].second - points[i].second) / (points[0].second - points[4].second),
                (height(0.05 + 0.1 * i) - height(0.05)) / (height(0.45) - height(0.05)), 1e-3);
  }

  // Symbols are filled with exactly these colours; there are 15 of each besides lines.
  auto colours = shown.picture.colours();
  EXPECT_GT(colours[kBlue], 500u);
  EXPECT_GT(colours[kOrange], 500u);
  EXPECT_EQ(colours[kGreen], 0u);
}

TEST_F(ReportInBrowser, DarkPagesAreDarkAndPrintsAreLight) {
  const std::string html = sweep_html();
  auto light = show(html).picture.colours();
  auto dark = show(html, "--dark --pdf '" + (folder_ / "page.pdf") + "'").picture.colours();
  const unsigned all = 1100 * 1600;
  EXPECT_GT(light[0xffffff], all / 2);
  EXPECT_GT(dark[0x14181d], all / 2);
  EXPECT_GT(dark[kBlue], 500u);
  EXPECT_GT(dark[kOrange], 500u);
  EXPECT_LT(dark[0xffffff], all / 200) << "no white areas";
  EXPECT_EQ(test::read_file(folder_ / "page.pdf").substr(0, 5), "%PDF-");
}

TEST_F(ReportInBrowser, ARunHasItsHistogramAndItsMap) {
  const Shown shown = show(run_html("{topology: mesh, size: [4, 4]}"), "--size 1100x1400");
  EXPECT_EQ(count(shown.dom, "data-drawn=\"yes\""), 2u);
  const std::string histogram = figure(shown.dom, 1), map = figure(shown.dom, 2);
  EXPECT_GT(count(marks(histogram, "bars"), "<path "), 10u);
  EXPECT_EQ(count(marks(histogram, "quantiles"), "<line "), 3u);
  EXPECT_EQ(count(marks(map, "under"), "<path "), 48u);
  EXPECT_EQ(count(marks(map, "channels"), "<path "), 48u);
  EXPECT_EQ(count(marks(map, "nodes"), "<path "), 16u);
  EXPECT_GT(count(marks(map, "channels"), "router_1_2 east → router_2_2"), 0u);
  auto colours = shown.picture.colours();
  EXPECT_GT(colours[kBlue], 3000u) << "bars";
  EXPECT_GT(colours[0xfde725], 100u) << "the busiest channel has the end of viridis";
}

TEST_F(ReportInBrowser, TheDeadlockCheckHasItsPicture) {
  std::string html = run_html("{topology: mesh, size: [4, 4]}");
  // What the button saves is a picture of its own.
  html.insert(html.rfind("</body>"),
              "<script>{ const svg = new DOMParser().parseFromString(new XMLSerializer().serializeToString("
              "document.querySelector('figure.drawing svg')), 'image/svg+xml');"
              " document.body.dataset.saved = svg.querySelectorAll('polyline').length; }</script>");
  const Shown shown = show(html, "--size 1100x3000");
  const std::size_t from = shown.dom.find("<figure class=\"drawing\">");
  ASSERT_NE(from, shown.dom.npos);
  const std::string drawing = shown.dom.substr(from, shown.dom.find("</figure>", from) - from);
  EXPECT_EQ(count(drawing, "<polyline "), 48u);
  EXPECT_EQ(count(drawing, "<circle "), 16u);
  EXPECT_EQ(count(drawing, ">Save as SVG</button>"), 1u);
  EXPECT_EQ(count(shown.dom, "data-saved=\"48\""), 1u);
  EXPECT_GT(shown.picture.colours()[0x440154], 100u) << "rank 1 has the dark end of the scale";
}

TEST_F(ReportInBrowser, FaultsHaveATimeLineAndAMap) {
  ProgramProcess run(
      {"run",
       test_configuration("network: {size: [4, 4]}\nrecovery: {protocol: sbrp-2}\n"
                          "statistics: {events: true}\ntraffic: {load: 0.1}\n"
                          "simulation: {warmup: 0, measure: 2000}\n"
                          "faults: {events: [{cycle: 300, node: [1, 1], duration: 20},\n"
                          "                  {cycle: 900, link: [[2, 2], [3, 2]], duration: permanent}]}\n"),
       "--quiet", "--out", folder_ / "run"});
  ASSERT_EQ(run.wait(), 0) << run.err();
  const Shown shown = show(report_html(folder_ / "run", plotting_library()), "--size 1100x2400");
  EXPECT_EQ(count(shown.dom, "data-drawn=\"yes\""), 4u);
  const std::string line = figure(shown.dom, 1), memory = figure(shown.dom, 3), map = figure(shown.dom, 4);
  EXPECT_GT(count(marks(memory, "slices"), "<path "), 0u);
  // A node, and the two channels of a link; messages below.
  EXPECT_GT(count(marks(line, "bars"), "<path "), 3u);
  EXPECT_GT(count(marks(line, "resends"), "<(path|line) "), 0u);
  EXPECT_GT(count(marks(figure(shown.dom, 2), "points"), "<path "), 0u);
  EXPECT_EQ(count(marks(figure(shown.dom, 2), "others"), "<line "), 1u);
  EXPECT_EQ(count(marks(map, "fates"), "<path "), 16u);
  EXPECT_EQ(count(marks(map, "fates"), "<path [^>]*fill=\"#E69F00\""), 1u) << "failed and repaired";
  EXPECT_EQ(count(marks(map, "channels"), "<path "), 48u);
}

// Without events.csv: the configuration says what is dead.
TEST_F(ReportInBrowser, DeadPartsAreMarkedOnTheMaps) {
  ProgramProcess run({"run",
                      test_configuration("network: {topology: kns, k: 4, n: 2}\nrouter: {preset: kns}\n"
                                         "routing: {algorithm: intermediate-nodes, intermediates: 2}\n"
                                         "statistics: {channels: true}\ntraffic: {load: 0.1}\n"
                                         "simulation: {warmup: 0, measure: 2000}\n"
                                         "faults: {static_nodes: [5], random_static_links: 2}\n"),
                      "--quiet", "--out", folder_ / "run"});
  ASSERT_EQ(run.wait(), 0) << run.err();
  const Shown shown = show(report_html(folder_ / "run", plotting_library()), "--size 1100x2400");
  EXPECT_EQ(count(shown.dom, "data-drawn=\"yes\""), 2u);
  const std::string faults = figure(shown.dom, 1), map = figure(shown.dom, 2);
  EXPECT_EQ(count(marks(faults, "fates"), "<path [^>]*fill=\"#777777\""), 1u);
  EXPECT_GT(shown.picture.colours()[0x777777], 200u) << "the style sheet leaves the dead node its colour";
  EXPECT_EQ(count(marks(map, "dead_nodes"), "<path "), 1u);
  EXPECT_EQ(count(marks(map, "dead_channels"), "<path [^>]*stroke=\"#d00000\""), 4u);
  EXPECT_EQ(count(marks(map, "channels"), "<path "), 64u);
}

TEST_F(ReportInBrowser, OtherTopologiesAreDrawnToo) {
  for (const char* network : {"{topology: torus, size: [4, 4]}", "{topology: hypercube, dimensions: 4}",
                              "{topology: kns, k: 4, n: 2}", "{topology: mesh, size: [3, 3, 2]}"}) {
    const Shown shown = show(run_html(network));
    EXPECT_EQ(count(shown.dom, "data-drawn=\"yes\""), 2u) << network;
    EXPECT_GE(count(marks(figure(shown.dom, 2), "channels"), "<path "), 60u) << network;
  }
}

// Layers with captions, and labels that can be read.
TEST_F(ReportInBrowser, MapsOfMoreThanTwoDimensionsCanBeRead) {
  const std::pair<const char*, std::size_t> networks[] = {{"{topology: torus, size: [4, 4, 4]}", 4},
                                                          {"{topology: hypercube, dimensions: 5}", 8}};
  for (const auto& [network, layers] : networks) {
    const std::string map = figure(show(run_html(network)).dom, 2);
    EXPECT_EQ(count(marks(map, "captions"), "<text [^>]*>dim2 = [0-9]"), layers) << network;
    EXPECT_GE(count(map, "<text [^>]*font-size=\"([89]|1[0-9])(\\.[0-9]+)?px\"[^>]*>[0-9],[0-9]</text>"), 32u)
        << network;
  }
}

// 16 curves: four colours, each with a name, and a filter that leaves four curves with names of their own.
TEST_F(ReportInBrowser, ManyCurvesAreGroupedAndFiltered) {
  const std::string html = many_curves_html();
  const Shown shown = show(html);
  const std::string all = figure(shown.dom, 1);
  EXPECT_EQ(count(marks(all, "curves"), "<path "), 16u);
  EXPECT_EQ(count(all, ">16 curves<"), 1u);
  EXPECT_EQ(count(all, ">\\{topology: (mesh|torus), size: \\[(8, 8|16, 16)\\]\\}</text>"), 4u)
      << "in the legend";
  EXPECT_GE(count(all, "colours are values of network"), 1u);

  const Shown some = show(with_script(html, R"(
    for (const label of document.querySelectorAll('#figure-1 label'))
      if (label.textContent.startsWith('network ')) {
        const menu = label.querySelector('select');
        menu.value = 2;
        menu.dispatchEvent(new Event('change'));
      })"));
  const std::string filtered = figure(some.dom, 1);
  EXPECT_EQ(count(marks(filtered, "curves"), "<path "), 4u);
  EXPECT_EQ(count(filtered, ">virtual_channels [1248]</text>"), 4u) << "what does not differ is not repeated";
  EXPECT_EQ(count(marks(figure(some.dom, 2), "curves"), "<path "), 16u) << "every picture has its own filter";
}

TEST_F(ReportInBrowser, TheReaderChoosesTheAxis) {
  const Shown shown = show(with_script(many_curves_html(), R"(
    const menu = document.querySelector('#figure-1 select');
    menu.value = 0;
    menu.dispatchEvent(new Event('change'));)"));
  const std::string chosen = figure(shown.dom, 1);
  EXPECT_EQ(count(chosen, "<option value=\"0\"[^>]*>virtual_channels</option><option value=\"1\"[^>]*>load<"),
            1u);
  EXPECT_EQ(count(chosen, ">router.virtual_channels( \\([a-z ]+\\))?</text>"), 1u) << "the title of the axis";
  EXPECT_EQ(count(figure(shown.dom, 2), ">load \\(flits per node per cycle\\)</text>"), 1u);
}

TEST_F(ReportInBrowser, WordsFollowTheStatistic) {
  const Shown shown = show(with_script(many_curves_html(), R"(
    for (const label of document.querySelectorAll('#figure-1 label'))
      if (label.textContent.startsWith('statistic')) {
        const menu = label.querySelector('select');
        menu.selectedIndex = Array.from(menu.options).findIndex((o) => o.text.includes('p99'));
        menu.dispatchEvent(new Event('change'));
      })"));
  const std::string p99 = figure(shown.dom, 1);
  EXPECT_EQ(count(p99, "<figcaption>latency.total.p99 \\(cycles\\), a curve per"), 1u);
  EXPECT_EQ(count(p99, ">latency.total.p99 \\(cycles\\)</text>"), 1u) << "the title of the axis";
  EXPECT_EQ(count(p99, "<figcaption>[^<]*[Mm]ean"), 0u);
}

// Between two labels of the load axis there are at least 6 pixels.
TEST_F(ReportInBrowser, LabelsOfAnAxisKeepApart) {
  const std::string html = sweep_html();
  for (const char* size : {"1280x1600", "1024x1600", "600x1600"}) {
    const Shown shown = show(with_script(html, R"(
      let least = 1e9, labels = 0;
      for (const axis of document.querySelectorAll('#figure-1 .role-axis-label')) {
        const boxes = Array.from(axis.querySelectorAll('text')).filter((t) => Number(t.getAttribute('opacity') || 1) > 0)
          .map((t) => t.getBoundingClientRect()).sort((a, b) => a.left - b.left);
        if (boxes.length < 2 || boxes[0].top < boxes[1].top - 2 || boxes[0].top > boxes[1].top + 2) continue;
        labels = boxes.length;
        for (let i = 1; i < boxes.length; ++i) least = Math.min(least, boxes[i].left - boxes[i - 1].right);
      }
      document.body.dataset.gap = labels > 2 && least > 6 ? 'wide' : labels + ' labels, ' + least;)"),
                             std::string("--size ") + size);
    EXPECT_EQ(count(shown.dom, "data-gap=\"wide\""), 1u)
        << size << shown.dom.substr(shown.dom.find("data-gap"), 60);
  }
}

// A phone: nothing lies beyond the right edge, and every cell says what it is.
TEST_F(ReportInBrowser, APhoneShowsEveryColumn) {
  for (const std::string& html : {many_curves_html(), run_html("{topology: mesh, size: [4, 4]}")}) {
    const Shown shown = show(with_script(html, R"(
      for (const details of document.querySelectorAll('details')) details.open = true;
      const width = document.documentElement.clientWidth;
      let cells = 0, beyond = 0, nameless = 0;
      for (const cell of document.querySelectorAll('td')) {
        ++cells;
        if (cell.getBoundingClientRect().right > width) ++beyond;
        if (!cell.dataset.head) ++nameless;
      }
      for (const svg of document.querySelectorAll('.plot svg')) if (svg.getBoundingClientRect().right > width) ++beyond;
      document.body.dataset.phone = [width <= 520, cells > 50, beyond, nameless,
                                     document.documentElement.scrollWidth <= width].join(' ');)"),
                             "--size 390x1600");
    EXPECT_EQ(count(shown.dom, "data-phone=\"true true 0 0 true\""), 1u)
        << shown.dom.substr(shown.dom.find("data-phone"), 60);
  }
}

// Faults of 20 cycles, and a message that is recovered 400,000 cycles later.
TEST_F(ReportInBrowser, ALongDrainDoesNotHideTheFaults) {
  std::string events = "9,fault,router_1,transient,,,,,,\n";
  for (int i = 0; i < 10; ++i) events += "9,hit,,,router_0," + std::to_string(i) + ",router_2,12,3,\n";
  events += "29,repair,router_1,,,,,,,\n";
  for (int i = 0; i < 10; ++i)
    events += std::to_string(i < 9 ? 60 : 400'000) + ",recovered,,,router_0," + std::to_string(i) +
              ",router_2,12,3,\n";
  const std::string html = events_html(events);
  const auto bar_widths = [](const std::string& dom) {
    std::vector<double> widths;
    const std::string bars = marks(figure(dom, 2), "bars");
    const std::regex path(" d=\"([^\"]*)\"");
    for (std::sregex_iterator i(bars.begin(), bars.end(), path), end; i != end; ++i) {
      const std::regex width("h([-0-9.e]+)");
      const std::string d = (*i)[1];
      std::smatch found;
      if (std::regex_search(d, found, width)) widths.push_back(std::stod(found[1]));
    }
    return widths;
  };
  const std::vector<double> first = bar_widths(show(html).dom);
  ASSERT_EQ(first.size(), 11u);
  EXPECT_GT(first[0], 100) << "the fault";
  const std::vector<double> whole = bar_widths(show(with_script(html, R"(
    for (const button of document.querySelectorAll('#figure-2 button'))
      if (button.textContent === 'Whole run') button.click();)"))
                                                   .dom);
  ASSERT_EQ(whole.size(), 11u);
  EXPECT_LT(whole[0], 1) << "the reader can still see all of it";
  EXPECT_GT(whole[10], 400);
}

TEST_F(ReportInBrowser, ADeadlockedRunShowsItsOwnCycle) {
  ProgramProcess run({"run",
                      test_configuration("network: {size: [4, 4]}\nrouting: {algorithm: tfar}\n"
                                         "router: {virtual_channels: 1}\n"
                                         "traffic: {load: 0.9, message_length: 16}\n"),
                      "--quiet", "--allow-deadlock", "--out", folder_ / "run"});
  ASSERT_EQ(run.wait(), 4) << run.err();
  const Json cycle = Json::parse(test::read_file(folder_ / "run/stats.json"))["deadlock"]["cycle"];
  ASSERT_GE(cycle.size(), 4u);
  const Shown shown = show(report_html(folder_ / "run", plotting_library()), "--size 1100x3000");
  EXPECT_EQ(count(shown.dom, "<figure class=\"drawing\">"), 1u) << "not also that of the check";
  EXPECT_EQ(count(shown.dom, "<polyline [^>]*stroke=\"#d62728\""), cycle.size());
  EXPECT_EQ(count(shown.dom, "<h2>The deadlock of this run</h2>"), 1u);
}

TEST_F(ReportInBrowser, TablesAreSortedByAClick) {
  std::string html = sweep_html();
  const std::string script =
      "<script>for (const b of document.querySelectorAll('th button'))"
      " if (b.textContent === 'traffic.load') { b.click(); b.click(); }</script>";
  html.insert(html.rfind("</body>"), script);
  const Shown shown = show(html);
  EXPECT_EQ(count(shown.dom, "<th [^>]*aria-sort=\"descending\""), 2u);
  const std::size_t table = shown.dom.find("<caption>All points</caption>");
  const std::size_t body = shown.dom.find("<tbody>", table);
  std::smatch row;
  const std::string rows = shown.dom.substr(body, 400);
  ASSERT_TRUE(std::regex_search(
      rows, row, std::regex("<tr><td class=\"n\"[^>]*>(\\d+)</td><td class=\"n\"[^>]*>([0-9.]+)</td>")));
  EXPECT_EQ(row[2], "0.45");
  EXPECT_EQ(row[1], "12") << "the first of the equal ones stays first";
}

TEST_F(ReportInBrowser, HostileNamesAreJustNames) {
  const std::string hostile = "</script><img src=x onerror=\"document.title='gotcha'\">";
  std::filesystem::create_directories(folder_ / "sweep");
  test::write_sweep(folder_ / "sweep");
  {
    Database database(folder_ / "sweep/results.sqlite", Database::Mode::write);
    Statement rename =
        database.prepare("UPDATE points SET axes = replace(axes, 'router.virtual_channels', ?)");
    // Inside a JSON string.
    rename.bind(1, std::string_view("</script><img src=x onerror=\\\"document.title='gotcha'\\\">"));
    rename.run();
    Statement title = database.prepare("UPDATE meta SET value = ? WHERE key = 'sweep_name'");
    title.bind(1, std::string_view(hostile));
    title.run();
  }
  const Shown shown = show(report_html(folder_ / "sweep", plotting_library()));
  EXPECT_EQ(count(shown.dom, "data-drawn=\"yes\""), 3u);
  EXPECT_EQ(count(shown.dom, "<img"), 0u);
  EXPECT_EQ(count(shown.dom, "<title>[^<]*gotcha</title>"), 0u);
}

TEST_F(ReportInBrowser, APictureThatFailsLeavesTheRest) {
  std::string html = sweep_html();
  const std::string word = "\"metric\":\"latency.total.mean\",\"choice\":\"latency.\"";
  ASSERT_NE(html.find(word), html.npos);
  html.replace(html.find(word), word.size(), "\"metric\":\"latency.total.mean\",\"choice\":\"nothing.\"");
  const Shown shown = show(html);
  EXPECT_EQ(count(shown.dom, "data-drawn=\"yes\""), 2u);
  EXPECT_EQ(count(shown.dom, "This picture could not be drawn \\(no run has such a statistic\\); the tables"),
            1u);
}

TEST_F(ReportInBrowser, TheScriptNoticesComplaints) {
  std::string html = sweep_html();
  html.insert(html.rfind("</body>"), "<script>console.error('something is wrong')</script>");
  test::write_file(folder_ / "report.html", html);
  EXPECT_NE(std::system(("'" REPORT_TO_PNG "' '" + (folder_ / "report.html") + "' '" +
                         (folder_ / "shot.png") + "' 2>'" + (folder_ / "said") + "'")
                            .c_str()),
            0);
  EXPECT_NE(test::read_file(folder_ / "said").find("something is wrong"), std::string::npos);
}

}  // namespace flitmend
