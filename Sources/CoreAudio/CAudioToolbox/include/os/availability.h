// The third name under which sources ask for the availability marks.
#pragma GCC system_header
#include <Availability.h>
