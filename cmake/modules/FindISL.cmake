# Finds isl with its C++ bindings, for linking it statically and privately:
# target Baco::isl.
#
# Why not simply libisl.so: Debian's libLLVM.so exports the isl that Polly
# brings along, some 14900 symbols of another version under the same names.
# With both in a process, calls of one would bind to the other, and crash. So
# the archive is linked into each program or plugin, and its symbols are kept
# out of the dynamic tables (--exclude-libs): then our calls bind to our copy
# when we link, and nobody else's ever do.
#
# Debian compiles the archive for executables (-fPIE). The one thing in it that
# a shared object can't take is how it reads `stderr`, so a copy of the archive
# is made that reads `baco_isl_stderr`, which lib/Polyhedral/Context.cpp
# defines.
#
# What isl does is counted, and limited, by lib/Polyhedral/Context.cpp: calls of
# the functions that go over the coefficients of a constraint are redirected to
# it.
#
# Which archive: the isl that comes with Polly (libpolly-22-dev) keeps small
# numbers in words and takes two thirds of the time of Debian's own, which asks
# GMP for each. Its interface is that of isl 0.25 and some functions more, so
# the headers are those of libisl-dev, which alone has the C++ bindings.

include(FindPackageHandleStandardArgs)

find_path(ISL_INCLUDE_DIR isl/cpp.h)
find_library(ISL_ARCHIVE NAMES libPollyISL.a libisl.a NAMES_PER_DIR
  HINTS /usr/lib/llvm-22/lib)
set(needed ISL_ARCHIVE ISL_INCLUDE_DIR CMAKE_OBJCOPY)
set(ISL_NUMBERS)
if(NOT ISL_ARCHIVE MATCHES "PollyISL")
  find_library(GMP_LIBRARY gmp)
  list(APPEND needed GMP_LIBRARY)
  set(ISL_NUMBERS ${GMP_LIBRARY})
endif()
find_package_handle_standard_args(ISL
  REQUIRED_VARS ${needed}
  REASON_FAILURE_MESSAGE
  "isl 0.25 or later with isl/cpp.h, libPollyISL.a (or libisl.a and gmp) and objcopy are needed: on Debian, apt-get install libisl-dev libpolly-22-dev binutils")
mark_as_advanced(ISL_INCLUDE_DIR ISL_ARCHIVE GMP_LIBRARY)

if(ISL_FOUND AND NOT TARGET Baco::isl)
  set(archive ${PROJECT_BINARY_DIR}/lib/libbaco_isl.a)
  add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_OBJCOPY} --redefine-sym stderr=baco_isl_stderr
      ${ISL_ARCHIVE} ${archive}
    DEPENDS ${ISL_ARCHIVE}
    COMMENT "Making isl fit for shared objects" VERBATIM)
  add_custom_target(baco_isl_archive DEPENDS ${archive})
  set(counted)
  foreach(name first_non_zero eq cpy normalize inner_product combine)
    list(APPEND counted "LINKER:--wrap=isl_seq_${name}")
  endforeach()
  add_library(Baco::isl STATIC IMPORTED GLOBAL)
  add_dependencies(Baco::isl baco_isl_archive)
  set_target_properties(Baco::isl PROPERTIES
    IMPORTED_LOCATION ${archive}
    INTERFACE_INCLUDE_DIRECTORIES ${ISL_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "${ISL_NUMBERS}"
    INTERFACE_LINK_OPTIONS "LINKER:--exclude-libs,libbaco_isl.a;${counted}")
endif()
