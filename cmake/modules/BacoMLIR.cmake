# Finds MLIR 22 and sets up what is above the MLIR line.

include_guard()

find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
# The version file of Debian's package refuses find_package(MLIR 22).
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "baco needs LLVM and MLIR 22, but ${MLIR_DIR} has "
    "${LLVM_PACKAGE_VERSION}: pass -DMLIR_DIR=<prefix>/lib/cmake/mlir")
endif()
message(STATUS "Using MLIR ${LLVM_PACKAGE_VERSION} from ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/lib)
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR})
# Debian's LLVM doesn't say where it is.
set(LLVM_TABLEGEN_EXE ${LLVM_TOOLS_BINARY_DIR}/llvm-tblgen)
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# mlir_tablegen looks for .td files here.
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

# Most of the time of a build goes into reading these, so that it is done once:
# a file takes a fifth of the time. -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON checks
# that each file includes what it uses.
set(BACO_PRECOMPILED_HEADERS
  <llvm/ADT/StringExtras.h>
  <llvm/ADT/TypeSwitch.h>
  <mlir/Dialect/Affine/IR/AffineOps.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/GPU/IR/GPUDialect.h>
  <mlir/Dialect/LLVMIR/NVVMDialect.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/SparseTensor/IR/SparseTensor.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/Transform/IR/TransformOps.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>
  <mlir/IR/Builders.h>
  <mlir/IR/SymbolTable.h>
  <mlir/Pass/PassManager.h>
)

# Precompiles these headers, and further ones, for `target`, or uses what was
# precompiled for `first`, a target with the same flags.
function(baco_precompile_mlir_headers target first)
  # ccache compares the bytes of precompiled headers.
  target_compile_options(${target} PRIVATE
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  if(target STREQUAL first)
    target_precompile_headers(${target} PRIVATE ${BACO_PRECOMPILED_HEADERS}
      ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${first})
  endif()
endfunction()

function(baco_mlir_flags target)
  target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS}
    ${MLIR_INCLUDE_DIRS})
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
  # Debian's MLIR has no exceptions.
  target_compile_options(${target} PRIVATE -fno-exceptions)
  separate_arguments(definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_definitions(${target} PRIVATE ${definitions})
  # Each file has a type of its own.
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD_CODE_AFTER_INCLUDE "#undef DEBUG_TYPE")
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    # What was precompiled for libraries serves only code that could be in one.
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  baco_precompile_mlir_headers(${target} BacoIR)
endfunction()

# add_baco_library(<name> <source>... [LLVM_SOURCES <source>...]
#                  [DEPENDS <target>...] [LINK_LIBS <lib>...])
# A static library above the MLIR line. It doesn't link MLIR itself: tools link
# the shared library, and the plugin takes the symbols of the tool that loads it.
# In LLVM_SOURCES Value and Type are LLVM's: unity builds compile these apart.
function(add_baco_library name)
  cmake_parse_arguments(ARG "" "" "LLVM_SOURCES;DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set(parts ${name})
  if(ARG_LLVM_SOURCES)
    add_library(${name}OnLLVM OBJECT ${ARG_LLVM_SOURCES})
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}OnLLVM>)
    list(APPEND parts ${name}OnLLVM)
  endif()
  foreach(part ${parts})
    baco_mlir_flags(${part})
    if(ARG_DEPENDS)
      add_dependencies(${part} ${ARG_DEPENDS})
    endif()
    target_link_libraries(${part} PUBLIC ${ARG_LINK_LIBS})
  endforeach()
endfunction()

# add_baco_tool(<name> <source>... LINK_LIBS <lib>... [NO_INSTALL])
function(add_baco_tool name)
  cmake_parse_arguments(ARG "NO_INSTALL" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  baco_mlir_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  set_target_properties(${name} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  if(NOT ARG_NO_INSTALL)
    install(TARGETS ${name})
  endif()
endfunction()
