# SPDX-License-Identifier: Apache-2.0
# Functions that declare the rooms and programs of the project.

# flitmend_sources(RESULT FOLDER [PATTERN *.cpp] [EXCEPT …]): the matching files in a folder and below, in alphabetical
# order, relative to the current folder.
function(flitmend_sources result folder)
  cmake_parse_arguments(FILES "" "PATTERN" "EXCEPT" ${ARGN})
  if(NOT FILES_PATTERN)
    set(FILES_PATTERN *.cpp)
  endif()
  file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${folder}/${FILES_PATTERN})
  if(FILES_EXCEPT)
    list(REMOVE_ITEM found ${FILES_EXCEPT})
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# flitmend_room(NAME [INTERNAL] [EXCEPT …] [GENERATED …] LINKS …): a static library flitmend::NAME of all
# .cpp files in this folder and below, but for those named by EXCEPT, and of the GENERATED ones. A new file needs no
# line: every build looks for new files first. Headers are included from the project's root ("NAME/header.h").
# INTERNAL: it serves the project's own program and is not installed.
function(flitmend_room name)
  cmake_parse_arguments(ROOM "INTERNAL" "" "EXCEPT;GENERATED;LINKS" ${ARGN})
  set(target flitmend_${name})
  flitmend_sources(sources . EXCEPT ${ROOM_EXCEPT})
  add_library(${target} STATIC ${sources} ${ROOM_GENERATED})
  flitmend_compile_options(${target})
  add_library(flitmend::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/flitmend>)
  target_link_libraries(${target} PUBLIC ${ROOM_LINKS})

  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
  if(ROOM_INTERNAL)
    set_property(GLOBAL APPEND PROPERTY FLITMEND_INTERNAL_FOLDERS ${folder})
  else()
    set_property(GLOBAL APPEND PROPERTY FLITMEND_INSTALLED_TARGETS ${target})
    set_property(GLOBAL APPEND PROPERTY FLITMEND_INSTALLED_FOLDERS ${folder})
  endif()
endfunction()

# Position-independent unless CMAKE_POSITION_INDEPENDENT_CODE says otherwise, so that the libraries can go into a shared
# one. Nothing in them is meant to be replaced at load time, and calls stay as fast as without.
if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()

function(flitmend_compile_options target)
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  # The same results on every x86-64: no contraction of floating-point operations, no host instruction set.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -ffp-contract=off)
  # Random123 would include the intrinsics of x86 in every file, which takes a second to compile. We do not use them.
  target_compile_definitions(${target} PRIVATE R123_USE_SSE=0)
  # GCC 12 wrongly reports an overlap in every "text" + std::string (GCC bug 105651).
  target_compile_options(${target} PRIVATE
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
  # The code of a cycle combines conditions with & and |, to avoid branches.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-bitwise-instead-of-logical>)
  if(CMAKE_UNITY_BUILD)
    # Test fixtures are in the anonymous namespaces of files that a unity build includes.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    # clang says that a header included late shadows a constant of an earlier source; the lint preset checks that per file.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
  endif()
  if(FLITMEND_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(FLITMEND_SANITIZE)
    # GCC wrongly reports uninitialised values in instrumented code, for example in std::regex.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_compile_options(${target} PUBLIC -fsanitize=${FLITMEND_SANITIZERS} -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    # GCC defines it; clang says the same with __has_feature.
    if(FLITMEND_SANITIZERS MATCHES address)
      target_compile_definitions(${target} PUBLIC $<$<CXX_COMPILER_ID:Clang>:__SANITIZE_ADDRESS__>)
    endif()
    target_link_options(${target} PUBLIC -fsanitize=${FLITMEND_SANITIZERS})
  endif()
endfunction()

# flitmend_embed(OUTPUT HEADER NAME=FILE…): the source OUTPUT contains these files as strings, which HEADER declares.
function(flitmend_embed output header)
  set(files "")
  set(entries "")
  foreach(entry IN LISTS ARGN)
    string(REGEX REPLACE "^[a-z_]+=" "" file "${entry}")
    if(file)
      cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
      list(APPEND files ${path})
      string(REPLACE "=${file}" "=${path}" entry "${entry}")
    endif()
    list(APPEND entries "${entry}")
  endforeach()
  set(script ${PROJECT_SOURCE_DIR}/cmake/FlitmendEmbed.cmake)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D HEADER=${header} "-DFILES=${entries}" -P ${script}
    DEPENDS ${script} ${files} WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} VERBATIM
    COMMENT "Embedding files of ${header}")
endfunction()
