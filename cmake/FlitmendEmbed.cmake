# SPDX-License-Identifier: Apache-2.0
# Writes a C++ source file that holds files as strings: cmake -D OUTPUT=… -D HEADER=… -D "FILES=NAME=FILE;…" -P … HEADER
# declares `extern const std::string_view NAME;` in namespace flitmend::assets. NAME= without a file is an empty string.
set(source "#include \"${HEADER}\"\n\nnamespace flitmend::assets {\n\n")
foreach(entry IN LISTS FILES)
  string(REGEX MATCH "^([a-z_]+)=(.*)$" matched "${entry}")
  set(name ${CMAKE_MATCH_1})
  set(file "${CMAKE_MATCH_2}")
  set(text "")
  if(file)
    file(READ "${file}" text)
  endif()
  # In a page these would end a script, or hide its end.
  if(text MATCHES "</[sS][cC][rR][iI][pP][tT]" OR text MATCHES "<!--")
    message(FATAL_ERROR "${file} cannot be embedded in a page, because it contains </script or <!--")
  endif()
  string(APPEND source "static constexpr char k_${name}[] = R\"~flitmend~(${text})~flitmend~\";\n"
    "const std::string_view ${name}(k_${name}, sizeof k_${name} - 1);\n\n")
endforeach()
string(APPEND source "}  // namespace flitmend::assets\n")
file(WRITE ${OUTPUT} "${source}")
