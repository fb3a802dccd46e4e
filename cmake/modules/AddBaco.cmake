# Target helpers of the build. The names say on which side of the MLIR line
# (docs/Rationale.md) a target lives.

include_guard()

# Everything of ours is compiled with these.
add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffp-contract=off
  -fno-math-errno)

# Headers of the standard library that most files below the MLIR line include.
# Parsing them takes a third of the time of a build. As above the line, only
# the headers of others are precompiled.
set(BACO_PURE_HEADERS
  <algorithm>
  <cmath>
  <cstdint>
  <functional>
  <map>
  <memory>
  <optional>
  <set>
  <span>
  <string>
  <string_view>
  <variant>
  <vector>
  <baco/Support/CheckedJson.h>
)

# Precompiles these headers for `target`, or uses what was precompiled for
# `first`, a target with the same flags. HEADERS come on top; with any, the
# target has headers of its own.
function(baco_precompile_headers target first)
  cmake_parse_arguments(ARG "" "" "HEADERS" ${ARGN})
  # ccache compares the bytes of precompiled headers.
  target_compile_options(${target} PRIVATE
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  if(target STREQUAL first OR ARG_HEADERS)
    target_precompile_headers(${target} PRIVATE ${BACO_PURE_HEADERS}
      ${ARG_HEADERS})
  else()
    target_precompile_headers(${target} REUSE_FROM ${first})
  endif()
endfunction()

function(baco_common_flags target)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  separate_arguments(arch UNIX_COMMAND "${BACO_ARCH_FLAGS}")
  target_compile_options(${target} PRIVATE ${arch})
  if(BACO_SANITIZE)
    # What AddressSanitizer finds isn't looked for twice: a third of the time of a
    # build.
    target_compile_options(${target} PRIVATE -fsanitize=${BACO_SANITIZE}
      -fno-sanitize=null,object-size,pointer-overflow,vptr -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${BACO_SANITIZE})
  endif()
endfunction()

# add_baco_pure_library(<name> <source>... [PUBLIC <lib>...] [PRIVATE <lib>...]
#                       [HEADERS <header>...])
# A static library below the MLIR line: no LLVM, no MLIR. HEADERS are
# precompiled.
function(add_baco_pure_library name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE;HEADERS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(Baco::${name} ALIAS ${name})
  baco_common_flags(${name})
  target_link_libraries(${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  baco_precompile_headers(${name} BacoSupport HEADERS ${ARG_HEADERS})
endfunction()

# add_baco_unittest(<name> <source>... LIBS <lib>... [HEADERS <header>...])
# A GoogleTest program in <build>/unittests; lit finds it by its name's ending.
function(add_baco_unittest name)
  cmake_parse_arguments(ARG "" "" "LIBS;HEADERS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  baco_common_flags(${name})
  # What tests call is what takes their time.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest
    GTest::gtest_main)
  add_dependencies(baco-unittests ${name})
  # Those above the MLIR line have headers and flags of their own.
  if(MLIR_FOUND)
    baco_precompile_mlir_headers(${name} BacoLoopNestTests <gtest/gtest.h>)
  else()
    if(name STREQUAL SupportTests)
      set(ARG_HEADERS <gtest/gtest.h>)
    elseif(ARG_HEADERS)
      list(APPEND ARG_HEADERS <gtest/gtest.h>)
    endif()
    baco_precompile_headers(${name} SupportTests HEADERS ${ARG_HEADERS})
  endif()
  if(NOT BACO_ENABLE_MLIR)
    # With MLIR, lit runs the unit tests together with its own.
    add_test(NAME ${name} COMMAND ${name})
  endif()
endfunction()
