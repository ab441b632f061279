// Programs include this for the base types, result codes and CoreFoundation; nothing else of it is here.
#ifndef CARBON_CARBON_H
#define CARBON_CARBON_H
#pragma GCC system_header
#include <ApplicationServices/ApplicationServices.h>
#endif
