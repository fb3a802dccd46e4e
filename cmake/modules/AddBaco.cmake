# Target helpers of the build. The names say on which side of the MLIR line
# (docs/Rationale.md) a target lives.

include_guard()

# Everything of ours is compiled with these.
add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffp-contract=off
  -fno-math-errno)

function(baco_common_flags target)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  separate_arguments(arch UNIX_COMMAND "${BACO_ARCH_FLAGS}")
  target_compile_options(${target} PRIVATE ${arch})
  if(BACO_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${BACO_SANITIZE}
      -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${BACO_SANITIZE})
  endif()
endfunction()

# add_baco_pure_library(<name> <source>... [PUBLIC <lib>...] [PRIVATE <lib>...])
# A static library below the MLIR line: no LLVM, no MLIR.
function(add_baco_pure_library name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(Baco::${name} ALIAS ${name})
  baco_common_flags(${name})
  target_link_libraries(${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
endfunction()

# add_baco_unittest(<name> <source>... LIBS <lib>...)
# A GoogleTest program in <build>/unittests; lit finds it by its name's ending.
function(add_baco_unittest name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  baco_common_flags(${name})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest
    GTest::gtest_main)
  add_dependencies(baco-unittests ${name})
  if(NOT BACO_ENABLE_MLIR)
    # With MLIR, lit runs the unit tests together with its own.
    add_test(NAME ${name} COMMAND ${name})
  endif()
endfunction()
