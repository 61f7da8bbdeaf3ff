// SPDX-License-Identifier: Apache-2.0
// The program's command line: help, version, bad usage, output that cannot be written.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <regex>
#include <sstream>

#include "support/program.h"

namespace flitmend {
namespace {

struct Output {
  int status;
  std::string out;
  std::string err;
};

Output run(const std::vector<std::string>& words, const std::string& out = "") {
  ProgramProcess::Options options;
  options.out = out;
  ProgramProcess process(words, options);
  const int status = process.wait();
  return {status, process.out(), process.err()};
}

/// The commands that a help text lists.
std::vector<std::string> commands_of(const std::string& help) {
  std::vector<std::string> names;
  const std::size_t at = help.find("\nSubcommands:\n");
  if (at == help.npos) return names;
  std::istringstream lines(help.substr(at + 14));
  const std::regex entry("^  ([a-z][a-z0-9-]*)( .*)?$");
  std::smatch match;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, match, entry)) names.push_back(match[1]);
  return names;
}

/// Every command, with its subcommands, answers --help.
void expect_help(const std::vector<std::string>& words, int& count) {
  for (const char* flag : {"--help", "-h"}) {
    std::vector<std::string> line = words;
    line.push_back(flag);
    const Output help = run(line);
    std::string name = "flitmend";
    for (const std::string& word : words) name += " " + word;
    EXPECT_EQ(help.status, 0) << name;
    EXPECT_NE(help.out.find("Usage: " + name + " "), std::string::npos) << help.out;
    EXPECT_EQ(help.err, "") << name;
    ++count;
    if (std::string(flag) == "-h") continue;
    for (const std::string& below : commands_of(help.out)) {
      std::vector<std::string> deeper = words;
      deeper.push_back(below);
      expect_help(deeper, count);
    }
  }
}

TEST(Usage, HelpAnswersEverywhere) {
  int count = 0;
  expect_help({}, count);
  EXPECT_GE(count, 8);  // the program, check, list, analyze, each twice
}

TEST(Usage, Version) {
  const Output version = run({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(std::regex_match(version.out, std::regex("flitmend [0-9]+\\.[0-9]+\\.[0-9]+\n")))
      << version.out;
  EXPECT_EQ(version.err, "");
}

TEST(Usage, NoCommand) {
  const Output nothing = run({});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(nothing.out, "");
  EXPECT_EQ(
      nothing.err,
      "flitmend: a command is missing; flitmend run CONFIG.yaml simulates a network; see flitmend --help\n");
  EXPECT_EQ(run({"analyze"}).err, "flitmend: a command is missing; see flitmend analyze --help\n");
}

TEST(Usage, HelpIsACommandToo) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"run"}, {"analyze"}, {"analyze", "paper"}, {"help"}}) {
    std::vector<std::string> by_command = {"help"}, by_option = words;
    by_command.insert(by_command.end(), words.begin(), words.end());
    by_option.push_back("--help");
    const Output help = run(by_command);
    EXPECT_EQ(help.status, 0);
    EXPECT_EQ(help.out, run(by_option).out);
    EXPECT_EQ(help.err, "");
  }
  EXPECT_EQ(run({"help", "rnu"}).status, 2);
  EXPECT_EQ(run({"help", "rnu"}).err, "flitmend: help: unknown command 'rnu' (did you mean 'run'?)\n");
  EXPECT_EQ(run({"help", "run", "x"}).err, "flitmend: help: run has no commands\n");
}

TEST(Usage, AnOptionByAnotherNameGetsItsOwn) {
  EXPECT_EQ(run({"run", "c.yaml", "--otu", "x"}).err,
            "flitmend: unknown option --otu (did you mean --out?); see flitmend run --help\n");
  EXPECT_EQ(run({"sweep", "--resme", "s.yaml", "--out=x"}).err,
            "flitmend: unknown option --resme (did you mean --resume?); see flitmend sweep --help\n");
  EXPECT_EQ(run({"list", "--frobnicate"}).err,
            "flitmend: unknown option --frobnicate; see flitmend list --help\n");
}

TEST(Usage, AGlobIsPartOfTheOption) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "c.yaml", "--waves", "*.east"},
        {"run", "--waves", "*.east", "c.yaml"}}) {
    const Output output = run(words);
    EXPECT_EQ(output.status, 2);
    EXPECT_EQ(output.err,
              "flitmend: a glob is part of the option: write --waves='*.east'; see flitmend run --help\n");
  }
  // It is not what is wrong here.
  EXPECT_EQ(run({"run", "--waves", "c.yaml", "--otu", "x"}).err,
            "flitmend: unknown option --otu (did you mean --out?); see flitmend run --help\n");
  const Output two = run({"run", "--waves", "/dev/null", "c.yaml"});
  EXPECT_EQ(two.status, 2);
  EXPECT_EQ(two.err.find("a glob"), std::string::npos) << two.err;
}

TEST(Usage, UnknownWords) {
  EXPECT_EQ(run({"chek"}).err,
            "flitmend: unknown command 'chek' (did you mean 'check'?); see flitmend --help\n");
  EXPECT_EQ(run({"chek"}).status, 2);
  EXPECT_EQ(
      run({"analyze", "papr"}).err,
      "flitmend: unknown command 'analyze papr' (did you mean 'paper'?); see flitmend analyze --help\n");
  const Output option = run({"list", "--jsn"});
  EXPECT_EQ(option.status, 2);
  EXPECT_EQ(option.out, "");
  EXPECT_NE(option.err.find("--jsn"), std::string::npos) << option.err;
  const Output missing = run({"check"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_EQ(missing.err, "flitmend: CONFIG is required; see flitmend check --help\n");
}

// What a message repeats of the command line.
TEST(Usage, NothingCommandsTheTerminal) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"\x1b[31mrun"}, {"run", "no\x1b[31m.yaml"}, {"check", "x", "--\x1b[31m"}}) {
    const Output output = run(words);
    EXPECT_EQ(output.status, 2);
    EXPECT_EQ(output.err.find('\x1b'), std::string::npos) << output.err;
    EXPECT_NE(output.err.find("\\x1b[31m"), std::string::npos) << output.err;
  }
}

// Names of files come back on standard output.
TEST(Usage, NoFileNameCommandsTheTerminal) {
  const ScratchFolder folder;
  const std::string run_folder = folder / "o\x1b[31mut", sweep_folder = folder / "q\x1b[31mq";
  const std::string file = folder.write("c.yaml", "network: {size: [3, 3]}\nsimulation: {measure: 100}");
  const std::string sweep =
      folder.write("s.yaml", "base: c.yaml\naxes: [{key: traffic.load, values: [0.1]}]");
  ASSERT_EQ(run({"run", file, "--quiet", "--out", run_folder}).status, 0);
  const auto expect_escaped = [](const Output& output) {
    EXPECT_EQ(output.status, 0) << output.err;
    EXPECT_EQ(output.out.find('\x1b'), std::string::npos) << output.out;
    EXPECT_NE(output.out.find("\\x1b[31m"), std::string::npos) << output.out;
  };
  expect_escaped(run({"sweep", sweep, "--quiet", "--out", sweep_folder}));
  const Output report = run({"report", run_folder});
  if (report.status == 0) expect_escaped(report);  // a program without the plotting library writes none
}

// An empty name would be the default name, or nothing would be written.
TEST(Usage, NothingIsWrittenUnderAnEmptyName) {
  const ScratchFolder folder;
  const std::string file = folder.write("c.yaml", "network: {size: [2, 2]}\nsimulation: {measure: 10}");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", file, "--out"},
                                                {"check", file, "--graph"},
                                                {"check", file, "--picture"},
                                                {"sweep", file, "--out"},
                                                {"study", file, "--out"},
                                                {"campaign", file, "--out"},
                                                {"report", file, "-o"}}) {
    std::vector<std::string> empty = words;
    empty.emplace_back("");
    const Output output = run(empty);
    EXPECT_EQ(output.status, 2) << words[0];
    EXPECT_NE(output.err.find(": the name is empty; give one"), std::string::npos) << output.err;
  }
}

// Of a long value a message quotes the beginning and the end, with what is wrong and what to do.
TEST(Usage, LongValuesAreNotPrintedWhole) {
  const ScratchFolder folder;
  const std::string value(100'000, 'x');
  for (const std::string& text :
       {"faults: {regions: [" + value + "]}", "traffic: {load: " + std::string(100'000, '9') + "}",
        value + ": 3", "network: {topology: file, graph: " + value + "}",
        "recovery: {protocol: " + value + "}"}) {
    const Output output = run({"run", folder.write("c.yaml", text)});
    EXPECT_EQ(output.status, 2);
    EXPECT_LT(output.err.size(), 2500u) << text.substr(0, 40);
    EXPECT_TRUE(output.err.starts_with("flitmend: ")) << output.err;
  }
  const Output option = run({"run", "c.yaml", "--set", value});
  EXPECT_LT(option.err.size(), 2500u);
  EXPECT_TRUE(run({value}).err.ends_with("; see flitmend --help\n"));
}

#ifndef __SANITIZE_ADDRESS__
// Wherever memory ends after the libraries are loaded, the program says so.
TEST(Usage, LittleMemoryIsNoCrash) {
  bool said = false, listed = false;
  for (std::size_t kilobytes = 10'000; !listed && kilobytes <= 100'000; kilobytes += 200) {
    ProgramProcess::Options options;
    options.memory_limit = kilobytes << 10;
    ProgramProcess process({"list", "traffic"}, options);
    const int status = process.wait();
    listed = status == 0;
    said = said || status == 5;
    if (status == 5) {
      EXPECT_TRUE(process.err().starts_with("flitmend: out of memory")) << process.err();
    }
    // Before main() the kernel, the loader and SystemC's library need memory; they end as they like.
    const bool loading =
        status == 127 || (status < 0 && !said && process.err().find("sc_report") == std::string::npos);
    EXPECT_TRUE(listed || loading || status == 5) << kilobytes << " kB: " << status << "\n" << process.err();
  }
  EXPECT_TRUE(said);
  EXPECT_TRUE(listed);
}
#endif

TEST(Usage, ReferenceIsInTheHelp) {
  const std::vector<std::string> commands = commands_of(run({"--help"}).out);
  EXPECT_NE(std::find(commands.begin(), commands.end(), "reference"), commands.end());
}

// flitmend reference | head -1: the reader is gone before the page is written.
TEST(Usage, AReaderThatGoesAwayIsNoError) {
  const ScratchFolder folder;
  for (const std::string command : {"reference", "list", "--help"}) {
    const std::string line = "{ sleep 0.3; exec '" FLITMEND_PROGRAM "' " + command + " 2>" +
                             (folder / "err") + "; } | true; exit \\${PIPESTATUS[0]}";
    EXPECT_EQ(std::system(("bash -c \"" + line + "\"").c_str()), 0) << command;
    EXPECT_EQ(folder.read("err"), "") << command;
  }
}

TEST(Usage, FullStandardOutput) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list"}, {"--help"}, {"--version"}, {"analyze", "paper", "--list"}}) {
    const Output full = run(words, "/dev/full");
    EXPECT_EQ(full.status, 5) << words[0];
    EXPECT_EQ(full.err, "flitmend: cannot write standard output\n") << words[0];
  }
}

TEST(Usage, NothingOfSystemC) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"list"}, {"--version"}}) {
    const Output output = run(words);
    EXPECT_EQ(output.out.find("SystemC 2"), std::string::npos);
    EXPECT_EQ(output.err, "");
  }
}

}  // namespace
}  // namespace flitmend
