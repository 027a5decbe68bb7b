# tessera_add_bundle(<name> SOURCES <file>... TARGETS <target>... [RECORDS <file>...] [LINK <library>...])
#
# Compiles kernels ahead of time, with no device present. SOURCES hold the kernels and a function
#
#   void bundle(tessera::Bundler &b)   // #include <tessera/runtime/Bundler.h>
#
# that adds them; they are built into a program, which runs whenever they change and compiles for every one of TARGETS:
# cuda:sm_90a, cuda:sm_80+ptx, hip:gfx942, cpu:x86-64-v3 ... RECORDS are files of tuning records to take along, LINK what
# the sources link beside tessera::tessera.
#
# Makes the library <name>: who links it gets <name>.h and <name>_c.h, which declare the kernels for C++ and C, the
# bundle as a part of the program, and tessera::runtime, but no compiler. The bundle's file is its property
# TESSERA_BUNDLE, for programs that load files instead.
function(tessera_add_bundle name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;TARGETS;RECORDS;LINK")
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SOURCES OR NOT ARG_TARGETS)
    message(FATAL_ERROR
      "tessera_add_bundle(${name}): needs SOURCES and TARGETS, does not know '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}-bundle)
  set(main ${folder}/${name}_main.cpp)
  file(CONFIGURE OUTPUT ${main} CONTENT [[
#include <tessera/runtime/Bundler.h>

void bundle(tessera::Bundler &bundler);

int main(int argc, char **argv) { return tessera::run_bundler(argc, argv, bundle); }
]])
  add_executable(${name}-bundler ${ARG_SOURCES} ${main})
  target_link_libraries(${name}-bundler PRIVATE tessera::tessera ${ARG_LINK})

  set(options --name ${name} --out ${folder})
  foreach(target IN LISTS ARG_TARGETS)
    list(APPEND options --target ${target})
  endforeach()
  set(records)
  foreach(file IN LISTS ARG_RECORDS)
    cmake_path(ABSOLUTE_PATH file)
    list(APPEND options --records ${file})
    list(APPEND records ${file})
  endforeach()
  set(file ${folder}/${name}.tbundle)
  set(made ${file} ${folder}/${name}.h ${folder}/${name}_c.h ${folder}/${name}_bundle.cpp)
  add_custom_command(OUTPUT ${made}
    COMMAND ${name}-bundler ${options}
    DEPENDS ${name}-bundler ${records}
    COMMENT "Bundling ${name} for ${ARG_TARGETS}"
    VERBATIM)

  add_library(${name} STATIC ${made})
  set_source_files_properties(${folder}/${name}_bundle.cpp PROPERTIES OBJECT_DEPENDS ${file})
  set_target_properties(${name} PROPERTIES TESSERA_BUNDLE ${file})
  target_include_directories(${name} INTERFACE ${folder})
  target_link_libraries(${name} INTERFACE tessera::runtime)
  # The headers name the bundle weakly, which alone would not take it out of the library.
  target_link_options(${name} INTERFACE LINKER:-u,tessera_bundle_${name}_begin)
endfunction()
