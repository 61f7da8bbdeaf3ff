# SPDX-License-Identifier: Apache-2.0
# cpack -G DEB: the packages flitmend (the program with its studies, documentation, manual page and completion) and libflitmend-dev
# (the libraries, headers, the CMake package and flitmend.pc).
set(FLITMEND_PACKAGE_MAINTAINER "The Flitmend authors <flitmend@localhost>" CACHE STRING
  "Who answers for the packages that cpack builds: NAME <ADDRESS>")

if(NOT FLITMEND_GZIP)
  message(STATUS "gzip is not installed: cpack will build no packages")
  return()
endif()

set(CPACK_PACKAGE_NAME flitmend)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${FLITMEND_PACKAGE_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL TRUE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${FLITMEND_PACKAGE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME flitmend)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS TRUE)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS gtkwave)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "libflitmend-dev, slurm-client")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "Flitmend models networks-on-chip in SystemC and TLM-2.0 at clock granularity:
routers with input controllers, virtual channels, allocators and crossbars,
connected into meshes, tori, hypercubes and KNS fabrics. The program runs
single simulations, sweeps and studies, proves routing free of deadlock,
records waveforms and writes reports.")

# What find_package(flitmend) and flitmend.pc look for.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libflitmend-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libsystemc-dev (>= 2.3.4), libboost-dev (>= 1.74), libcli11-dev (>= 2.1), libyaml-cpp-dev (>= 0.7), nlohmann-json3-dev (>= 3.11), librandom123-dev, libbz2-dev, zlib1g-dev, liblzma-dev, libexpat1-dev (>= 2.4), nettle-dev (>= 3.4), libsqlite3-dev (>= 3.35), libsqlitecpp-dev (>= 3.2)")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "flitmend, cmake, pkg-config")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "The libraries and headers of Flitmend: routers, channels and whole fabrics with
TLM-2.0 sockets, for a testbench of your own. CMake finds them with
find_package(flitmend), other builds with pkg-config.")

# What Debian wants in the documentation folder of every package; `cmake --install` leaves it out.
string(TIMESTAMP year %Y UTC)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(plotting_licences "")
set(collected ${PROJECT_BINARY_DIR}/exploration/report/plotting/LICENCES.txt)
if(EXISTS ${collected})
  file(READ ${collected} plotting_licences)
  string(PREPEND plotting_licences "\nReports contain the following packages, whose licences are:\n\n")
endif()
set(folder ${PROJECT_BINARY_DIR}/packaging)
file(WRITE ${folder}/copyright "Flitmend, ${PROJECT_DESCRIPTION}.

Copyright ${year} The Flitmend authors

Licensed under the Apache License, version 2.0; on Debian systems its text is in
/usr/share/common-licenses/Apache-2.0.
${plotting_licences}")
file(WRITE ${folder}/changelog.Debian "flitmend (${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}; changelog.gz says what it has.

 -- ${FLITMEND_PACKAGE_MAINTAINER}  ${date}
")
configure_file(CHANGELOG.md ${folder}/changelog COPYONLY)
foreach(file IN ITEMS changelog changelog.Debian)
  execute_process(COMMAND ${FLITMEND_GZIP} -9nc ${folder}/${file} OUTPUT_FILE ${folder}/${file}.gz COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(component IN ITEMS PROGRAM DEVELOPMENT)
  string(TOLOWER ${component} name)
  install(FILES ${folder}/copyright ${folder}/changelog.gz ${folder}/changelog.Debian.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${component}_PACKAGE_NAME} COMPONENT ${name} EXCLUDE_FROM_ALL)
endforeach()

include(CPack)
