# The installed package: find_package(Baco) gives Baco::BacoSearchTechniques,
# Baco::BacoStudy, Baco::BacoFormat and Baco::BacoSourceKernel, with what they
# are made of.

include_guard()
include(CMakePackageConfigHelpers)

set(BACO_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Baco)

install(TARGETS BacoSupport BacoExpression BacoSpace BacoSearch BacoSearchRivals
  BacoSearchTechniques BacoFormat BacoDatabase BacoReport BacoStudy
  BacoSparse BacoProtocol BacoVerification BacoDevice BacoRuntime BacoMeasure
  BacoFinals BacoCommand BacoSourceKernel
  EXPORT BacoTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT BacoTargets
  NAMESPACE Baco::
  DESTINATION ${BACO_PACKAGE_DIR})

install(DIRECTORY
  ${PROJECT_SOURCE_DIR}/include/baco/Support
  ${PROJECT_SOURCE_DIR}/include/baco/Expression
  ${PROJECT_SOURCE_DIR}/include/baco/Space
  ${PROJECT_SOURCE_DIR}/include/baco/Format
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/baco
  FILES_MATCHING PATTERN "*.h"
  # They need nlohmann-json, which users may not have.
  PATTERN CheckedJson.h EXCLUDE
  PATTERN Json.h EXCLUDE)
# Those that speak standard types: Eigen's alignment, and with it the layout of
# what the other headers declare, depends on the instruction set of whoever
# includes them, and the libraries are compiled for one of their own.
foreach(header
    BacoOptions MultiObjectiveSearch ObjectiveOrder Optimizer SearchProgress
    StopCondition TransferSource TrialHistory)
  install(FILES ${PROJECT_SOURCE_DIR}/include/baco/Search/${header}.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/baco/Search)
endforeach()
install(
  FILES ${PROJECT_SOURCE_DIR}/include/baco/Search/Techniques/OptimizerFactory.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/baco/Search/Techniques)

install(FILES
  ${PROJECT_SOURCE_DIR}/include/baco/Database/Final.h
  ${PROJECT_SOURCE_DIR}/include/baco/Database/Journal.h
  ${PROJECT_SOURCE_DIR}/include/baco/Database/Trial.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/baco/Database)
install(FILES
  ${PROJECT_SOURCE_DIR}/include/baco/Study/AskTell.h
  ${PROJECT_SOURCE_DIR}/include/baco/Study/Evaluator.h
  ${PROJECT_SOURCE_DIR}/include/baco/Study/Objectives.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/baco/Study)
install(FILES ${PROJECT_SOURCE_DIR}/include/baco/SourceKernel/KernelEvaluator.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/baco/SourceKernel)
# What kernels are measured with.
install(FILES
  ${PROJECT_SOURCE_DIR}/include/baco/Measure/Comparer.h
  ${PROJECT_SOURCE_DIR}/include/baco/Measure/Rounds.h
  ${PROJECT_SOURCE_DIR}/include/baco/Measure/Statistics.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/baco/Measure)
install(FILES
  ${PROJECT_SOURCE_DIR}/include/baco/Protocol/Candidate.h
  ${PROJECT_SOURCE_DIR}/include/baco/Protocol/Options.h
  ${PROJECT_SOURCE_DIR}/include/baco/Protocol/Samples.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/baco/Protocol)
install(FILES
  ${PROJECT_SOURCE_DIR}/include/baco/Sparse/CoordinateTensor.h
  ${PROJECT_SOURCE_DIR}/include/baco/Sparse/Storage.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/baco/Sparse)

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/modules/BacoConfig.cmake.in
  ${PROJECT_BINARY_DIR}/BacoConfig.cmake
  INSTALL_DESTINATION ${BACO_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/BacoConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/BacoConfig.cmake
  ${PROJECT_BINARY_DIR}/BacoConfigVersion.cmake
  DESTINATION ${BACO_PACKAGE_DIR})
