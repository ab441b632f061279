// Converts between two stream formats: PCM to PCM (encoding, channels, interleaving, rate), and to or from a codec.
// A converter takes one call at a time: a fill that meets another answers 'op??'.
#ifndef AUDIOTOOLBOX_AUDIOCONVERTER_H
#define AUDIOTOOLBOX_AUDIOCONVERTER_H
#pragma GCC system_header

#include <CoreAudioTypes/CoreAudioTypes.h>

CA_HEADER_BEGIN

typedef struct OpaqueAudioConverter *AudioConverterRef;
typedef UInt32 AudioConverterPropertyID;

// MARK: Properties

CF_ENUM(AudioConverterPropertyID) {
  kAudioConverterPropertyMinimumInputBufferSize = 'mibs',   // UInt32, bytes
  kAudioConverterPropertyMinimumOutputBufferSize = 'mobs',  // UInt32, bytes
  kAudioConverterPropertyMaximumInputBufferSize = 'xibs',   // UInt32, bytes; deprecated
  kAudioConverterPropertyMaximumInputPacketSize = 'xips',   // UInt32, bytes
  kAudioConverterPropertyMaximumOutputPacketSize = 'xops',  // UInt32, bytes
  kAudioConverterPropertyCalculateInputBufferSize = 'cibs',   // UInt32: in, output bytes; out, input bytes for them
  kAudioConverterPropertyCalculateOutputBufferSize = 'cobs',  // UInt32: in, input bytes; out, output bytes of them
  kAudioConverterPropertyInputCodecParameters = 'icdp',
  kAudioConverterPropertyOutputCodecParameters = 'ocdp',
  kAudioConverterSampleRateConverterComplexity = 'srca',  // OSType, one of ..Complexity_ below
  kAudioConverterSampleRateConverterAlgorithm = 'srci',   // OSType; deprecated, the former name of complexity
  kAudioConverterSampleRateConverterQuality = 'srcq',     // UInt32, 0 to 127
  kAudioConverterSampleRateConverterInitialPhase = 'srcp',  // Float64, 0 <= x < 1
  kAudioConverterCodecQuality = 'cdqu',                     // UInt32, 0 to 127
  kAudioConverterPrimeMethod = 'prmm',                      // UInt32, kConverterPrimeMethod_
  kAudioConverterPrimeInfo = 'prim',                        // AudioConverterPrimeInfo
  kAudioConverterChannelMap = 'chmp',  // SInt32 for each output channel: the input channel, or -1 for silence
  kAudioConverterDecompressionMagicCookie = 'dmgc',
  kAudioConverterCompressionMagicCookie = 'cmgc',
  kAudioConverterEncodeBitRate = 'brat',               // UInt32, bits a second
  kAudioConverterEncodeAdjustableSampleRate = 'ajsr',  // Float64, hertz; where the output rate was given as 0
  kAudioConverterInputChannelLayout = 'icl ',          // AudioChannelLayout
  kAudioConverterOutputChannelLayout = 'ocl ',         // AudioChannelLayout
  kAudioConverterApplicableEncodeBitRates = 'aebr',    // AudioValueRange[]
  kAudioConverterAvailableEncodeBitRates = 'vebr',     // AudioValueRange[]
  kAudioConverterApplicableEncodeSampleRates = 'aesr',     // AudioValueRange[]
  kAudioConverterAvailableEncodeSampleRates = 'vesr',      // AudioValueRange[]
  kAudioConverterAvailableEncodeChannelLayoutTags = 'aecl',  // AudioChannelLayoutTag[]
  kAudioConverterCurrentOutputStreamDescription = 'acod',    // AudioStreamBasicDescription, completed
  kAudioConverterCurrentInputStreamDescription = 'acid',     // AudioStreamBasicDescription, completed
  kAudioConverterPropertySettings = 'acps',                  // CFArrayRef
  kAudioConverterPropertyBitDepthHint = 'acbd',              // SInt32, bits; negative: the source is float
  kAudioConverterPropertyFormatList = 'flst',                // AudioFormatListItem[]
  kAudioConverterPropertyPerformDownmix = 'dmix',            // UInt32: 1 mixes inputs to outputs; 0, the default, maps them
  kAudioConverterPropertyChannelMixMap = 'mmap',  // Float32 for each input and output: gains of 0 to 1, a row for each input
  kAudioConverterPropertyDithering = 'dith',                 // UInt32: 0 for none, or kDitherAlgorithm_
  kAudioConverterPropertyDitherBitDepth = 'dbit',            // UInt32, bits
  kAudioConverterPropertyCanResumeFromInterruption = 'crfi'  // UInt32; iOS
};

CF_ENUM(UInt32) {
  kAudioConverterQuality_Max = 127,
  kAudioConverterQuality_High = 96,
  kAudioConverterQuality_Medium = 64,
  kAudioConverterQuality_Low = 32,
  kAudioConverterQuality_Min = 0
};

CF_ENUM(UInt32) {
  kAudioConverterSampleRateConverterComplexity_Linear = 'line',
  kAudioConverterSampleRateConverterComplexity_Normal = 'norm',  // the default
  kAudioConverterSampleRateConverterComplexity_Mastering = 'bats',
  kAudioConverterSampleRateConverterComplexity_MinimumPhase = 'minp'
};

CF_ENUM(UInt32) {
  kConverterPrimeMethod_Pre = 0,
  kConverterPrimeMethod_Normal = 1,  // the default
  kConverterPrimeMethod_None = 2
};

CF_ENUM(UInt32) {
  kDitherAlgorithm_TPDF = 1,
  kDitherAlgorithm_NoiseShaping = 2
};

// Input frames that the converter needs before and after those of the output.
typedef struct AudioConverterPrimeInfo {
  UInt32 leadingFrames;
  UInt32 trailingFrames;
} AudioConverterPrimeInfo;

// MARK: Errors

// The values that end in two question marks are in hexadecimal: between quotes they would hold a trigraph.
CF_ENUM(OSStatus) {
  kAudioConverterErr_FormatNotSupported = 'fmt?',
  kAudioConverterErr_OperationNotSupported = 0x6F703F3F,
  kAudioConverterErr_PropertyNotSupported = 'prop',
  kAudioConverterErr_InvalidInputSize = 'insz',
  kAudioConverterErr_InvalidOutputSize = 'otsz',
  kAudioConverterErr_UnspecifiedError = 'what',
  kAudioConverterErr_BadPropertySizeError = '!siz',
  kAudioConverterErr_RequiresPacketDescriptionsError = '!pkd',
  kAudioConverterErr_InputSampleRateOutOfRange = '!isr',
  kAudioConverterErr_OutputSampleRateOutOfRange = '!osr',
  kAudioConverterErr_HardwareInUse = 'hwiu',
  kAudioConverterErr_NoHardwarePermission = 'perm'
};

// MARK: Creation

extern OSStatus AudioConverterNew(const AudioStreamBasicDescription *inSourceFormat,
                                  const AudioStreamBasicDescription *inDestinationFormat,
                                  AudioConverterRef _Nullable *_Nonnull outAudioConverter);

// As AudioConverterNew, with the codecs to try, in order.
extern OSStatus AudioConverterNewSpecific(const AudioStreamBasicDescription *inSourceFormat,
                                          const AudioStreamBasicDescription *inDestinationFormat,
                                          UInt32 inNumberClassDescriptions,
                                          const AudioClassDescription *inClassDescriptions,
                                          AudioConverterRef _Nullable *_Nonnull outAudioConverter);

typedef CF_OPTIONS(UInt32, AudioConverterOptions) {
  // Input is asked for as it is needed, and not ahead.
  kAudioConverterOption_Unbuffered = 1u << 16
};

// As AudioConverterNew, with options.
extern OSStatus AudioConverterNewWithOptions(const AudioStreamBasicDescription *inSourceFormat,
                                             const AudioStreamBasicDescription *inDestinationFormat,
                                             AudioConverterOptions inOptions,
                                             AudioConverterRef _Nullable *_Nonnull outAudioConverter);

#ifdef __BLOCKS__
typedef void (^AudioConverterPrepareCompletionBlock)(OSStatus);

// Makes ready what converters need. The block is called with the result.
extern void AudioConverterPrepare(UInt32 inFlags, void *_Nullable ioReserved,
                                  AudioConverterPrepareCompletionBlock _Nullable inCompletionBlock);
#endif

extern OSStatus AudioConverterDispose(AudioConverterRef inAudioConverter);

// Forgets what was fed, also that the input had ended. To be called wherever the signal jumps.
extern OSStatus AudioConverterReset(AudioConverterRef inAudioConverter);

// MARK: Property access

extern OSStatus AudioConverterGetPropertyInfo(AudioConverterRef inAudioConverter, AudioConverterPropertyID inPropertyID,
                                              UInt32 *_Nullable outSize, Boolean *_Nullable outWritable);

// ioPropertyDataSize: in, the room at outPropertyData in bytes; out, the bytes written.
extern OSStatus AudioConverterGetProperty(AudioConverterRef inAudioConverter, AudioConverterPropertyID inPropertyID,
                                          UInt32 *ioPropertyDataSize, void *outPropertyData);

extern OSStatus AudioConverterSetProperty(AudioConverterRef inAudioConverter, AudioConverterPropertyID inPropertyID,
                                          UInt32 inPropertyDataSize, const void *inPropertyData);

// MARK: Conversion

// Asks for input by bytes; the form from before packet descriptions.
typedef OSStatus (*AudioConverterInputDataProc)(AudioConverterRef inAudioConverter, UInt32 *ioDataSize,
                                                void *_Nonnull *_Nonnull outData, void *_Nullable inUserData);

extern OSStatus AudioConverterFillBuffer(AudioConverterRef inAudioConverter,
                                         AudioConverterInputDataProc inInputDataProc,
                                         void *_Nullable inInputDataProcUserData, UInt32 *ioOutputDataSize,
                                         void *outOutputData)
    __attribute__((deprecated("use AudioConverterFillComplexBuffer")));

// For conversions in which so many bytes in are so many bytes out: no rate change, no codec.
extern OSStatus AudioConverterConvertBuffer(AudioConverterRef inAudioConverter, UInt32 inInputDataSize,
                                            const void *inInputData, UInt32 *ioOutputDataSize, void *outOutputData);

// Requests input. The memory that ioData is pointed at must stay unchanged until the next call. No error and no
// packets: the input has ended. An error and no packets: none for now; AudioConverterFillComplexBuffer returns that
// error.
typedef OSStatus (*AudioConverterComplexInputDataProc)(
    AudioConverterRef inAudioConverter, UInt32 *ioNumberDataPackets, AudioBufferList *ioData,
    AudioStreamPacketDescription *_Nullable *_Nullable outDataPacketDescription, void *_Nullable inUserData);

// ioOutputDataPacketSize: in, the packets that there is room for; out, the packets made. Both are output packets.
extern OSStatus AudioConverterFillComplexBuffer(AudioConverterRef inAudioConverter,
                                                AudioConverterComplexInputDataProc inInputDataProc,
                                                void *_Nullable inInputDataProcUserData, UInt32 *ioOutputDataPacketSize,
                                                AudioBufferList *outOutputData,
                                                AudioStreamPacketDescription *_Nullable outPacketDescription);

// PCM to PCM at one rate, in buffer lists.
extern OSStatus AudioConverterConvertComplexBuffer(AudioConverterRef inAudioConverter, UInt32 inNumberPCMFrames,
                                                   const AudioBufferList *inInputData, AudioBufferList *outOutputData);

CA_HEADER_END

#endif
