# Finds everything the build needs. What is missing stops the configuration with one apt-get line for all of it.

set(TESSERA_LLVM_ROOT /usr/lib/llvm-22 CACHE PATH "Where LLVM, MLIR and LLD 22 are installed")

set(_missing "")

# tessera_require(<Debian package> <condition...>) notes the package as missing unless the condition holds.
macro(tessera_require package)
  if(NOT (${ARGN}))
    list(APPEND _missing ${package})
  endif()
endmacro()

set(_llvm_tools ${TESSERA_LLVM_ROOT}/bin)
tessera_require(llvm-22-dev EXISTS ${TESSERA_LLVM_ROOT}/lib/cmake/llvm/LLVMConfig.cmake)
tessera_require(libmlir-22-dev EXISTS ${TESSERA_LLVM_ROOT}/lib/cmake/mlir/MLIRConfig.cmake)
tessera_require(mlir-22-tools EXISTS ${_llvm_tools}/mlir-tblgen)
tessera_require(liblld-22-dev EXISTS ${TESSERA_LLVM_ROOT}/lib/liblldELF.a)
tessera_require(libpolly-22-dev EXISTS ${TESSERA_LLVM_ROOT}/lib/libPolly.a)
tessera_require(lld-22 EXISTS ${_llvm_tools}/ld.lld)

find_package(Threads REQUIRED)
# Archives, so that our shared libraries need nothing but the C++ runtime.
find_library(TESSERA_ZLIB_ARCHIVE NAMES libz.a)
tessera_require(zlib1g-dev TESSERA_ZLIB_ARCHIVE)
find_path(TESSERA_ZSTD_INCLUDE zstd.h)
find_library(TESSERA_ZSTD_ARCHIVE NAMES libzstd.a)
tessera_require(libzstd-dev TESSERA_ZSTD_INCLUDE AND TESSERA_ZSTD_ARCHIVE)
find_package(fmt QUIET)
tessera_require(libfmt-dev fmt_FOUND)
find_package(CLI11 QUIET)
tessera_require(libcli11-dev CLI11_FOUND)
find_package(nlohmann_json QUIET)
tessera_require(nlohmann-json3-dev nlohmann_json_FOUND)
find_path(TESSERA_XXHASH_INCLUDE xxhash.h)
tessera_require(libxxhash-dev TESSERA_XXHASH_INCLUDE)

if(TESSERA_TESTS)
  find_package(GTest QUIET)
  tessera_require(libgtest-dev TARGET GTest::gtest)
  tessera_require(libgmock-dev TARGET GTest::gmock)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  tessera_require(python3 Python3_Interpreter_FOUND)
  tessera_require(llvm-22-tools EXISTS ${_llvm_tools}/lit AND EXISTS ${_llvm_tools}/FileCheck)
endif()
if(TESSERA_BENCH)
  find_package(benchmark QUIET)
  tessera_require(libbenchmark-dev benchmark_FOUND)
  find_library(TESSERA_OPENBLAS openblas)
  tessera_require(libopenblas-dev TESSERA_OPENBLAS)
endif()
if(TESSERA_SANITIZE OR TESSERA_FUZZ)
  file(GLOB _compiler_rt ${TESSERA_LLVM_ROOT}/lib/clang/22/lib/*/libclang_rt.fuzzer*.a)
  tessera_require(libclang-rt-22-dev _compiler_rt)
endif()

if(_missing)
  list(REMOVE_DUPLICATES _missing)
  list(JOIN _missing " " _missing)
  message(FATAL_ERROR "Packages are missing. Install them with:\n  apt-get install -y ${_missing}\n")
endif()

# The archives behind libtessera.so, named in one linker script: members are loaded on demand and unused sections
# dropped, so that naming all of them costs seconds and no bytes. MLIR's own CMake targets are not used, since they
# would pull in the shared libLLVM.so.
file(GLOB _archives ${TESSERA_LLVM_ROOT}/lib/libMLIR*.a ${TESSERA_LLVM_ROOT}/lib/libLLVM*.a)
list(FILTER _archives EXCLUDE REGEX "TestPass|libMLIRTest|libMLIRCAPI|libMLIRShardTest|libLLVMTesting")
list(APPEND _archives
  ${TESSERA_LLVM_ROOT}/lib/liblldELF.a ${TESSERA_LLVM_ROOT}/lib/liblldCommon.a
  ${TESSERA_LLVM_ROOT}/lib/libPolly.a ${TESSERA_LLVM_ROOT}/lib/libPollyISL.a)
list(JOIN _archives "\n  " _archives)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/llvm-archives.ld CONTENT "GROUP(\n  @_archives@\n)\n" @ONLY)

add_library(tessera_mlir INTERFACE)
target_include_directories(tessera_mlir SYSTEM INTERFACE ${TESSERA_LLVM_ROOT}/include)
target_link_libraries(tessera_mlir INTERFACE
  ${PROJECT_BINARY_DIR}/llvm-archives.ld ${TESSERA_ZLIB_ARCHIVE} ${TESSERA_ZSTD_ARCHIVE} Threads::Threads ${CMAKE_DL_LIBS} m)

# Small libraries of every room, fmt and xxHash as headers only.
add_library(tessera_small_libraries INTERFACE)
target_include_directories(tessera_small_libraries SYSTEM INTERFACE ${TESSERA_XXHASH_INCLUDE} ${TESSERA_ZSTD_INCLUDE})
target_compile_definitions(tessera_small_libraries INTERFACE XXH_INLINE_ALL)
target_link_libraries(tessera_small_libraries INTERFACE fmt::fmt-header-only nlohmann_json::nlohmann_json
  ${TESSERA_ZSTD_ARCHIVE} Threads::Threads)

set(TESSERA_TBLGEN ${_llvm_tools}/mlir-tblgen)
set(TESSERA_LIT ${_llvm_tools}/lit)
