# SPDX-License-Identifier: Apache-2.0
# flitmend_plotting_library with a stand-in for npm: a library that is fetched, npm that fails, npm that is missing.
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}/../../cmake)
include(FlitmendPlotting)

function(expect what actual wanted)
  if(NOT actual STREQUAL wanted)
    message(SEND_ERROR "FAILED: ${what}: expected '${wanted}', not '${actual}'")
  endif()
endfunction()

# npm BODY: what the stand-in does.
function(npm body)
  file(WRITE ${WORK}/npm "#!/bin/sh\necho \"$@\" >>${WORK}/calls\n${body}\n")
  file(CHMOD ${WORK}/npm PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/pinned)
file(WRITE ${WORK}/pinned/package.json "{}")
file(WRITE ${WORK}/pinned/package-lock.json "{\"version\": 1}")

set(FLITMEND_NPM ${WORK}/npm)
npm("exit 7")
flitmend_plotting_library(${WORK}/pinned ${WORK}/plotting plotting)
expect("npm that fails leaves nothing to embed" "${plotting}" "")

npm("for p in vega vega-lite d3 @x/y; do mkdir -p node_modules/$p; echo '{\"version\": \"1.2.3\"}' >node_modules/$p/package.json
  case $p in d3) echo 'Do as; you [like.' ;; *) echo 'Name us.' ;; esac >node_modules/$p/LICENSE; done")
flitmend_plotting_library(${WORK}/pinned ${WORK}/plotting plotting)
list(LENGTH plotting entries)
expect("once npm works, all parts are there" "${entries}" 3)
file(READ ${WORK}/plotting/LICENCES.txt licences)
expect("each licence is written once, with all packages that share it" "${licences}"
  "@x/y 1.2.3\nvega-lite 1.2.3\nvega 1.2.3\n\nName us.\n\n\nd3 1.2.3\n\nDo as; you [like.\n\n\n")

npm("exit 7")
flitmend_plotting_library(${WORK}/pinned ${WORK}/plotting plotting)
list(LENGTH plotting entries)
expect("what is there is not fetched again" "${entries}" 3)
file(WRITE ${WORK}/pinned/package-lock.json "{\"version\": 2}")
flitmend_plotting_library(${WORK}/pinned ${WORK}/plotting plotting)
expect("another lock file is" "${plotting}" "")
file(STRINGS ${WORK}/calls calls)
list(LENGTH calls count)
expect("npm was asked three times" "${count}" 3)
list(GET calls 0 call)
string(SUBSTRING "${call}" 0 20 call)
expect("from the lock file, without scripts of packages" "${call}" "ci --ignore-scripts ")

unset(FLITMEND_NPM)
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH FALSE)
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH FALSE)
flitmend_plotting_library(${WORK}/pinned ${WORK}/plotting plotting)
expect("without npm there is nothing to embed" "${plotting}" "")
