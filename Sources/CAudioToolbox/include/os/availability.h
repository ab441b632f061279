// The third name under which sources ask for the availability marks.
#include <Availability.h>
