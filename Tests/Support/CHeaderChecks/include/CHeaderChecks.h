// Macros for the checks of the C interface's headers. The checks are all done by the compiler: nothing is to be called.
#ifndef CHEADERCHECKS_H
#define CHEADERCHECKS_H

#include <stddef.h>

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has another size")
#define AT(type, field, bytes) \
  _Static_assert(offsetof(type, field) == (bytes), #type "." #field " lies elsewhere")

#endif
