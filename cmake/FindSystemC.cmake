# SPDX-License-Identifier: Apache-2.0
# SystemC::systemc, the SystemC and TLM-2.0 library, with the C++ standard that it was built for.
#
# First looks for a CMake package SystemCLanguage (your own Accellera build: add it to CMAKE_PREFIX_PATH), then for
# pkg-config's systemc (the distribution's package).
#
# SystemC refuses to link if the program's C++ standard differs from the library's. SC_CPLUSPLUS names the library's, so
# that a C++20 program links with a C++17 library. An Accellera package states its standard. The distributions build for
# C++17; set SystemC_CPLUSPLUS (199711 … 202002) if yours does not.
include(FindPackageHandleStandardArgs)

find_package(SystemCLanguage CONFIG QUIET)
if(TARGET SystemC::systemc)
  set(SystemC_VERSION ${SystemCLanguage_VERSION})
else()
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(SystemC_PC QUIET IMPORTED_TARGET systemc)
    set(SystemC_VERSION ${SystemC_PC_VERSION})
  endif()
  if(TARGET PkgConfig::SystemC_PC)
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
    else()
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
  REASON_FAILURE_MESSAGE
    "neither a CMake package SystemCLanguage nor pkg-config's systemc was found (Debian: apt-get install libsystemc-dev pkg-config)")
