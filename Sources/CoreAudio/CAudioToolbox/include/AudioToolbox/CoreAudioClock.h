// Clocks that sync with MIDI and audio devices: types and constants alone. Nothing implements the functions yet, so
// none is declared, and a program that calls one fails to compile with its name.
#ifndef AUDIOTOOLBOX_COREAUDIOCLOCK_H
#define AUDIOTOOLBOX_COREAUDIOCLOCK_H
#pragma GCC system_header

#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

typedef struct OpaqueCAClock *CAClockRef;
typedef UInt32 CAClockPropertyID;
typedef Float64 CAClockBeats;
typedef Float64 CAClockSamples;
typedef Float64 CAClockSeconds;
typedef Float64 CAClockTempo;  // beats a minute
typedef UInt32 CAClockSMPTEFormat;

typedef CA_NAMED_ENUM(UInt32, CAClockTimeFormat) {
  kCAClockTimeFormat_HostTime = 'host',
  kCAClockTimeFormat_Samples = 'samp',
  kCAClockTimeFormat_Beats = 'beat',
  kCAClockTimeFormat_Seconds = 'secs',
  kCAClockTimeFormat_SMPTESeconds = 'smps',
  kCAClockTimeFormat_SMPTETime = 'smpt',
  kCAClockTimeFormat_AbsoluteSeconds = 'asec'
};

typedef struct CAClockTime {
  CAClockTimeFormat format;
  UInt32 reserved;
  union {
    UInt64 hostTime;
    CAClockSamples samples;
    CAClockBeats beats;
    CAClockSeconds seconds;
    SMPTETime smpte;
  } time;
} CAClockTime;

CA_HEADER_END

#endif
