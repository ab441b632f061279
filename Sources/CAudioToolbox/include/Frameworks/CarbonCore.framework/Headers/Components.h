// Apple's older base classes of units include the Component Manager by this path from CoreServices.
#ifndef CARBONCORE_COMPONENTS_H
#define CARBONCORE_COMPONENTS_H
#include <AudioToolbox/ComponentManager.h>
#endif
