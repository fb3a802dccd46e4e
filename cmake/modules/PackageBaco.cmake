# The package for Debian: `cpack -G DEB` in the build folder, once everything is
# built. It has all that is installed, below /usr.
#
# Libraries that programs are linked with become dependencies by themselves
# (dpkg-shlibdeps, of dpkg-dev). No program starts others besides baco-worker,
# which is in the package. Recommended is what the documents use beside baco:
# MLIR's tools and a compiler for tuned modules, and the Python that the module
# is for.

include_guard()

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/baco RENAME copyright)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME baco)
set(CPACK_PACKAGE_VENDOR baco)
# Debian wants an address, and there is none.
set(CPACK_PACKAGE_CONTACT "The authors of baco <nobody@baco.invalid>" CACHE STRING
  "The maintainer of the package")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tuner of MLIR kernels and of programs")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"baco finds the tile sizes, loop orders, unroll factors, packings and fusions
that make code in MLIR fast on a machine, by Bayesian optimization. It
compiles, runs and checks each candidate, and writes a schedule in transform
IR that can be read, committed and replayed. It also tunes the parameters of
any program by a command that runs it.
.
The package has the tools, the plugin of mlir-opt, the module for Python, and
the search as a C++ library.")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)

set(recommended)
if(BACO_ENABLE_MLIR)
  # Linked by the name that llvm-22-dev has for it, of which dpkg-shlibdeps knows
  # nothing.
  set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libllvm22 (>= 1:${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR})")
  list(APPEND recommended mlir-22-tools clang-22)
endif()
if(BACO_PYTHON_VERSION)
  # The module has the interface of one version.
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" version ${BACO_PYTHON_VERSION})
  math(EXPR next "${CMAKE_MATCH_2} + 1")
  list(APPEND recommended "python3 (>= ${version})"
    "python3 (<< ${CMAKE_MATCH_1}.${next})")
endif()
list(JOIN recommended ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS)
# For journals as arrays, and for programs that use the library.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy, libsqlite3-dev, zlib1g-dev, cmake")

set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/DebianLayout.cmake)
include(CPack)
