// The header is C++ too.
#include "libseveral.h"

int main() { return several_scalar(false) ? 0 : 1; }
