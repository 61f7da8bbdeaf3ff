#include "testbench/report/statements.h"

#include "testbench/sweeps/database.h"

namespace flitmend {
namespace {

/// As an identifier of SQL.
std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string verdict(const std::optional<std::string>& holds) {
  if (!holds) return "? not decided";
  return *holds == "1" ? "✓ holds" : *holds == "0" ? "✗ fails" : *holds;
}

}  // namespace

void add_statements(ReportPage& page, const std::filesystem::path& results) {
  const Database database(results, Database::Mode::read);
  if (!database.has_table("statements")) return;
  ReportTable table{"Statements", {}, {}};
  std::string names;
  std::size_t holds = std::string::npos;
  Statement columns = database.prepare("SELECT name FROM pragma_table_info('statements') ORDER BY cid");
  while (columns.step()) {
    const std::string name = columns.text(0);
    if (name == "holds") holds = table.columns.size();
    table.columns.push_back({name == "holds" ? "verdict" : name});
    names += (names.empty() ? "" : ", ") + quoted(name);
  }
  Statement rows = database.prepare("SELECT " + names + " FROM statements");
  std::size_t held = 0;
  while (rows.step()) {
    std::vector<std::string> row;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::optional<std::string> cell = rows.maybe_text(static_cast<int>(i));
      row.push_back(i == holds ? verdict(cell) : cell.value_or("–"));
      if (i == holds && cell == "1") ++held;
    }
    table.rows.push_back(std::move(row));
  }
  page.heading("Statements");
  if (holds != std::string::npos)
    page.paragraph(std::to_string(held) + " of " + std::to_string(table.rows.size()) + " statements hold.");
  page.table(table, false);
}

}  // namespace flitmend
