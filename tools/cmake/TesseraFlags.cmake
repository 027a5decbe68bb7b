# Flags shared by every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# -fPIC for programs too, so that they can use the precompiled header of the libraries.
add_compile_options(-fPIC -Wall -Wextra -ffunction-sections -fdata-sections)
# The build id is part of the key of every compiled kernel.
add_link_options(-fuse-ld=lld -Wl,--gc-sections -Wl,--as-needed -Wl,--build-id=sha1)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-B${TESSERA_LLVM_ROOT}/bin)  # where g++ finds lld
endif()
if(TESSERA_WERROR)
  # libstdc++ 12 uses names that it deprecates itself, which clang reports through a precompiled header.
  add_compile_options(-Werror -Wno-error=deprecated-declarations)
endif()
if(TESSERA_ASSERTIONS)
  add_compile_definitions(TESSERA_ASSERTIONS=1)
endif()

if(TESSERA_SANITIZE)
  set(_sanitize -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_compile_options(${_sanitize})
  add_link_options(${_sanitize})
endif()
if(TESSERA_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(TESSERA_CCACHE)
  find_program(TESSERA_CCACHE_PROGRAM ccache)
  if(TESSERA_CCACHE_PROGRAM)
    # What ccache must overlook to cache files that use a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${TESSERA_CCACHE_PROGRAM})
  endif()
endif()
if(TESSERA_PCH AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(CMAKE_PCH_INSTANTIATE_TEMPLATES ON)
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()
