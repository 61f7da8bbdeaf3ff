// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/database.h"

#include <system_error>

#include "base/errors.h"

namespace flitmend {

void Statement::bind(int parameter, std::int64_t value) {
  if (const int code = sqlite3_bind_int64(statement_.get(), parameter, value)) database_->fail(code);
}

void Statement::bind(int parameter, double value) {
  if (const int code = sqlite3_bind_double(statement_.get(), parameter, value)) database_->fail(code);
}

void Statement::bind(int parameter, std::string_view text) {
  // An empty view may have a null address, which SQLite would store as NULL.
  const char* const bytes = text.empty() ? "" : text.data();
  if (const int code =
          sqlite3_bind_text64(statement_.get(), parameter, bytes, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8))
    database_->fail(code);
}

void Statement::bind_null(int parameter) {
  if (const int code = sqlite3_bind_null(statement_.get(), parameter)) database_->fail(code);
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  sqlite3_reset(statement_.get());
  if (code != SQLITE_DONE) database_->fail(code);
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)))
               : std::string();
}

std::optional<std::int64_t> Statement::maybe_integer(int column) const {
  return is_null(column) ? std::nullopt : std::optional(integer(column));
}

std::optional<double> Statement::maybe_real(int column) const {
  return is_null(column) ? std::nullopt : std::optional(real(column));
}

std::optional<std::string> Statement::maybe_text(int column) const {
  return is_null(column) ? std::nullopt : std::optional(text(column));
}

Database::Database(const std::filesystem::path& path, Mode mode) : path_(path), mode_(mode) {
  std::error_code none;
  if (std::filesystem::is_other(path, none))  // SQLite would wait for a pipe
    throw ConfigurationError("cannot open " + path.string() + ": it is a pipe or a device");
  const auto open = [&](int flags) {
    sqlite3* connection = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &connection, flags | SQLITE_OPEN_EXRESCODE, nullptr);
    connection_.reset(connection);
    return code;
  };
  // A reader may have to roll back what a killed writer left unfinished, so it opens for writing first.
  int code = open(SQLITE_OPEN_READWRITE | (mode == Mode::create ? SQLITE_OPEN_CREATE : 0));
  if (code != SQLITE_OK && mode == Mode::read) code = open(SQLITE_OPEN_READONLY);
  if (!connection_) throw WriteError("cannot open " + path.string() + ": out of memory");
  if (code != SQLITE_OK) fail(code);
  set_patience(std::chrono::seconds(10));
  // A committed transaction survives a power failure. One file, also on network file systems.
  if (mode != Mode::read) execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;");
}

void Database::set_patience(std::chrono::milliseconds patience) {
  sqlite3_busy_timeout(connection_.get(), static_cast<int>(patience.count()));
}

void Database::fail(int code) const {
  std::string reason = sqlite3_errmsg(connection_.get());
  if (const int error = sqlite3_system_errno(connection_.get()); error != 0 && (code & 0xff) == SQLITE_IOERR)
    reason += " (" + std::generic_category().message(error) + ")";
  switch (code & 0xff) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:       // a table or column that our statements name is missing
    case SQLITE_CONSTRAINT:  // a row that should not be there, or a value of another type
    case SQLITE_MISMATCH:
      damaged(reason);
    case SQLITE_CANTOPEN:
      throw ConfigurationError("cannot open " + path_.string() + ": " + reason);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw mode_ == Mode::read
          ? BusyError("cannot read " + path_.string() + ": another program is writing it; try again")
          : BusyError("cannot write " + path_.string() + ": another program is reading or writing it");
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG:
      throw WriteError("cannot write " + path_.string() + ": " + reason);
    default:
      throw std::runtime_error(path_.string() + ": " + reason);
  }
}

void Database::damaged(const std::string& why) const {
  throw ConfigurationError("cannot read " + path_.string() + ": " + why +
                           "; it is not a results file of flitmend, or it is damaged");
}

void Database::execute(const char* sql) {
  if (const int code = sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr)) fail(code);
}

Statement Database::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  if (const int code = sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                          &statement, nullptr))
    fail(code);
  return {*this, statement};
}

bool Database::has_table(std::string_view name) const {
  Statement statement = prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  statement.bind(1, name);
  return statement.step();
}

bool Database::is_empty() const {
  return !prepare("SELECT 1 FROM sqlite_master").step();
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const std::exception&) {
    // A failed write has already rolled it back.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace flitmend
