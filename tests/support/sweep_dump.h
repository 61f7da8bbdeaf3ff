// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sqlite3.h>

#include <stdexcept>
#include <string>

namespace flitmend {

/// Every row of every table except `host`, in the order of the file.
inline std::string sweep_dump(const std::string& folder) {
  sqlite3* database = nullptr;
  const std::string file = folder + "/results.sqlite";
  if (sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK) {
    sqlite3_close(database);
    throw std::runtime_error("cannot open " + file);
  }
  std::string text;
  const auto append = [](void* out, int count, char** values, char**) {
    for (int i = 0; i < count; ++i)
      *static_cast<std::string*>(out) += std::string(values[i] ? values[i] : "NULL") + "|";
    *static_cast<std::string*>(out) += "\n";
    return 0;
  };
  for (const char* table : {"meta", "axes", "points", "metrics", "saturation"}) {
    text += std::string("== ") + table + "\n";
    if (sqlite3_exec(database, (std::string("SELECT * FROM ") + table).c_str(), append, &text, nullptr) !=
        SQLITE_OK)
      text += sqlite3_errmsg(database);
  }
  sqlite3_close(database);
  return text;
}

}  // namespace flitmend
