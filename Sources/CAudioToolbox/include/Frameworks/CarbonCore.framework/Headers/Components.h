// Apple's older base classes of units include the Component Manager by this path from CoreServices.
#ifndef CARBONCORE_COMPONENTS_H
#define CARBONCORE_COMPONENTS_H
#pragma GCC system_header
#include <AudioToolbox/ComponentManager.h>
#endif
