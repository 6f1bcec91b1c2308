# Where comb's libraries and headers are: next to this folder in a checkout, or
# under the prefix that ./x install was given.

if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/../Cargo.toml")
  get_filename_component(COMB_ROOT "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
  if(DEFINED ENV{CARGO_TARGET_DIR})
    set(COMB_LIBRARY_DIR "$ENV{CARGO_TARGET_DIR}/release")
  else()
    set(COMB_LIBRARY_DIR "${COMB_ROOT}/target/release")
  endif()
  set(COMB_BINARY_DIR "${COMB_LIBRARY_DIR}")
  set(COMB_INCLUDE_DIR "${COMB_LIBRARY_DIR}/include")
else()
  get_filename_component(COMB_ROOT "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  set(COMB_BINARY_DIR "${COMB_ROOT}/bin")
  set(COMB_LIBRARY_DIR "${COMB_ROOT}/lib")
  set(COMB_INCLUDE_DIR "${COMB_ROOT}/include")
endif()
