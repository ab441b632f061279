// Programs include this for the base types, result codes and CoreFoundation. Besides, there are references to files,
// byte order, and the function for the system's version, which device code calls before it sets properties.
#pragma GCC system_header
// In front of the guard: a source that includes this header behind the porting prelude gets what that left out.
#include <AssertMacros.h>
#ifndef CORESERVICES_CORESERVICES_H
#define CORESERVICES_CORESERVICES_H
#include <AudioToolbox/AudioComponent.h>
#include <CoreAudioTypes/CoreAudioTypes.h>
#include <CoreServices/Endian.h>
#include <CoreServices/Files.h>
#include <MacTypes.h>

CA_HEADER_BEGIN

CF_ENUM(OSType) {
  gestaltSystemVersion = 'sysv',       // 0x10MB, at most 0x109B
  gestaltSystemVersionMajor = 'sys1',  // these three in plain numbers
  gestaltSystemVersionMinor = 'sys2',
  gestaltSystemVersionBugFix = 'sys3'
};

// A number that sources take from here without saying so.
extern const double pi;

CF_ENUM(OSErr) { gestaltUndefSelectorErr = -5551 };

// Answers for version 10.15.7, whose interface this is.
static inline OSErr Gestalt(OSType selector, SInt32 *response) {
  if (!response) { return -50; }
  switch (selector) {
    case gestaltSystemVersion: *response = 0x1097; return 0;
    case gestaltSystemVersionMajor: *response = 10; return 0;
    case gestaltSystemVersionMinor: *response = 15; return 0;
    case gestaltSystemVersionBugFix: *response = 7; return 0;
    default: return gestaltUndefSelectorErr;
  }
}

CA_HEADER_END

#endif
