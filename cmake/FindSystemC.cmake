# SPDX-License-Identifier: Apache-2.0
# SystemC::systemc, the SystemC and TLM-2.0 library, with the C++ standard that it was built for.
#
# If SYSTEMC_HOME, a variable of CMake or of the environment, names a folder, the SystemC installed there is taken and no
# other, whether CMake or configure has made it. If not, a CMake package SystemCLanguage (CMAKE_PREFIX_PATH), and without one
# pkg-config's systemc (the distribution's package).
#
# SystemC refuses to link if the program's C++ standard differs from the library's. SC_CPLUSPLUS names the library's, so
# that a C++20 program links with a C++17 library. A library states its standard in a symbol; set SystemC_CPLUSPLUS
# (199711 … 202002) if it is not found there.
include(FindPackageHandleStandardArgs)

if(NOT SYSTEMC_HOME)
  set(SYSTEMC_HOME $ENV{SYSTEMC_HOME})
endif()
set(_systemc_missing "neither a CMake package SystemCLanguage nor pkg-config's systemc was found. Install it (Debian: apt-get install libsystemc-dev pkg-config), or give the folder that yours is installed in: -D SYSTEMC_HOME=FOLDER, or the environment variable SYSTEMC_HOME")

# What an earlier SYSTEMC_HOME has led to is found again.
if(NOT "${SYSTEMC_HOME}" STREQUAL "${SystemC_LAST_HOME}")
  unset(SystemCLanguage_DIR CACHE)
  unset(SystemC_INCLUDE_DIR CACHE)
  unset(SystemC_LIBRARY CACHE)
endif()
set(SystemC_LAST_HOME "${SYSTEMC_HOME}" CACHE INTERNAL "SYSTEMC_HOME when CMake ran last")

if(SYSTEMC_HOME)
  find_package(SystemCLanguage CONFIG QUIET PATHS ${SYSTEMC_HOME} NO_DEFAULT_PATH)
else()
  find_package(SystemCLanguage CONFIG QUIET)
endif()
set(_systemc_library "")  # the file, if it may state its C++ standard
if(TARGET SystemC::systemc)
  set(SystemC_VERSION ${SystemCLanguage_VERSION})
elseif(SYSTEMC_HOME)
  # As configure installs it.
  find_path(SystemC_INCLUDE_DIR systemc PATHS ${SYSTEMC_HOME} PATH_SUFFIXES include NO_DEFAULT_PATH)
  find_library(SystemC_LIBRARY systemc PATHS ${SYSTEMC_HOME} PATH_SUFFIXES lib lib64 lib-linux64 lib-linux lib-linuxaarch64 lib-macosx64
    NO_DEFAULT_PATH)
  mark_as_advanced(SystemC_INCLUDE_DIR SystemC_LIBRARY)
  if(SystemC_INCLUDE_DIR AND SystemC_LIBRARY)
    set(_systemc_library ${SystemC_LIBRARY})
    file(STRINGS ${SystemC_INCLUDE_DIR}/sysc/kernel/sc_ver.h _systemc_version REGEX "^#define SC_VERSION_(MAJOR|MINOR|PATCH) ")
    string(REGEX MATCHALL "[0-9]+" _systemc_version "${_systemc_version}")
    list(JOIN _systemc_version "." SystemC_VERSION)
    find_package(Threads REQUIRED)
    add_library(SystemC::systemc UNKNOWN IMPORTED)
    set_target_properties(SystemC::systemc PROPERTIES IMPORTED_LOCATION ${SystemC_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${SystemC_INCLUDE_DIR} INTERFACE_LINK_LIBRARIES Threads::Threads)
  else()
    set(_systemc_missing "SYSTEMC_HOME is ${SYSTEMC_HOME}, and there is no include/systemc or no libsystemc in lib, lib64 or lib-linux64 of it. Set it to the folder that SystemC is installed in (make install), or leave it unset to take the distribution's")
  endif()
else()
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(SystemC_PC QUIET IMPORTED_TARGET systemc)
    set(SystemC_VERSION ${SystemC_PC_VERSION})
  endif()
  if(TARGET PkgConfig::SystemC_PC)
    if(SystemC_PC_LINK_LIBRARIES)
      list(GET SystemC_PC_LINK_LIBRARIES 0 _systemc_library)
    endif()
    add_library(SystemC::systemc INTERFACE IMPORTED)
    target_link_libraries(SystemC::systemc INTERFACE PkgConfig::SystemC_PC)
  endif()
endif()

if(TARGET SystemC::systemc)
  set(SystemC_TARGET SystemC::systemc)
  if(NOT SystemC_CPLUSPLUS)
    set(_systemc_cplusplus_11 201103)
    set(_systemc_cplusplus_14 201402)
    set(_systemc_cplusplus_17 201703)
    set(_systemc_cplusplus_20 202002)
    if(DEFINED _systemc_cplusplus_${SystemC_CXX_STANDARD})
      set(SystemC_CPLUSPLUS ${_systemc_cplusplus_${SystemC_CXX_STANDARD}})
    elseif(_systemc_library)
      # The library defines sc_api_version_2_3_4_cxx201703L, or that of another version and standard.
      set(_systemc_symbol "")
      if(EXISTS "${_systemc_library}")
        file(STRINGS ${_systemc_library} _systemc_symbol REGEX "sc_api_version_[0-9_]+cxx[0-9]+L" LIMIT_COUNT 1)
      endif()
      if(_systemc_symbol MATCHES "sc_api_version_[0-9_]+cxx([0-9]+)L")
        set(SystemC_CPLUSPLUS ${CMAKE_MATCH_1})
      endif()
    endif()
    if(NOT SystemC_CPLUSPLUS)
      set(SystemC_CPLUSPLUS 201703)
    endif()
  endif()
  get_target_property(_systemc_definitions SystemC::systemc INTERFACE_COMPILE_DEFINITIONS)
  if(NOT _systemc_definitions MATCHES "SC_CPLUSPLUS")
    set_property(TARGET SystemC::systemc APPEND PROPERTY
      INTERFACE_COMPILE_DEFINITIONS SC_CPLUSPLUS=${SystemC_CPLUSPLUS}L)
  endif()
endif()

find_package_handle_standard_args(SystemC
  REQUIRED_VARS SystemC_TARGET
  VERSION_VAR SystemC_VERSION
  REASON_FAILURE_MESSAGE "${_systemc_missing}")
