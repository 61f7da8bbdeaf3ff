// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/database.h"

#include <sqlite3.h>

#include <system_error>

#include "base/text.h"

namespace flitmend {

Database::Database(const std::filesystem::path& path, Mode mode) : path_(path), mode_(mode) {
  std::error_code none;
  if (std::filesystem::is_other(path, none))  // SQLite would wait for a pipe
    throw ConfigurationError("cannot open " + path.string() + ": it is a pipe or a device");
  const auto open = [&](int flags) {
    connection_ = std::make_unique<SQLite::Database>(path, flags | SQLITE_OPEN_EXRESCODE);
  };
  try {
    // A reader may have to roll back what a killed writer left unfinished, so it opens for writing first.
    try {
      open(SQLite::OPEN_READWRITE | (mode == Mode::create ? SQLite::OPEN_CREATE : 0));
    } catch (const SQLite::Exception&) {
      if (mode != Mode::read) throw;
      open(SQLite::OPEN_READONLY);
    }
  } catch (const SQLite::Exception& error) {
    fail(error);
  }
  set_patience(std::chrono::seconds(10));
  // A committed transaction survives a power failure. One file, also on network file systems.
  if (mode != Mode::read) execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;");
}

void Database::set_patience(std::chrono::milliseconds patience) {
  guarded(
      [&](SQLite::Database& connection) { connection.setBusyTimeout(static_cast<int>(patience.count())); });
}

void Database::fail(const SQLite::Exception& exception) const {
  const int code = exception.getErrorCode() & 0xff;
  std::string reason = exception.what();
  if (const int error = connection_ ? sqlite3_system_errno(connection_->getHandle()) : 0;
      error != 0 && code == SQLITE_IOERR)
    reason += " (" + std::generic_category().message(error) + ")";
  switch (code) {
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

void Database::execute(const std::string& sql) {
  guarded([&](SQLite::Database& connection) { connection.exec(sql); });
}

Statement Database::prepare(const std::string& sql) const {
  return {*this, guarded([&](SQLite::Database& connection) { return SQLite::Statement(connection, sql); })};
}

bool Database::has_table(const std::string& name) const {
  return guarded([&](SQLite::Database& connection) { return connection.tableExists(name); });
}

bool Database::is_empty() const {
  return guarded([&](SQLite::Database& connection) {
    return connection.execAndGet("SELECT count(*) FROM sqlite_master").getInt64() == 0;
  });
}

std::string Database::meta(const std::string& key) const {
  Statement select = prepare("SELECT value FROM meta WHERE key = ?");
  select.bind(1, key);
  return select.step() ? select.text(0) : "";
}

void Database::put_meta(const std::string& key, const std::string& value) {
  prepare("INSERT OR REPLACE INTO meta VALUES(?, ?)").run(key, value);
}

void Database::check_schema(std::int64_t schema, const std::string& what, const std::string& work) const {
  if (!has_table("meta")) throw ConfigurationError("cannot read " + path_.string() + ": it is not " + what);
  if (const std::string found = meta("schema"); found != std::to_string(schema))
    throw ConfigurationError(
        formatted("cannot read %1%: its schema is %2%, but this version of flitmend reads %3%; run the %4% "
                  "again in another folder",
                  path_.string(), found.empty() ? "missing" : found, schema, work));
}

bool Statement::step() {
  return database_->guarded([&](SQLite::Database&) {
    const int code = statement_.tryExecuteStep();
    if (code == SQLITE_ROW) return true;
    const std::string reason = statement_.getErrorMsg();
    statement_.tryReset();
    if (code != SQLITE_DONE) throw SQLite::Exception(reason, code);
    return false;
  });
}

Transaction::Transaction(Database& database)
    : database_(database), transaction_(database.guarded([](SQLite::Database& connection) {
        return std::make_unique<SQLite::Transaction>(connection, SQLite::TransactionBehavior::IMMEDIATE);
      })) {}

void Transaction::commit() {
  database_.guarded([&](SQLite::Database&) { transaction_->commit(); });
}

}  // namespace flitmend
