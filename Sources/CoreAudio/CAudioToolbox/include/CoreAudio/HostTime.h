// Host time: nanoseconds of the machine's monotonic clock, so that the conversions change nothing. Any thread.
#ifndef COREAUDIO_HOSTTIME_H
#define COREAUDIO_HOSTTIME_H
#pragma GCC system_header

#include <CoreAudioTypes/CoreAudioTypes.h>
#include <mach/mach_time.h>

CA_HEADER_BEGIN

static inline UInt64 AudioGetCurrentHostTime(void) { return (UInt64)mach_absolute_time(); }

// Ticks a second.
static inline Float64 AudioGetHostClockFrequency(void) { return 1000000000.0; }

// Ticks between two readings that differ.
static inline UInt32 AudioGetHostClockMinimumTimeDelta(void) { return 1; }

static inline UInt64 AudioConvertHostTimeToNanos(UInt64 inHostTime) { return inHostTime; }

static inline UInt64 AudioConvertNanosToHostTime(UInt64 inNanos) { return inNanos; }

CA_HEADER_END

#endif
