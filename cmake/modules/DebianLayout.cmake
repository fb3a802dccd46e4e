# Run by CPack on the files of a package before they are packed: Debian's Python
# looks for modules of packages in dist-packages, which a prefix of one's own
# doesn't have.

find_program(BACO_SHLIBDEPS dpkg-shlibdeps)
if(NOT BACO_SHLIBDEPS)
  # CPack would make a package without dependencies.
  message(FATAL_ERROR
    "dpkg-shlibdeps is missing: install dpkg-dev (scripts/setup.sh --all)")
endif()

set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}")
file(GLOB modules "${root}/lib/python3*/site-packages/*")
foreach(module IN LISTS modules)
  file(MAKE_DIRECTORY "${root}/lib/python3/dist-packages")
  cmake_path(GET module FILENAME name)
  file(RENAME "${module}" "${root}/lib/python3/dist-packages/${name}")
endforeach()
file(GLOB folders "${root}/lib/python3?*")
file(REMOVE_RECURSE ${folders})
