# SPDX-License-Identifier: Apache-2.0
# cmake --install: the libraries, their headers (include/flitmend/ROOM/…), the CMake package flitmend, and flitmend.pc
# for pkg-config. Component development; the program is component program.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/flitmend)

get_property(installed_targets GLOBAL PROPERTY FLITMEND_INSTALLED_TARGETS)
get_property(installed_folders GLOBAL PROPERTY FLITMEND_INSTALLED_FOLDERS)
get_property(internal_folders GLOBAL PROPERTY FLITMEND_INTERNAL_FOLDERS)

install(TARGETS flitmend ${installed_targets} EXPORT flitmendTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT development)
install(EXPORT flitmendTargets NAMESPACE flitmend:: DESTINATION ${package_folder} COMPONENT development)
set(exclusions "")
foreach(folder IN LISTS internal_folders)
  list(APPEND exclusions REGEX "/${folder}$" EXCLUDE)
endforeach()
install(DIRECTORY ${installed_folders} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/flitmend COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN "control_lines.def" ${exclusions})

configure_package_config_file(cmake/flitmendConfig.cmake.in flitmendConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(flitmendConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/flitmendConfig.cmake
    ${PROJECT_BINARY_DIR}/flitmendConfigVersion.cmake
    cmake/FindSystemC.cmake
    cmake/FindRandom123.cmake
    cmake/FindNettle.cmake
  DESTINATION ${package_folder} COMPONENT development)

# pkg-config: a room stands before those that it uses, as the linker wants static libraries.
set(room_libraries "")
foreach(target IN LISTS installed_targets)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    string(PREPEND room_libraries "-l${target} ")
  endif()
endforeach()
set(required_packages "yaml-cpp, nlohmann_json")
set(other_libraries "-lbz2 -lz -llzma -lexpat -lnettle -pthread")
set(other_flags "-DSC_CPLUSPLUS=${SystemC_CPLUSPLUS}L")
if(TARGET PkgConfig::SystemC_PC)
  string(PREPEND required_packages "systemc, ")
else()  # SystemC's own CMake build writes no systemc.pc.
  string(PREPEND other_libraries "$<TARGET_FILE:SystemC::systemc> ")
  string(APPEND other_flags " -I$<JOIN:$<TARGET_PROPERTY:SystemC::systemc,INTERFACE_INCLUDE_DIRECTORIES>, -I>")
endif()
foreach(folder IN LISTS Random123_INCLUDE_DIR Boost_INCLUDE_DIRS)
  if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    string(APPEND other_flags " -I${folder}")
  endif()
endforeach()
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${pkgconfig_folder}
           OUTPUT_VARIABLE prefix_from_pkgconfig)
configure_file(cmake/flitmend.pc.in flitmend.pc.configured @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/flitmend.pc INPUT ${PROJECT_BINARY_DIR}/flitmend.pc.configured)
install(FILES ${PROJECT_BINARY_DIR}/flitmend.pc DESTINATION ${pkgconfig_folder} COMPONENT development)

install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT licence)
