# Installs the two libraries, the public headers, and what find_package(tessera) and pkg-config read.
include(CMakePackageConfigHelpers)

set_target_properties(tessera_runtime PROPERTIES EXPORT_NAME runtime)
set_target_properties(tessera tessera_runtime PROPERTIES INSTALL_RPATH "$ORIGIN")

install(TARGETS tessera tessera_runtime EXPORT tesseraTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
set_target_properties(tessera-bundle tessera-cache tessera-tune PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
install(TARGETS tessera-bundle tessera-cache tessera-tune RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tessera)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tessera
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN plans EXCLUDE PATTERN decisions EXCLUDE)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
install(EXPORT tesseraTargets NAMESPACE tessera:: FILE tesseraTargets.cmake DESTINATION ${package})
configure_package_config_file(tools/cmake/tesseraConfig.cmake.in tesseraConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(tesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
  tools/cmake/TesseraBundle.cmake DESTINATION ${package})

# Relative to the file itself, so that an installed copy may be moved.
file(RELATIVE_PATH TESSERA_PC_PREFIX
  ${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/+$" "" TESSERA_PC_PREFIX "${TESSERA_PC_PREFIX}")
configure_file(tools/cmake/tessera.pc.in tessera.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tessera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
