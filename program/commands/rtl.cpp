// SPDX-License-Identifier: Apache-2.0
#include "program/commands/commands.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string_view>

#include "program/commands/configuration_options.h"
#include "rtl_tlm/foreign/flit_codec.h"
#include "rtl_tlm/foreign/router_boundary.h"
#include "testbench/checks/validation.h"
#include "testbench/configured_network.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

struct RtlArguments {
  ConfigurationOptions configuration;
  unsigned state_bits = 0;
  std::string package = "flit_pkg";
};

/// The reserved words of SystemVerilog (IEEE 1800-2017, annex B), each between spaces.
constexpr std::string_view kReservedWords =
    " "
    "accept_on alias always always_comb always_ff always_latch and assert assign assume automatic "
    "before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle "
    "checker class clocking cmos config const constraint context continue cover covergroup coverpoint "
    "cross deassign default defparam design disable dist do edge else end endcase endchecker endclass "
    "endclocking endconfig endfunction endgenerate endgroup endinterface endmodule endpackage "
    "endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event eventually "
    "expect export extends extern final first_match for force foreach forever fork forkjoin function "
    "generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies "
    "import incdir include initial inout input inside instance int integer interconnect interface "
    "intersect join join_any join_none large let liblist library local localparam logic longint "
    "macromodule matches medium modport module nand negedge nettype new nexttime nmos nor "
    "noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive "
    "priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect "
    "pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime ref reg reject_on "
    "release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1 s_always s_eventually "
    "s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed small "
    "soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 "
    "sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit tran "
    "tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until "
    "until_with untyped use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while "
    "wildcard wire with within wor xnor xor ";

std::string package_name_error(std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  bool good = !name.empty() && letter(name.front());
  for (const char c : name) good = good && (letter(c) || (c >= '0' && c <= '9'));
  if (!good) return "a package's name has letters, digits and _, and does not begin with a digit";
  return kReservedWords.find(' ' + name + ' ') != kReservedWords.npos
             ? "'" + name + "' is a reserved word of SystemVerilog; use another name"
             : "";
}

void print_package(const RtlArguments& a, Command& command) {
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
  const auto arguments = std::make_shared<RtlArguments>();
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
