// Programs include this for the base types, result codes and CoreFoundation; nothing else of it is here.
#ifndef APPLICATIONSERVICES_APPLICATIONSERVICES_H
#define APPLICATIONSERVICES_APPLICATIONSERVICES_H
#pragma GCC system_header
#include <CoreServices/CoreServices.h>
#endif
