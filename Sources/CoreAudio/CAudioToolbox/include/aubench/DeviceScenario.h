// The simulated hardware as tests drive it: what happens to it, and when. Not of Apple's interface; see
// docs/scenarios.md.
#ifndef AUBENCH_DEVICESCENARIO_H
#define AUBENCH_DEVICESCENARIO_H
#pragma GCC system_header

#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

// Follows a scenario file from its beginning on; what runs is stopped. NULL: follows none any more.
// kAudio_FileNotFoundError or kAudio_ParamError for a file that is not there or wrong; standard error then says why.
extern OSStatus AUBenchDeviceFollowScenario(const char *_Nullable inPath);

// Lets the time of a scenario whose clock is "told" go on: whole cycles, those that begin within so many seconds.
// Returns when all their callbacks have been called. kAudio_ParamError without such a scenario, or from within a
// callback.
extern OSStatus AUBenchDeviceAdvance(Float64 inSeconds);

// Declares from within a callback what it costs, seconds; adds up over a cycle.
extern void AUBenchDeviceSpend(Float64 inSeconds);

// Device time of the scenario, seconds; 0 without one.
extern Float64 AUBenchDeviceGetSeconds(void);

// Nanoseconds: the machine's monotonic clock, or that of a scenario whose clock is not the wall's.
extern UInt64 AUBenchHostTime(void);

CA_HEADER_END

#endif
