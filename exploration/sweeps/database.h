// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/errors.h"

namespace flitmend {

class Database;

/// Another program holds a lock on the file for longer than our patience. Nothing was written; a later
/// attempt can succeed.
class BusyError : public WriteError {
 public:
  using WriteError::WriteError;
};

/// A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement {
 public:
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, int value) { bind(parameter, static_cast<std::int64_t>(value)); }
  void bind(int parameter, double value);
  void bind(int parameter, std::string_view text);
  void bind_null(int parameter);
  template <class T>
  void bind(int parameter, const std::optional<T>& value) {
    if (value)
      bind(parameter, *value);
    else
      bind_null(parameter);
  }

  /// Advances to the next row; false if there is none, and the statement can then be reused.
  bool step();
  /// Executes a statement without rows, and resets it for reuse.
  void run();
  /// The same with these parameters, in their order.
  template <class... Values>
  void run(const Values&... values) {
    int parameter = 0;
    (bind(++parameter, values), ...);
    run();
  }

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  std::optional<std::int64_t> maybe_integer(int column) const;
  std::optional<double> maybe_real(int column) const;
  std::optional<std::string> maybe_text(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  Statement(const Database& database, sqlite3_stmt* statement)
      : database_(&database), statement_(statement) {}

  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// One SQLite file. If it cannot be written (full disk, no permission), WriteError is thrown; if it is not a
/// database or is damaged, ConfigurationError; if another program keeps it locked, BusyError. All name the
/// file.
class Database {
 public:
  enum class Mode {
    create,  ///< for writing; created if it does not exist
    write,   ///< for writing; it must exist
    read,
  };
  Database(const std::filesystem::path&, Mode);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// How long each statement waits for the locks of other programs; 10 s at first.
  void set_patience(std::chrono::milliseconds);

  /// Executes statements without rows.
  void execute(const char* sql);
  Statement prepare(std::string_view sql) const;
  bool has_table(std::string_view name) const;
  /// Has no tables.
  bool is_empty() const;
  const std::filesystem::path& path() const { return path_; }
  /// Throws the last error of SQLite as an error for the user.
  [[noreturn]] void fail(int code) const;
  /// Throws ConfigurationError: the file's content is not what flitmend writes.
  [[noreturn]] void damaged(const std::string& why) const;

 private:
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close(connection); }
  };
  std::filesystem::path path_;
  Mode mode_;
  std::unique_ptr<sqlite3, Close> connection_;
};

/// All or nothing: rolled back at the end of its life unless committed, also by a crash of the process or the
/// machine.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  /// Call once; what was written is on disk when it returns.
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace flitmend
