// The umbrella header: everything of the Audio Unit system.
#ifndef AUDIOTOOLBOX_AUDIOTOOLBOX_H
#define AUDIOTOOLBOX_AUDIOTOOLBOX_H
#include <stdint.h>
#endif
