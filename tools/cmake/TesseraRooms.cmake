# Rooms: the folders of lib/, each a static library on a floor. A room may link only rooms on lower floors, which
# repeats for CMake what the include check says for headers.
#
# tessera_add_room(<Target> FLOOR <n> [SOURCES <file>...] [DEPS <room>...] [NEIGHBOURS <room>...]
#                  [TABLEGEN <target>...] [RUNTIME])
#
# NEIGHBOURS are the rooms on its own floor that the include check lets it use.
# RUNTIME marks the rooms of libtessera_runtime.so: they see neither LLVM nor MLIR. Every other room sees both, shares
# one precompiled header, and reaches the runtime rooms through the shared library, never through their archives.
# A room without sources yet is an interface library, so that others can already name it.

set_property(GLOBAL PROPERTY TESSERA_RUNTIME_ROOMS "")
set_property(GLOBAL PROPERTY TESSERA_COMPILER_ROOMS "")

add_library(tessera_room_headers INTERFACE)
target_include_directories(tessera_room_headers INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib)
target_include_directories(tessera_room_headers SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/include)
target_link_libraries(tessera_room_headers INTERFACE tessera_small_libraries)

# The precompiled MLIR headers, built once for all rooms and tests that see MLIR.
if(TESSERA_PCH)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/tessera_pch.cpp CONTENT "// Holds the precompiled MLIR headers.\n")
  add_library(tessera_pch OBJECT ${PROJECT_BINARY_DIR}/tessera_pch.cpp)
  target_link_libraries(tessera_pch PRIVATE tessera_room_headers tessera_mlir)
  target_precompile_headers(tessera_pch PRIVATE ${PROJECT_SOURCE_DIR}/tools/cmake/MlirHeaders.h)
endif()

# tessera_link(<target> <PUBLIC|PRIVATE> <room or library>...)
#
# Links a target of ours. Rooms of the runtime come as libtessera_runtime.so; a target that names a room of the compiler
# sees MLIR and uses its precompiled header.
function(tessera_link target scope)
  get_property(runtime_rooms GLOBAL PROPERTY TESSERA_RUNTIME_ROOMS)
  get_property(compiler_rooms GLOBAL PROPERTY TESSERA_COMPILER_ROOMS)
  set(sees_mlir OFF)
  foreach(dep IN LISTS ARGN)
    if(dep IN_LIST runtime_rooms)
      target_link_libraries(${target} ${scope} tessera_room_headers tessera_runtime)
    else()
      target_link_libraries(${target} ${scope} ${dep})
    endif()
    if(dep STREQUAL "tessera_mlir" OR dep IN_LIST compiler_rooms)
      set(sees_mlir ON)
    endif()
  endforeach()
  if(sees_mlir AND TESSERA_PCH)
    target_precompile_headers(${target} REUSE_FROM tessera_pch)
  endif()
endfunction()

# Stops unless every room that follows stands on a floor below that of the room, or where <relation> is EQUAL on its floor.
function(tessera_check_floors room floor relation)
  foreach(dep IN LISTS ARGN)
    if(NOT TARGET ${dep})
      message(FATAL_ERROR "${room} depends on ${dep}, which is not a room declared before it")
    endif()
    get_target_property(dep_floor ${dep} TESSERA_FLOOR)
    if(NOT dep_floor MATCHES "^[0-9]+$")
      message(FATAL_ERROR "${room} depends on ${dep}, which is not a room")
    elseif(NOT dep_floor ${relation} floor)
      message(FATAL_ERROR "${room} (floor ${floor}) depends on ${dep} (floor ${dep_floor}): "
        "DEPS stand on lower floors, NEIGHBOURS on the same one")
    endif()
  endforeach()
endfunction()

function(tessera_add_room room)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "RUNTIME" "FLOOR" "SOURCES;DEPS;NEIGHBOURS;TABLEGEN")
  if(ARG_UNPARSED_ARGUMENTS OR NOT DEFINED ARG_FLOOR)
    message(FATAL_ERROR "tessera_add_room(${room}): needs FLOOR, does not know '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  tessera_check_floors(${room} ${ARG_FLOOR} LESS ${ARG_DEPS})
  tessera_check_floors(${room} ${ARG_FLOOR} EQUAL ${ARG_NEIGHBOURS})

  if(NOT ARG_SOURCES)
    add_library(${room} INTERFACE)
    set_target_properties(${room} PROPERTIES TESSERA_FLOOR ${ARG_FLOOR})
    target_link_libraries(${room} INTERFACE tessera_room_headers)
    return()
  endif()

  add_library(${room} STATIC ${ARG_SOURCES})
  set_target_properties(${room} PROPERTIES TESSERA_FLOOR ${ARG_FLOOR})
  target_link_libraries(${room} PUBLIC tessera_room_headers)
  if(ARG_TABLEGEN)
    add_dependencies(${room} ${ARG_TABLEGEN})
  endif()
  if(ARG_RUNTIME)
    # The compiler's rooms use these through the shared library; its version script keeps all but `tessera` inside.
    set_target_properties(${room} PROPERTIES CXX_VISIBILITY_PRESET default)
    target_link_libraries(${room} PUBLIC ${ARG_DEPS})
    set_property(GLOBAL APPEND PROPERTY TESSERA_RUNTIME_ROOMS ${room})
    return()
  endif()
  tessera_link(${room} PUBLIC ${ARG_DEPS} ${ARG_NEIGHBOURS} tessera_runtime tessera_mlir)
  set_property(GLOBAL APPEND PROPERTY TESSERA_COMPILER_ROOMS ${room})
endfunction()

# tessera_add_library(<target> ROOMS <room>... EXPORTS <version script> [DEPS <library>...] [INNER <library>...])
#
# Makes a shared library of whole rooms. Only what the version script names can be seen from outside. Users of it link
# DEPS too; INNER is linked into it.
function(tessera_add_library target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "EXPORTS" "ROOMS;DEPS;INNER")
  set(anchor ${PROJECT_BINARY_DIR}/${target}.cpp)
  file(CONFIGURE OUTPUT ${anchor} CONTENT "// The contents of lib${target}.so are the rooms linked into it.\n")
  add_library(${target} SHARED ${anchor})
  foreach(room IN LISTS ARG_ROOMS)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${room}>)
  endforeach()
  target_link_libraries(${target} PRIVATE ${ARG_INNER} PUBLIC ${ARG_DEPS})
  target_include_directories(${target} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_link_options(${target} PRIVATE -Wl,--version-script=${ARG_EXPORTS})
  if(NOT TESSERA_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,-z,defs)  # the sanitizers' own symbols come from the program
  endif()
  set_target_properties(${target} PROPERTIES
    LINK_DEPENDS ${ARG_EXPORTS} VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

# tessera_add_tool(<name> SOURCES <file>... [DEPS <room or library>...])
function(tessera_add_tool name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;DEPS")
  add_executable(${name} ${ARG_SOURCES})
  tessera_link(${name} PRIVATE ${ARG_DEPS})
endfunction()
