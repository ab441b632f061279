#include "porting.c"
