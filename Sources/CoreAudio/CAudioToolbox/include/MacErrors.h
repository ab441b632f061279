// The classic result codes, under the name of the Mac's header for them; those of references to files are in Files.h.
#pragma GCC system_header
#include <CoreServices/Files.h>
#include <MacTypes.h>
