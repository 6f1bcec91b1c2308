# The version of the comb that CombConfig.cmake finds, as its headers state it.
# Before 1.0, minor versions are incompatible.

include("${CMAKE_CURRENT_LIST_DIR}/CombLocation.cmake")

if(EXISTS "${COMB_INCLUDE_DIR}/comb/Version.h")
  file(STRINGS "${COMB_INCLUDE_DIR}/comb/Version.h" _comb_version
       REGEX "^#define COMB_VERSION \"")
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" PACKAGE_VERSION "${_comb_version}")
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" _comb_series "${PACKAGE_VERSION}")
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" _comb_wanted "${PACKAGE_FIND_VERSION}.0")
  if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION
     OR NOT _comb_series STREQUAL _comb_wanted)
    set(PACKAGE_VERSION_COMPATIBLE FALSE)
  else()
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
    if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
      set(PACKAGE_VERSION_EXACT TRUE)
    endif()
  endif()
  unset(_comb_version)
  unset(_comb_series)
  unset(_comb_wanted)
else()
  set(PACKAGE_VERSION "none: comb is not built")
  set(PACKAGE_VERSION_UNSUITABLE TRUE)
endif()
