# Compiles FILE with COMPILER and the folders INCLUDE for its syntax only, and fails unless the compiler refuses it with words matching EXPECT.
list(TRANSFORM INCLUDE PREPEND -I)
execute_process(
  COMMAND ${COMPILER} -std=c++20 -fsyntax-only ${INCLUDE} ${FILE}
  RESULT_VARIABLE status OUTPUT_VARIABLE words ERROR_VARIABLE words)
if(status EQUAL 0)
  message(FATAL_ERROR "${FILE} compiles, but should not")
endif()
if(NOT words MATCHES "${EXPECT}")
  message(FATAL_ERROR "${FILE} does not compile, but for another reason. Expected: ${EXPECT}\nGot:\n${words}")
endif()
