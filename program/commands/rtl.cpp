// SPDX-License-Identifier: Apache-2.0
#include "program/commands/commands.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "program/commands/configuration_options.h"
#include "program/commands/systemverilog_words.h"
#include "rtl_tlm/foreign/flit_codec.h"
#include "rtl_tlm/foreign/router_boundary.h"
#include "testbench/checks/validation.h"
#include "testbench/configured_network.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

struct Arguments {
  ConfigurationOptions configuration;
  unsigned state_bits = 0;
  std::string package = "flit_pkg";
};

std::string package_name_error(std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  bool good = !name.empty() && letter(name.front());
  for (const char c : name) good = good && (letter(c) || (c >= '0' && c <= '9'));
  if (!good) return "a package's name has letters, digits and _, and does not begin with a digit";
  return is_systemverilog_word(name) ? "'" + name + "' is a reserved word of SystemVerilog; use another name"
                                     : "";
}

void print_package(const Arguments& a, Command& command) {
  const Configuration c = a.configuration.load();
  validate(c);
  try {
    const auto topology = make_topology(c.network);
    const auto recovery = configured_recovery(c, *topology);
    const HardwareParameters bare = HardwareParameters::from(c.hardware);
    const HardwareParameters hardware = recovery ? recovery->equipped(bare, *topology) : bare;
    RouterBoundary::check(hardware);
    command.out << FlitCodec(*topology, hardware, a.state_bits).systemverilog(a.package);
  } catch (const KeyError& e) {
    throw c.located(e);
  }
}

}  // namespace

void add_rtl(CLI::App& program, Command& command) {
  CLI::App* rtl = program.add_subcommand(
      "rtl", "Print the bits of a flit as a SystemVerilog package, for a router of your own.");
  const auto arguments = std::make_shared<Arguments>();
  arguments->configuration.add_to(*rtl);
  rtl->add_option("--state-bits", arguments->state_bits,
                  "Bits of the routing state; dimension order and others without a state need none.")
      ->check(CLI::Range(0, 64))
      ->type_name("BITS");
  rtl->add_option("--package", arguments->package, "Name of the package; by default flit_pkg.")
      ->check(CLI::Validator(package_name_error, "NAME"))
      ->type_name("NAME");
  rtl->callback([arguments, &command] { print_package(*arguments, command); });
}

}  // namespace flitmend
