# SPDX-License-Identifier: Apache-2.0
# cmake --install: the libraries, their headers (include/flitmend/ROOM/…), and the CMake package flitmend.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/flitmend)

get_property(installed_targets GLOBAL PROPERTY FLITMEND_INSTALLED_TARGETS)
get_property(installed_folders GLOBAL PROPERTY FLITMEND_INSTALLED_FOLDERS)
get_property(internal_folders GLOBAL PROPERTY FLITMEND_INTERNAL_FOLDERS)

install(TARGETS flitmend ${installed_targets} EXPORT flitmendTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT flitmendTargets NAMESPACE flitmend:: DESTINATION ${package_folder})
set(exclusions "")
foreach(folder IN LISTS internal_folders)
  list(APPEND exclusions REGEX "/${folder}$" EXCLUDE)
endforeach()
install(DIRECTORY ${installed_folders} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/flitmend
  FILES_MATCHING PATTERN "*.h" ${exclusions})

configure_package_config_file(cmake/flitmendConfig.cmake.in flitmendConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(flitmendConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/flitmendConfig.cmake
    ${PROJECT_BINARY_DIR}/flitmendConfigVersion.cmake
    cmake/FindSystemC.cmake
    cmake/FindRandom123.cmake
  DESTINATION ${package_folder})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
