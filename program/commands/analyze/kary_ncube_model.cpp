// SPDX-License-Identifier: Apache-2.0
#include "program/commands/analyze/tools.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/kary_ncube_model/kary_ncube_model.h"
#include "base/errors.h"
#include "base/table.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Json = nlohmann::ordered_json;

struct KaryNcubeModelArguments {
  KaryNcubeModelSettings settings;
  std::string sum = "a";
  std::string transit = "PV";
  std::string variant = "paper";
  std::optional<double> rate;
  std::int64_t curve = 0;
  bool json = false;
};

struct CurvePoint {
  double rate;
  std::optional<KaryNcubeSolution> solution;
};

/// `points` rates, evenly spaced up to 95 % of saturation.
std::vector<CurvePoint> curve_of(const KaryNcubeModel& model, double saturation, std::int64_t points) {
  std::vector<CurvePoint> curve;
  for (std::int64_t i = 1; i <= points; ++i) {
    const double rate = .95 * saturation * static_cast<double>(i) / static_cast<double>(points);
    curve.push_back({rate, model.solve(rate)});
  }
  return curve;
}

Json or_null(const std::optional<KaryNcubeSolution>& solution, double KaryNcubeSolution::*member) {
  return solution ? Json((*solution).*member) : Json();
}
Json or_null(const std::optional<KaryNcubeSolution>& solution,
             std::vector<double> KaryNcubeSolution::*member) {
  return solution ? Json((*solution).*member) : Json();
}

void print_json(std::ostream& out, const KaryNcubeModelArguments& arguments, const KaryNcubeModel& model) {
  const double saturation = model.saturation_rate();
  Json object;
  if (arguments.rate) {
    const auto s = model.solve(*arguments.rate);
    object["latency"] = or_null(s, &KaryNcubeSolution::latency);
    object["saturated"] = !s;
    object["saturation_rate"] = saturation;
    object["zero_load"] = model.zero_load_latency();
    object["channel_wait"] = or_null(s, &KaryNcubeSolution::channel_wait);
    object["source_wait"] = or_null(s, &KaryNcubeSolution::source_wait);
    object["multiplexing"] = or_null(s, &KaryNcubeSolution::multiplexing);
    object["network_latency"] = or_null(s, &KaryNcubeSolution::network_latency);
    object["channel_time"] = or_null(s, &KaryNcubeSolution::channel_time);
    object["blocking"] = or_null(s, &KaryNcubeSolution::blocking);
  } else {
    object["saturation_rate"] = saturation;
    object["zero_load"] = model.zero_load_latency();
  }
  object["hops_per_dimension"] = model.hops_per_dimension();
  if (arguments.curve) {
    Json curve = Json::array();
    for (const CurvePoint& p : curve_of(model, saturation, arguments.curve))
      curve.push_back({{"rate", p.rate}, {"latency", or_null(p.solution, &KaryNcubeSolution::latency)}});
    object["curve"] = curve;
  }
  out << object.dump(2) << '\n';
}

void print_rate(std::ostream& out, double rate, const std::optional<KaryNcubeSolution>& s) {
  if (!s) {
    out << formatted(
        "At %g messages per node per cycle the network is saturated: there is no mean latency.\n", rate);
    return;
  }
  Table table{
      .columns = {{formatted("at %g messages per node per cycle", rate)}, {"cycles", Table::right}, {""}}};
  table.add({"mean message latency", formatted("%.4f", s->latency), "(L + Ws)·V"});
  table.add({"  network latency L", formatted("%.4f", s->network_latency)});
  table.add({"  wait in the local queue Ws", formatted("%.4f", s->source_wait)});
  table.add({"  degree of multiplexing V", formatted("%.4f", s->multiplexing), "channels, not cycles"});
  for (std::size_t j = 0; j < s->channel_time.size(); ++j) {
    table.add({formatted("channel held, dimension %1%", j + 1), formatted("%.4f", s->channel_time[j])});
    table.add({formatted("wait for a channel, dimension %1%", j + 1), formatted("%.4f", s->channel_wait[j])});
  }
  out << table.text();
}

void print_text(std::ostream& out, const KaryNcubeModelArguments& arguments, const KaryNcubeModel& model) {
  const KaryNcubeModelSettings& s = model.settings();
  const double saturation = model.saturation_rate();
  std::optional<KaryNcubeSolution> solution;
  if (arguments.rate)
    solution = model.solve(*arguments.rate);  // before anything is printed, because it may throw
  out << formatted(
      "%d-ary %d-cube, %s per message, %s, %s; sum %s, transit %s, "
      "variant %s\n",
      s.k, s.n, counted(static_cast<std::uint64_t>(s.length), "flit"),
      counted(static_cast<std::uint64_t>(s.virtual_channels), "virtual channel"),
      counted(static_cast<std::uint64_t>(s.faulty_nodes), "faulty node"), arguments.sum, arguments.transit,
      arguments.variant);
  out << formatted("zero-load latency %.4f cycles, saturation at %.6g messages per node per cycle\n\n",
                   model.zero_load_latency(), saturation);
  if (arguments.rate) print_rate(out, *arguments.rate, solution);
  if (!arguments.curve) return;
  if (arguments.rate) out << '\n';
  Table table{.columns = {{"rate", Table::right}, {"latency, cycles", Table::right}}};
  for (const CurvePoint& p : curve_of(model, saturation, arguments.curve))
    table.add({formatted("%.6g", p.rate), p.solution ? formatted("%.4f", p.solution->latency) : "saturated"});
  out << table.text();
}

}  // namespace

void add_kary_ncube_model(CLI::App& analyze, Command& command) {
  CLI::App* tool = analyze.add_subcommand(
      "kary-ncube-model", "Queueing model of Software-Based routing in a k-ary n-cube: mean latency.");
  const auto arguments = std::make_shared<KaryNcubeModelArguments>();
  KaryNcubeModelSettings& s = arguments->settings;
  add_whole_number(*tool, "--k", s.k, "Radix.")->required();
  add_whole_number(*tool, "--n", s.n, "Dimensions.")->required();
  add_whole_number(*tool, "--length", s.length, "Message length, flits.")->capture_default_str();
  add_whole_number(*tool, "--virtual-channels", s.virtual_channels, "Virtual channels per physical channel.")
      ->capture_default_str();
  add_whole_number(*tool, "--faulty-nodes", s.faulty_nodes, "Number of random faulty nodes.")
      ->capture_default_str();
  add_number(*tool, "--rate", arguments->rate, "Messages per node per cycle.", "0.004");
  add_whole_number(*tool, "--curve", arguments->curve,
                   "Number of points of the latency curve to print, up to 95 % of saturation.",
                   Range<std::int64_t>{1, 10000});
  add_choice(*tool, "--sum", arguments->sum, reroute_sums(), "Reading of the sum in [Safaei06 eq. 2].")
      ->capture_default_str();
  add_choice(*tool, "--transit", arguments->transit, transit_probabilities(),
             "What sends messages back to a local queue.")
      ->capture_default_str();
  add_choice(*tool, "--variant", arguments->variant, model_variants(),
             "O: an absorbed message holds no channel.")
      ->capture_default_str();
  add_number(*tool, "--delay", s.reinjection_delay, "Delay of re-injection, cycles.", "10")
      ->capture_default_str();
  add_number(*tool, "--hops", s.hops_per_dimension, "Mean hops per dimension, instead of [Safaei06 eq. 2].",
             "2.2");
  add_json_option(*tool, arguments->json);
  tool->callback([arguments, &command] {
    if (!arguments->rate && !arguments->curve)
      throw ConfigurationError("analyze kary-ncube-model: give --rate, or --curve, or both");
    KaryNcubeModelSettings& settings = arguments->settings;
    settings.sum = reroute_sum(arguments->sum);
    settings.transit = transit_probability(arguments->transit);
    settings.variant = model_variant(arguments->variant);
    const KaryNcubeModel model(settings);
    if (arguments->json)
      print_json(command.out, *arguments, model);
    else
      print_text(command.out, *arguments, model);
  });
}

}  // namespace flitmend
