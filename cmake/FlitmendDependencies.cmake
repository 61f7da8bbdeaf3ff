# SPDX-License-Identifier: Apache-2.0
# Every library that Flitmend uses, listed once: found here, and found again by users of an installed Flitmend
# (flitmendConfig.cmake).
set(FLITMEND_DEPENDENCIES
  "SystemC 2.3.4"
  "Random123"
  "Nettle"
  "Boost 1.74"
  "nlohmann_json 3.11"
  "yaml-cpp 0.7"
  "CLI11 2.1"
  "BZip2"
  "ZLIB"
  "LibLZMA"
  "EXPAT 2.4"
  "SQLite3 3.35"
  "SQLiteCpp 3.2"
  "Threads")

# A project that includes Flitmend with add_subdirectory sees these targets too.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)
set(FLITMEND_FIND_DEPENDENCIES "")
foreach(dependency IN LISTS FLITMEND_DEPENDENCIES)
  separate_arguments(arguments UNIX_COMMAND ${dependency})
  find_package(${arguments} REQUIRED)
  string(APPEND FLITMEND_FIND_DEPENDENCIES "find_dependency(${dependency})\n")
endforeach()
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL FALSE)
