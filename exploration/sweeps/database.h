// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace flitmend {

class Database;

/// A prepared statement. Parameters are bound from 1 on, columns read from 0 on.
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

  /// The next row; false where there is none, and the statement is ready for the next use.
  bool step();
  /// A statement without rows: once, and ready for the next use.
  void run();
  /// The same with these for its parameters, in their order.
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

/// One SQLite file. What cannot be written (full disk, no permission) throws WriteError; a file that is no
/// database or is damaged throws ConfigurationError; both name the file.
class Database {
 public:
  enum class Mode {
    create,  ///< for writing; made where it is not there
    write,   ///< for writing; it is there
    read,
  };
  Database(const std::filesystem::path&, Mode);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Statements without rows.
  void execute(const char* sql);
  Statement prepare(std::string_view sql) const;
  bool has_table(std::string_view name) const;
  /// Without any table.
  bool is_empty() const;
  const std::filesystem::path& path() const { return path_; }
  /// Throws what the last error of SQLite is to the user.
  [[noreturn]] void fail(int code) const;
  /// Throws ConfigurationError: what the file holds is not what flitmend writes.
  [[noreturn]] void damaged(const std::string& why) const;

 private:
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close(connection); }
  };
  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> connection_;
};

/// All or nothing: undone at its end unless committed, also by a crash of the process or of the machine.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  /// Once; what was written is on the disk when it returns.
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace flitmend
