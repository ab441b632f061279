// The constants that headers declare and that are no macros.
#include <CoreServices/CoreServices.h>

const double pi = 3.14159265358979323846;
