// Compiles the headers once as C, so that a mistake in them is found here and not in a user's program.
#include <AudioToolbox/AudioToolbox.h>
