// A Mac's name of the functions on characters.
#pragma GCC system_header
#include <ctype.h>
