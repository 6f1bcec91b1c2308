# find_package(Comb): comb in a compiler that is built with CMake.
#
# Targets:
#   Comb::comb     the dialect, the passes and the C API (libcomb_plugin.so),
#                  with MLIR's and LLVM's shared libraries
#   Comb::mlir-c   MLIR's own C API, for programs that call it
#   Comb::runtime  what compiled programs call (libcomb_runtime.so)
#
# Variables:
#   COMB_INCLUDE_DIR   headers, and .td files for TableGen
#   COMB_LIBRARY_DIR, COMB_BINARY_DIR
#   COMB_PLUGIN        the library as mlir-opt's --load-…-plugin takes it
#
# Works from a checkout after ./x build (-DComb_DIR=<checkout>/cmake) and from
# an installed prefix (-DCMAKE_PREFIX_PATH=<prefix>).

include("${CMAKE_CURRENT_LIST_DIR}/CombLocation.cmake")

set(COMB_LLVM_MAJOR 22)
set(COMB_PLUGIN "${COMB_LIBRARY_DIR}/libcomb_plugin.so")

if(NOT EXISTS "${COMB_PLUGIN}")
  set(Comb_FOUND FALSE)
  set(Comb_NOT_FOUND_MESSAGE
      "${COMB_PLUGIN} does not exist. In a checkout, run ./x build first.")
  return()
endif()

# MLIR of the same major version, with its shared library. Where several LLVMs
# are installed, CMake does not look into /usr/lib/llvm-22 by itself.
include(CMakeFindDependencyMacro)
find_dependency(MLIR CONFIG HINTS "/usr/lib/llvm-${COMB_LLVM_MAJOR}/lib/cmake/mlir")
if(NOT LLVM_VERSION_MAJOR EQUAL COMB_LLVM_MAJOR)
  set(Comb_FOUND FALSE)
  set(Comb_NOT_FOUND_MESSAGE
      "comb is built for LLVM ${COMB_LLVM_MAJOR}, but MLIR_DIR is ${MLIR_DIR} \
(LLVM ${LLVM_VERSION}). Set -DMLIR_DIR to the cmake folder of MLIR ${COMB_LLVM_MAJOR}.")
  return()
endif()
if(NOT TARGET MLIR)
  set(Comb_FOUND FALSE)
  set(Comb_NOT_FOUND_MESSAGE
      "the MLIR in ${MLIR_DIR} has no shared library libMLIR.so, which comb is \
linked to.")
  return()
endif()

if(CMAKE_CXX_COMPILER_LOADED
   AND NOT (CMAKE_CXX_COMPILER_ID STREQUAL "Clang"
            AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL COMB_LLVM_MAJOR))
  message(WARNING
    "comb and libMLIR are compiled by clang++-${COMB_LLVM_MAJOR}, this project by "
    "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}. MLIR's fallback type "
    "ids are spelled differently by other compilers. Set "
    "-DCMAKE_CXX_COMPILER=clang++-${COMB_LLVM_MAJOR}.")
endif()

if(NOT TARGET Comb::comb)
  add_library(Comb::comb SHARED IMPORTED)
  set_target_properties(Comb::comb PROPERTIES
    IMPORTED_LOCATION "${COMB_PLUGIN}"
    IMPORTED_SONAME "libcomb_plugin.so")
  target_include_directories(Comb::comb SYSTEM INTERFACE
    "${COMB_INCLUDE_DIR}" ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_link_libraries(Comb::comb INTERFACE MLIR LLVM)
endif()

# Debian has MLIR's C API as static archives only, whose CMake targets pull in a
# second, static MLIR. The archives alone are thin, and use libMLIR.so.
if(NOT TARGET Comb::mlir-c)
  add_library(Comb::mlir-c INTERFACE IMPORTED)
  if(TARGET MLIR-C)
    target_link_libraries(Comb::mlir-c INTERFACE MLIR-C)
  else()
    file(GLOB _comb_archives "${LLVM_LIBRARY_DIR}/libMLIRCAPI*.a")
    target_link_libraries(Comb::mlir-c INTERFACE
      -Wl,--start-group ${_comb_archives} -Wl,--end-group MLIR LLVM stdc++)
    unset(_comb_archives)
  endif()
  target_include_directories(Comb::mlir-c SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS})
endif()

if(NOT TARGET Comb::runtime AND EXISTS "${COMB_LIBRARY_DIR}/libcomb_runtime.so")
  add_library(Comb::runtime SHARED IMPORTED)
  set_target_properties(Comb::runtime PROPERTIES
    IMPORTED_LOCATION "${COMB_LIBRARY_DIR}/libcomb_runtime.so"
    IMPORTED_NO_SONAME TRUE
    INTERFACE_INCLUDE_DIRECTORIES "${COMB_INCLUDE_DIR}")
endif()

set(Comb_FOUND TRUE)
