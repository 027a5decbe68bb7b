# tessera_add_tablegen(<target> TD <path below include/> KIND <kind> [OUT <stem>] [NAME <dialect or pass group>])
#
# Runs mlir-tblgen over one .td file. The output lands beside the .td's path below <build>/include, so that
# include/tessera-ir/Dialect/Tile/IR/TileOps.td gives "tessera-ir/Dialect/Tile/IR/TileOps.h.inc" and "TileOps.cpp.inc".
# Kinds: dialect, ops, types, attrs, enums, op-interfaces, attr-interfaces, type-interfaces, passes.
# OUT replaces the stem, for a .td that holds several kinds. NAME is the -dialect= of types and attrs, or the -name= of
# passes.
function(tessera_add_tablegen target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TD;KIND;OUT;NAME" "")
  set(source ${PROJECT_SOURCE_DIR}/include/${ARG_TD})
  cmake_path(GET ARG_TD PARENT_PATH folder)
  cmake_path(GET ARG_TD STEM stem)
  if(ARG_OUT)
    set(stem ${ARG_OUT})
  endif()
  set(out ${PROJECT_BINARY_DIR}/include/${folder}/${stem})

  if(ARG_KIND STREQUAL "dialect")
    set(generators -gen-dialect-decls -gen-dialect-defs)
  elseif(ARG_KIND STREQUAL "ops")
    set(generators -gen-op-decls -gen-op-defs)
  elseif(ARG_KIND STREQUAL "types")
    set(generators -gen-typedef-decls -gen-typedef-defs)
  elseif(ARG_KIND STREQUAL "attrs")
    set(generators -gen-attrdef-decls -gen-attrdef-defs)
  elseif(ARG_KIND STREQUAL "enums")
    set(generators -gen-enum-decls -gen-enum-defs)
  elseif(ARG_KIND STREQUAL "op-interfaces")
    set(generators -gen-op-interface-decls -gen-op-interface-defs)
  elseif(ARG_KIND STREQUAL "attr-interfaces")
    set(generators -gen-attr-interface-decls -gen-attr-interface-defs)
  elseif(ARG_KIND STREQUAL "type-interfaces")
    set(generators -gen-type-interface-decls -gen-type-interface-defs)
  elseif(ARG_KIND STREQUAL "passes")
    set(generators -gen-pass-decls)
  else()
    message(FATAL_ERROR "tessera_add_tablegen(${target}): unknown KIND ${ARG_KIND}")
  endif()

  set(name_option "")
  if(ARG_NAME AND ARG_KIND STREQUAL "passes")
    set(name_option -name=${ARG_NAME})
  elseif(ARG_NAME AND ARG_KIND STREQUAL "types")
    set(name_option --typedefs-dialect=${ARG_NAME})
  elseif(ARG_NAME AND ARG_KIND STREQUAL "attrs")
    set(name_option --attrdefs-dialect=${ARG_NAME})
  elseif(ARG_NAME AND ARG_KIND STREQUAL "dialect")
    set(name_option -dialect=${ARG_NAME})
  endif()

  set(suffixes h.inc cpp.inc)
  set(outputs "")
  foreach(generator suffix IN ZIP_LISTS generators suffixes)
    if(NOT generator)
      continue()  # passes have declarations only
    endif()
    set(output ${out}.${suffix})
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${TESSERA_TBLGEN} ${generator} ${name_option} ${source} -o ${output} --write-if-changed -d ${output}.d
              -I ${PROJECT_SOURCE_DIR}/include -I ${TESSERA_LLVM_ROOT}/include
      DEPENDS ${source} ${TESSERA_TBLGEN}
      DEPFILE ${output}.d
      COMMENT "Generating ${folder}/${stem} (${generator})"
      VERBATIM)
    list(APPEND outputs ${output})
  endforeach()
  add_custom_target(${target} DEPENDS ${outputs})
endfunction()

# tessera_add_reference(<page> TD <path below include/> GENERATORS <mlir-tblgen option>...)
#
# Keeps docs/reference/<page>.md equal to what mlir-tblgen writes about one .td file. Target `reference` rewrites the
# pages in the source tree; the test reference.<page> fails when a page lags behind.
add_custom_target(reference)
function(tessera_add_reference page)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TD" "GENERATORS")
  set(source ${PROJECT_SOURCE_DIR}/include/${ARG_TD})
  set(fresh ${PROJECT_BINARY_DIR}/reference/${page}.md)
  set(kept ${PROJECT_SOURCE_DIR}/docs/reference/${page}.md)
  add_custom_command(
    OUTPUT ${fresh}
    COMMAND ${TESSERA_TBLGEN} ${ARG_GENERATORS} ${source} -o ${fresh} -d ${fresh}.d
            -I ${PROJECT_SOURCE_DIR}/include -I ${TESSERA_LLVM_ROOT}/include
    DEPENDS ${source} ${TESSERA_TBLGEN}
    DEPFILE ${fresh}.d
    COMMENT "Writing the reference page ${page}"
    VERBATIM)
  add_custom_target(reference-${page} ALL DEPENDS ${fresh})
  add_custom_target(reference-${page}-keep
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${fresh} ${kept}
    DEPENDS ${fresh} VERBATIM)
  add_dependencies(reference reference-${page}-keep)
  if(TESSERA_TESTS)
    add_test(NAME reference.${page} COMMAND ${CMAKE_COMMAND} -E compare_files ${fresh} ${kept})
    set_tests_properties(reference.${page} PROPERTIES LABELS docs)
  endif()
endfunction()
