# Examples, documents, schemas of files, completion for shells, and pages of the manual, if Debian's help2man is
# there: the last two know what --help of the programs says, and nothing else.

include_guard()

set(programs baco)
if(BACO_ENABLE_MLIR)
  list(APPEND programs baco-tune-driver baco-worker)
endif()

# Shells look for a file by the name of the program.
foreach(program IN LISTS programs)
  install(FILES ${PROJECT_SOURCE_DIR}/tools/completion/baco.bash
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions
    RENAME ${program})
  install(FILES ${PROJECT_SOURCE_DIR}/tools/completion/baco.fish
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d
    RENAME ${program}.fish)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/tools/completion/_baco
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/vendor-completions)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/baco USE_SOURCE_PERMISSIONS)
# The documents name each other, and files of examples/ beside them.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/baco
  FILES_MATCHING PATTERN "*.md" PATTERN notes EXCLUDE PATTERN schemas EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/baco)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/schemas
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/baco)

find_program(HELP2MAN help2man)
mark_as_advanced(HELP2MAN)
if(NOT HELP2MAN)
  return()
endif()

set(pages)
# The page NAME of what `PROGRAM [COMMAND] --help` prints.
function(add_man_page name program command summary)
  set(page ${PROJECT_BINARY_DIR}/man/${name}.1)
  string(TOUPPER ${name} title)
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
    # An empty command would be a word of its own.
    COMMAND ${HELP2MAN} --no-info "--name=${summary}"
      "--help-option=$<JOIN:${command};--help, >"
      "--version-string=${PROJECT_VERSION}" --output=${page}
      $<TARGET_FILE:${program}>
    # It names a page after the program, without the command.
    COMMAND sed -i -E "s/^[.]TH [^ ]+ /.TH ${title} /; /^[.]SH NAME/{n;s/^[^ ]+ /${name} /}" ${page}
    DEPENDS ${program} VERBATIM)
  set(pages ${pages} ${page} PARENT_SCOPE)
endfunction()

add_man_page(baco baco "" "tuner of programs; its studies, spaces and tensors")
add_man_page(baco-tune baco tune "tune a program by a command that runs it")
add_man_page(baco-serve baco serve "tune a program that asks for candidates")
add_man_page(baco-space baco space "files of search spaces")
add_man_page(baco-study baco study "databases of trials")
add_man_page(baco-report baco report "what a database of trials knows, as a page")
add_man_page(baco-tensor baco tensor "sparse tensors")
add_man_page(baco-cluster baco cluster "workers on other machines")
add_man_page(baco-doctor baco doctor "what limits measuring on a machine")
if(BACO_ENABLE_MLIR)
  add_man_page(baco-worker baco-worker "" "worker of a cluster of tuners")
  add_man_page(baco-tune-driver baco-tune-driver "" "tuner of the kernels of an MLIR file")
endif()

add_custom_target(baco-man ALL DEPENDS ${pages})
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
