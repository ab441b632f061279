// Apple's older base classes of units include the Component Manager by this path from CoreServices.
#pragma GCC system_header
#include <AssertMacros.h>
#ifndef CARBONCORE_COMPONENTS_H
#define CARBONCORE_COMPONENTS_H
#include <AudioToolbox/ComponentManager.h>
#endif
