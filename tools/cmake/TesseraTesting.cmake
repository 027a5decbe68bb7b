# Helpers that register tests. Every case is one ctest entry, so that ctest's closing line counts cases. All of them run
# in the environment of test/environment.cmake.in.

if(TESSERA_TESTS)
  include(GoogleTest)
endif()

# tessera_add_unit_test(<name> SOURCES <file>... [DEPS <target>...] [LABEL <label>] [TIMEOUT <seconds>]
#                       [DEVICES <device>... | FILTER <cases>])
#
# A GoogleTest binary. DEPS are rooms (the runtime's come as the shared library) or tessera::tessera for a test that
# uses only what users see. Its cases appear in ctest as <name>.<suite>.<case>. With DEVICES they run once for each, as
# Device::current(), and appear as <name>.<device>.<suite>.<case>; a device `cpu:x86-64-v2` is `cpu` with TESSERA_CPU set.
# FILTER is what --gtest_filter takes.
function(tessera_add_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "LABEL;TIMEOUT;FILTER" "SOURCES;DEPS;DEVICES")
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "tessera_add_unit_test(${name}): needs SOURCES")
  endif()
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/test)
  tessera_link(${name} PRIVATE ${ARG_DEPS} GTest::gmock GTest::gtest GTest::gtest_main)
  if(NOT ARG_DEVICES)
    gtest_discover_tests(${name}
      TEST_PREFIX ${name}.
      TEST_FILTER "${ARG_FILTER}"
      DISCOVERY_MODE PRE_TEST
      DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
  endif()
  foreach(device IN LISTS ARG_DEVICES)
    set(environment TESSERA_DEVICE=${device})
    if(device MATCHES "^cpu:(.+)$")
      set(environment TESSERA_DEVICE=cpu TESSERA_CPU=${CMAKE_MATCH_1})
    endif()
    gtest_discover_tests(${name}
      TEST_PREFIX ${name}.${device}.
      TEST_LIST ${name}_${device}_TESTS
      DISCOVERY_MODE PRE_TEST
      DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${environment}")
  endforeach()
endfunction()

# tessera_add_lit_tests(<folder> TOOLS <target>...)
#
# Registers every .mlir file below a folder of test/ as one ctest entry, lit.<path>. A new file is found by the next
# build.
function(tessera_add_lit_tests folder)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "TOOLS")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS
    RELATIVE ${PROJECT_SOURCE_DIR}/test ${PROJECT_SOURCE_DIR}/test/${folder}/*.mlir)
  foreach(file IN LISTS files)
    add_test(NAME lit.${file} COMMAND ${TESSERA_LIT} -v --skip-test-time-recording ${PROJECT_BINARY_DIR}/test/${file})
    set_tests_properties(lit.${file} PROPERTIES LABELS lit)
  endforeach()
endfunction()

# tessera_add_compile_fail_test(<name> <file> EXPECT <regex>)
#
# Passes when the file, seen as a user's source, does not compile and the compiler's words match.
function(tessera_add_compile_fail_test name file)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "EXPECT" "")
  add_test(NAME compile-fail.${name}
    COMMAND ${CMAKE_COMMAND}
      -DCOMPILER=${CMAKE_CXX_COMPILER} -DINCLUDE=${PROJECT_SOURCE_DIR}/include
      -DFILE=${CMAKE_CURRENT_SOURCE_DIR}/${file} -DEXPECT=${ARG_EXPECT}
      -P ${PROJECT_SOURCE_DIR}/tools/cmake/ExpectCompileFailure.cmake)
  set_tests_properties(compile-fail.${name} PROPERTIES LABELS compile-fail)
endfunction()

# tessera_add_fuzzer(<name> SOURCES <file>... DEPS <target>... [CORPUS <folder>] [RUNS <n>])
#
# A libFuzzer binary, built only with TESSERA_FUZZ. Its ctest entry replays the seed corpus and adds a few runs; long
# sessions start the binary by hand.
function(tessera_add_fuzzer name)
  if(NOT TESSERA_FUZZ)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "CORPUS;RUNS" "SOURCES;DEPS")
  if(NOT ARG_RUNS)
    set(ARG_RUNS 2000)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  tessera_link(${name} PRIVATE ${ARG_DEPS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  cmake_path(ABSOLUTE_PATH ARG_CORPUS)
  set(found ${CMAKE_CURRENT_BINARY_DIR}/${name}-found)  # the first folder takes what the fuzzer finds
  file(MAKE_DIRECTORY ${found})
  add_test(NAME fuzz.${name}
    COMMAND ${name} -seed=1 -runs=${ARG_RUNS} ${found} ${ARG_CORPUS})
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz)
endfunction()
