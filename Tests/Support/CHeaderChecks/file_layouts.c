// Sizes and offsets of what passes between programs and the library in files, converters and devices. A line that
// does not compile names a structure whose shape has changed.
#include <AudioToolbox/AudioConverter.h>
#include <AudioToolbox/AudioFile.h>
#include <AudioToolbox/AudioFormat.h>
#include <AudioToolbox/AudioQueue.h>
#include <AudioToolbox/CAFFile.h>
#include <AudioToolbox/ExtendedAudioFile.h>
#include <CoreAudio/AudioHardware.h>
#include <CoreMIDI/MIDIServices.h>

#include "CHeaderChecks.h"

// Converter.
SIZE(AudioConverterPrimeInfo, 8);

// Format.
SIZE(AudioFormatListItem, 48);
AT(AudioFormatListItem, mChannelLayoutTag, 40);
SIZE(AudioFormatInfo, 56);
AT(AudioFormatInfo, mMagicCookieSize, 48);
SIZE(ExtendedAudioFormatInfo, 64);
AT(ExtendedAudioFormatInfo, mClassDescription, 52);
SIZE(AudioPanningInfo, 32);
AT(AudioPanningInfo, mOutputChannelMap, 24);
SIZE(AudioBalanceFade, 24);
AT(AudioBalanceFade, mChannelLayout, 16);

// File.
SIZE(AudioFilePermissions, 1);
SIZE(AudioFileTypeAndFormatID, 8);
SIZE(AudioFilePacketTableInfo, 16);
SIZE(AudioFramePacketTranslation, 24);
SIZE(AudioBytePacketTranslation, 24);
SIZE(AudioPacketRangeByteCountTranslation, 24);
SIZE(AudioPacketRollDistanceTranslation, 16);
SIZE(AudioIndependentPacketTranslation, 16);
SIZE(AudioPacketDependencyInfoTranslation, 16);
SIZE(AudioFile_SMPTE_Time, 8);
SIZE(AudioFileMarker, 40);
AT(AudioFileMarker, mSMPTETime, 20);
AT(AudioFileMarker, mChannel, 34);
AT(AudioFileMarkerList, mMarkers, 8);
AT(AudioFileRegion, mMarkers, 24);
AT(AudioFileRegionList, mRegions, 8);

// Chunks of a CAF file: nothing padded.
SIZE(CAFFileHeader, 8);
SIZE(CAFChunkHeader, 12);
SIZE(CAFAudioDescription, 32);
AT(CAFPacketTableHeader, mPacketDescriptions, 24);
SIZE(CAFMarker, 28);
SIZE(CAFInstrumentChunk, 28);
SIZE(CAFStringID, 12);
SIZE(CAFPositionPeak, 12);
SIZE(CAFOverviewSample, 4);
SIZE(CAFUMIDChunk, 64);
SIZE(CAF_UUID_ChunkHeader, 28);

// Queue.
SIZE(AudioQueueBuffer, 56);
AT(AudioQueueBuffer, mPacketDescriptionCount, 48);

// Devices.
SIZE(AudioObjectPropertyAddress, 12);
SIZE(AudioStreamRangedDescription, 56);

// MIDI: packed to four bytes.
AT(MIDIPacket, data, 10);
AT(MIDIPacketList, packet, 4);
AT(MIDIEventPacket, words, 12);
AT(MIDIEventList, packet, 8);

// Values that a trigraph or a slip would change.
_Static_assert(kAudioConverterErr_OperationNotSupported == 1869627199, "op??");
_Static_assert(kAudioFileOperationNotSupportedError == 1869627199, "op??");
_Static_assert(kAudioConverterErr_FormatNotSupported == 1718449215, "fmt?");
_Static_assert(kAudioFileInvalidFileError == 1685348671, "dta?");
