# SPDX-License-Identifier: Apache-2.0
# The plotting library that reports embed: Vega and Vega-Lite, in the versions pinned by package-lock.json in
# exploration/report/plotting, fetched by npm. Nothing of it is committed.

# flitmend_plotting_library(FOLDER WORK RESULT): runs npm ci in WORK for the lock file of FOLDER, once per version of
# that file, and sets RESULT to a list NAME=FILE of the files to embed. If npm is absent or cannot reach its registry,
# warns and sets RESULT to "": everything works except `flitmend report`.
function(flitmend_plotting_library folder work result)
  set(${result} "" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/package.json ${folder}/package-lock.json)
  file(SHA256 ${folder}/package-lock.json wanted)
  set(installed "")
  if(EXISTS ${work}/installed)
    file(READ ${work}/installed installed)
  endif()
  if(NOT installed STREQUAL wanted)
    find_program(FLITMEND_NPM npm DOC "npm, which fetches the plotting library of reports")
    if(NOT FLITMEND_NPM)
      message(WARNING "npm is not installed (Debian: apt-get install npm): flitmend report will draw nothing and say so")
      return()
    endif()
    message(STATUS "Fetching the plotting library of reports (npm ci)")
    file(REMOVE_RECURSE ${work})
    file(COPY ${folder}/package.json ${folder}/package-lock.json DESTINATION ${work})
    execute_process(
      COMMAND ${FLITMEND_NPM} ci --ignore-scripts --omit=dev --no-audit --no-fund --no-progress --loglevel=error --fetch-retries=1
      WORKING_DIRECTORY ${work} RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said TIMEOUT 300)
    if(NOT status EQUAL 0)
      message(WARNING "npm could not fetch the plotting library (${status}): flitmend report will draw nothing and say so; "
                      "configure again once npm works. It said:\n${said}")
      return()
    endif()
    flitmend_collect_licences(${work}/node_modules ${work}/LICENCES.txt)
    file(WRITE ${work}/installed ${wanted})
  endif()
  set(${result} vega=${work}/node_modules/vega/build/vega.min.js
                vega_lite=${work}/node_modules/vega-lite/build/vega-lite.min.js
                licences=${work}/LICENCES.txt PARENT_SCOPE)
endfunction()

# The licences of all packages below a folder node_modules; a text shared by several packages is written once.
function(flitmend_collect_licences node_modules output)
  file(GLOB licences RELATIVE ${node_modules} ${node_modules}/*/LICENSE* ${node_modules}/@*/*/LICENSE*)
  set(texts "")
  foreach(licence IN LISTS licences)
    file(SHA256 ${node_modules}/${licence} text)
    get_filename_component(package ${licence} DIRECTORY)
    file(READ ${node_modules}/${package}/package.json description)
    string(JSON version GET "${description}" version)
    list(APPEND texts ${text})
    string(APPEND packages_${text} "${package} ${version}\n")
    set(file_${text} ${node_modules}/${licence})
  endforeach()
  list(REMOVE_DUPLICATES texts)
  file(WRITE ${output} "")
  foreach(text IN LISTS texts)
    file(READ ${file_${text}} words)
    file(APPEND ${output} "${packages_${text}}\n${words}\n\n")
  endforeach()
endfunction()
