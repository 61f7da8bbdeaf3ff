// SPDX-License-Identifier: Apache-2.0
#include "program/commands/study_summary.h"

#include <algorithm>
#include <boost/format.hpp>

#include "base/escaped_text.h"

namespace flitmend {
namespace {

void print_parts(const JudgedStatement& statement, std::ostream& out) {
  constexpr std::size_t kShown = 10;
  if (statement.verdict == Verdict::holds || statement.parts.size() < 2) return;
  std::size_t shown = 0, more = 0;
  for (const JudgedPart& part : statement.parts) {
    if (part.verdict == Verdict::holds) continue;
    if (shown++ >= kShown) {
      ++more;
      continue;
    }
    const std::string what = part.at + (part.at.empty() || part.compared.empty() ? "" : ", ") + part.compared;
    out << "    " << to_word(part.verdict) << ": "
        << escaped_text(what + ": " + part.measured + " (wanted: " + part.wanted + ")") << '\n';
  }
  if (more) out << "    and " << more << " more\n";
}

}  // namespace

std::size_t count(const std::vector<JudgedStatement>& statements, Verdict verdict) {
  return static_cast<std::size_t>(std::count_if(
      statements.begin(), statements.end(), [&](const JudgedStatement& s) { return s.verdict == verdict; }));
}

void print_statements(const std::vector<JudgedStatement>& statements, std::ostream& out) {
  for (const JudgedStatement& s : statements) {
    out << boost::format("\n%-10s %s\n") % to_word(s.verdict) % escaped_text(s.says);
    out << "  " << escaped_text(s.judged) << "\n  " << escaped_text(s.measured) << '\n';
    if (s.verdict == Verdict::refuted) out << "  refuted by: " << escaped_text(s.refuted_by) << '\n';
    print_parts(s, out);
  }
  out << '\n' << count(statements, Verdict::holds) << " of " << statements.size() << " statements hold";
  if (const std::size_t refuted = count(statements, Verdict::refuted))
    out << ", " << refuted << (refuted == 1 ? " is refuted" : " are refuted");
  if (const std::size_t fail = count(statements, Verdict::fails))
    out << ", " << fail << (fail == 1 ? " fails" : " fail");
  if (const std::size_t undecided = count(statements, Verdict::undecided))
    out << ", " << undecided << (undecided == 1 ? " is undecided" : " are undecided");
  out << '\n';
}

}  // namespace flitmend
