// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/errors.h"

namespace flitmend {

/// Another program holds a lock on the file for longer than our patience. Nothing was written; a later
/// attempt can succeed.
class BusyError : public WriteError {
 public:
  using WriteError::WriteError;
};

class Statement;

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

  /// How long each statement waits for the locks of other programs; 10 s at first.
  void set_patience(std::chrono::milliseconds);

  /// Executes statements without rows.
  void execute(const std::string& sql);
  Statement prepare(const std::string& sql) const;
  bool has_table(const std::string& name) const;
  /// Has no tables.
  bool is_empty() const;
  const std::filesystem::path& path() const { return path_; }

  /// The value of a key in the table `meta`; "" if there is none.
  std::string meta(const std::string& key) const;
  void put_meta(const std::string& key, const std::string& value);
  /// Throws ConfigurationError if there is no table `meta`, or another schema in it. `what`: "the file of a
  /// study"; `work`: "study".
  void check_schema(std::int64_t schema, const std::string& what, const std::string& work) const;

  /// Throws ConfigurationError: the file's content is not what flitmend writes.
  [[noreturn]] void damaged(const std::string& why) const;

  /// Calls `work`; throws the errors of SQLite as errors for the user.
  template <class Work>
  auto guarded(Work&& work) const {
    try {
      return work(*connection_);
    } catch (const SQLite::Exception& error) {
      fail(error);
    }
  }

 private:
  [[noreturn]] void fail(const SQLite::Exception&) const;

  std::filesystem::path path_;
  Mode mode_;
  std::unique_ptr<SQLite::Database> connection_;
};

/// A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement {
 public:
  Statement(const Database& database, SQLite::Statement statement)
      : database_(&database), statement_(std::move(statement)) {}

  /// A number, a text, or an optional one of them: none is NULL.
  template <class T>
  void bind(int parameter, const T& value) {
    database_->guarded([&](auto&) {
      if constexpr (std::is_convertible_v<T, std::string_view>)
        statement_.bind(parameter, std::string(value));
      else if constexpr (std::is_integral_v<T>)
        statement_.bind(parameter, static_cast<std::int64_t>(value));
      else
        statement_.bind(parameter, value);
    });
  }
  template <class T>
  void bind(int parameter, const std::optional<T>& value) {
    if (value)
      bind(parameter, *value);
    else
      database_->guarded([&](auto&) { statement_.bind(parameter); });
  }

  /// Advances to the next row; false if there is none, and the statement can then be reused.
  bool step();
  /// Executes a statement without rows, with these parameters in their order, and resets it for reuse.
  template <class... Values>
  void run(const Values&... values) {
    int parameter = 0;
    (bind(++parameter, values), ...);
    while (step()) {
    }
  }

  bool is_null(int column) const { return statement_.getColumn(column).isNull(); }
  std::int64_t integer(int column) const { return statement_.getColumn(column).getInt64(); }
  double real(int column) const { return statement_.getColumn(column).getDouble(); }
  std::string text(int column) const { return statement_.getColumn(column).getString(); }
  std::optional<std::int64_t> maybe_integer(int column) const { return maybe(&Statement::integer, column); }
  std::optional<double> maybe_real(int column) const { return maybe(&Statement::real, column); }
  std::optional<std::string> maybe_text(int column) const { return maybe(&Statement::text, column); }

 private:
  template <class T>
  std::optional<T> maybe(T (Statement::*value)(int) const, int column) const {
    return is_null(column) ? std::nullopt : std::optional((this->*value)(column));
  }

  const Database* database_;
  SQLite::Statement statement_;
};

/// All or nothing: rolled back at the end of its life unless committed, also by a crash of the process or the
/// machine.
class Transaction {
 public:
  explicit Transaction(Database&);
  /// Call once; what was written is on disk when it returns.
  void commit();

 private:
  Database& database_;
  std::unique_ptr<SQLite::Transaction> transaction_;
};

}  // namespace flitmend
