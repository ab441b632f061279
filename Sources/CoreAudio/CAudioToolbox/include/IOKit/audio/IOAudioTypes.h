// Kinds of places that sound comes from or goes to: ports, controls and transports of audio drivers, which device code
// compares with data sources, and the terminal types of USB Audio 1.0. Numbers alone: there is no driver behind them.
#ifndef IOKIT_AUDIO_IOAUDIOTYPES_H
#define IOKIT_AUDIO_IOAUDIOTYPES_H
#pragma GCC system_header

// Ports.
enum {
  kIOAudioPortTypeOutput = 'outp',
  kIOAudioPortTypeInput = 'inpt',
  kIOAudioPortTypeMixer = 'mixr',
  kIOAudioPortTypePassThru = 'pass',
  kIOAudioPortTypeProcessing = 'proc'
};

// The place that a port leads to.
enum {
  kIOAudioOutputPortSubTypeInternalSpeaker = 'ispk',
  kIOAudioOutputPortSubTypeExternalSpeaker = 'espk',
  kIOAudioOutputPortSubTypeHeadphones = 'hdpn',
  kIOAudioOutputPortSubTypeLine = 'line',
  kIOAudioOutputPortSubTypeSPDIF = 'spdf',
  kIOAudioInputPortSubTypeInternalMicrophone = 'imic',
  kIOAudioInputPortSubTypeExternalMicrophone = 'emic',
  kIOAudioInputPortSubTypeCD = 'cd  ',
  kIOAudioInputPortSubTypeLine = 'line',
  kIOAudioInputPortSubTypeSPDIF = 'spdf'
};

// The values of a selector.
enum {
  kIOAudioSelectorControlSelectionValueNone = 'none',
  kIOAudioSelectorControlSelectionValueInternalSpeaker = 'ispk',
  kIOAudioSelectorControlSelectionValueExternalSpeaker = 'espk',
  kIOAudioSelectorControlSelectionValueHeadphones = 'hdpn',
  kIOAudioSelectorControlSelectionValueInternalMicrophone = 'imic',
  kIOAudioSelectorControlSelectionValueExternalMicrophone = 'emic',
  kIOAudioSelectorControlSelectionValueCD = 'cd  ',
  kIOAudioSelectorControlSelectionValueLine = 'line',
  kIOAudioSelectorControlSelectionValueSPDIF = 'spdf'
};

// Controls.
enum {
  kIOAudioControlTypeLevel = 'levl',
  kIOAudioControlTypeToggle = 'togl',
  kIOAudioControlTypeJack = 'jack',
  kIOAudioControlTypeSelector = 'slct'
};

// The quantity that a control sets.
enum {
  kIOAudioLevelControlSubTypeVolume = 'vlme',
  kIOAudioLevelControlSubTypeLFEVolume = 'subv',
  kIOAudioLevelControlSubTypePRAMVolume = 'pram',
  kIOAudioToggleControlSubTypeMute = 'mute',
  kIOAudioToggleControlSubTypeSolo = 'solo',
  kIOAudioToggleControlSubTypeLFEMute = 'subm',
  kIOAudioToggleControlSubTypeiSubAttach = 'atch',
  kIOAudioToggleControlSubTypePhantomPower = 'phan',
  kIOAudioToggleControlSubTypePhaseInvert = 'phsi',
  kIOAudioSelectorControlSubTypeOutput = 'outp',
  kIOAudioSelectorControlSubTypeInput = 'inpt',
  kIOAudioSelectorControlSubTypeClockSource = 'clck',
  kIOAudioSelectorControlSubTypeDestination = 'dest',
  kIOAudioSelectorControlSubTypeChannelNominalLineLevel = 'nlev',
  kIOAudioSelectorControlSubTypeChannelLevelPlus4dBu = '4dbu',
  kIOAudioSelectorControlSubTypeChannelLevelMinus10dBV = '10db',
  kIOAudioSelectorControlSubTypeChannelLevelMinus20dBV = '20db',
  kIOAudioSelectorControlSubTypeChannelLevelMicLevel = 'micl',
  kIOAudioSelectorControlSubTypeChannelLevelInstrumentLevel = 'istl',
  kIOAudioSelectorControlSubTypeChannelHighPassFilter = 'hipf'
};

// The purpose of a control.
enum {
  kIOAudioControlUsageOutput = 'outp',
  kIOAudioControlUsageInput = 'inpt',
  kIOAudioControlUsagePassThru = 'pass',
  kIOAudioControlUsageCoreAudioProperty = 'prop'
};

// Channels of a control.
enum {
  kIOAudioControlChannelNumberInactive = -1,
  kIOAudioControlChannelIDAll = 0,
  kIOAudioControlChannelIDDefaultLeft = 1,
  kIOAudioControlChannelIDDefaultRight = 2,
  kIOAudioControlChannelIDDefaultCenter = 3,
  kIOAudioControlChannelIDDefaultLeftRear = 4,
  kIOAudioControlChannelIDDefaultRightRear = 5,
  kIOAudioControlChannelIDDefaultSub = 6,
  kIOAudioControlChannelIDDefaultFrontLeftCenter = 7,
  kIOAudioControlChannelIDDefaultFrontRightCenter = 8,
  kIOAudioControlChannelIDDefaultRearCenter = 9,
  kIOAudioControlChannelIDDefaultSurroundLeft = 10,
  kIOAudioControlChannelIDDefaultSurroundRight = 11
};

// Samples.
enum {
  kIOAudioStreamSampleFormatLinearPCM = 'lpcm',
  kIOAudioStreamSampleFormatIEEEFloat = 'ieee',
  kIOAudioStreamSampleFormatALaw = 'alaw',
  kIOAudioStreamSampleFormatMuLaw = 'ulaw',
  kIOAudioStreamSampleFormatMPEG = 'mpeg',
  kIOAudioStreamSampleFormatAC3 = 'ac-3',
  kIOAudioStreamSampleFormat1937AC3 = 'cac3',
  kIOAudioStreamSampleFormat1937MPEG1 = 'mpg1',
  kIOAudioStreamSampleFormat1937MPEG2 = 'mpg2',
  kIOAudioStreamSampleFormatTimeCode = 'time',
  kIOAudioStreamNumericRepresentationSignedInt = 'sint',
  kIOAudioStreamNumericRepresentationUnsignedInt = 'uint',
  kIOAudioStreamNumericRepresentationIEEE754Float = 'flot',
  kIOAudioStreamAlignmentLowByte = 0,
  kIOAudioStreamAlignmentHighByte = 1,
  kIOAudioStreamByteOrderBigEndian = 0,
  kIOAudioStreamByteOrderLittleEndian = 1
};

// Clocks.
enum {
  kIOAudioClockSelectorTypeInternal = 'int ',
  kIOAudioClockSelectorTypeExternal = 'ext ',
  kIOAudioClockSelectorTypeAESEBU = 'asbu',
  kIOAudioClockSelectorTypeTOSLink = 'tosl',
  kIOAudioClockSelectorTypeSPDIF = 'spdf',
  kIOAudioClockSelectorTypeADATOptical = 'adto',
  kIOAudioClockSelectorTypeADAT9Pin = 'adt9',
  kIOAudioClockSelectorTypeSMPTE = 'smpt',
  kIOAudioClockSelectorTypeVideo = 'vdeo',
  kIOAudioClockSelectorTypeControl = 'cnrl',
  kIOAudioClockSelectorTypeOther = 'othr'
};

// The connection of a device.
enum {
  kIOAudioDeviceTransportTypeBuiltIn = 'bltn',
  kIOAudioDeviceTransportTypePCI = 'pci ',
  kIOAudioDeviceTransportTypeUSB = 'usb ',
  kIOAudioDeviceTransportTypeFireWire = '1394',
  kIOAudioDeviceTransportTypeNetwork = 'ntwk',
  kIOAudioDeviceTransportTypeWireless = 'wrls',
  kIOAudioDeviceTransportTypeOther = 'othr',
  kIOAudioDeviceTransportTypeBluetooth = 'blue',
  kIOAudioDeviceTransportTypeVirtual = 'virt',
  kIOAudioDeviceTransportTypeDisplayPort = 'dprt',
  kIOAudioDeviceTransportTypeHdmi = 'hdmi',
  kIOAudioDeviceTransportTypeAVB = 'eavb',
  kIOAudioDeviceTransportTypeThunderbolt = 'thun'
};

// Places that lead nowhere.
enum { OUTPUT_NULL = 0x0100, INPUT_NULL = 0x0101 };

enum {
  INPUT_UNDEFINED = 0x0200,
  INPUT_MICROPHONE = 0x0201,
  INPUT_DESKTOP_MICROPHONE = 0x0202,
  INPUT_PERSONAL_MICROPHONE = 0x0203,
  INPUT_OMNIDIRECTIONAL_MICROPHONE = 0x0204,
  INPUT_MICROPHONE_ARRAY = 0x0205,
  INPUT_PROCESSING_MICROPHONE_ARRAY = 0x0206,
  INPUT_MODEM_AUDIO = 0x0207
};

enum {
  OUTPUT_UNDEFINED = 0x0300,
  OUTPUT_SPEAKER = 0x0301,
  OUTPUT_HEADPHONES = 0x0302,
  OUTPUT_HEAD_MOUNTED_DISPLAY_AUDIO = 0x0303,
  OUTPUT_DESKTOP_SPEAKER = 0x0304,
  OUTPUT_ROOM_SPEAKER = 0x0305,
  OUTPUT_COMMUNICATION_SPEAKER = 0x0306,
  OUTPUT_LOW_FREQUENCY_EFFECTS_SPEAKER = 0x0307
};

enum {
  BIDIRECTIONAL_UNDEFINED = 0x0400,
  BIDIRECTIONAL_HANDSET = 0x0401,
  BIDIRECTIONAL_HEADSET = 0x0402,
  BIDIRECTIONAL_SPEAKERPHONE_NO_ECHO_REDX = 0x0403,
  BIDIRECTIONAL_ECHO_SUPPRESSING_SPEAKERPHONE = 0x0404,
  BIDIRECTIONAL_ECHO_CANCELING_SPEAKERPHONE = 0x0405
};

enum {
  TELEPHONY_UNDEFINED = 0x0500,
  TELEPHONY_PHONE_LINE = 0x0501,
  TELEPHONY_TELEPHONE = 0x0502,
  TELEPHONY_DOWN_LINE_PHONE = 0x0503
};

enum {
  EXTERNAL_UNDEFINED = 0x0600,
  EXTERNAL_ANALOG_CONNECTOR = 0x0601,
  EXTERNAL_DIGITAL_AUDIO_INTERFACE = 0x0602,
  EXTERNAL_LINE_CONNECTOR = 0x0603,
  EXTERNAL_LEGACY_AUDIO_CONNECTOR = 0x0604,
  EXTERNAL_SPDIF_INTERFACE = 0x0605,
  EXTERNAL_1394_DA_STREAM = 0x0606,
  EXTERNAL_1394_DV_STREAM_SOUNDTRACK = 0x0607,
  EXTERNAL_ADAT = 0x0608,
  EXTERNAL_TDIF = 0x0609,
  EXTERNAL_MADI = 0x060A
};

enum {
  EMBEDDED_UNDEFINED = 0x0700,
  EMBEDDED_LEVEL_CALIBRATION_NOISE_SOURCE = 0x0701,
  EMBEDDED_EQUALIZATION_NOISE = 0x0702,
  EMBEDDED_CD_PLAYER = 0x0703,
  EMBEDDED_DAT = 0x0704,
  EMBEDDED_DCC = 0x0705,
  EMBEDDED_MINIDISK = 0x0706,
  EMBEDDED_ANALOG_TAPE = 0x0707,
  EMBEDDED_PHONOGRAPH = 0x0708,
  EMBEDDED_VCR_AUDIO = 0x0709,
  EMBEDDED_VIDEO_DISC_AUDIO = 0x070A,
  EMBEDDED_DVD_AUDIO = 0x070B,
  EMBEDDED_TV_TUNER_AUDIO = 0x070C,
  EMBEDDED_SATELLITE_RECEIVER_AUDIO = 0x070D,
  EMBEDDED_CABLE_TUNER_AUDIO = 0x070E,
  EMBEDDED_DSS_AUDIO = 0x070F,
  EMBEDDED_RADIO_RECEIVER = 0x0710,
  EMBEDDED_RADIO_TRANSMITTER = 0x0711,
  EMBEDDED_MULTITRACK_RECORDER = 0x0712,
  EMBEDDED_SYNTHESIZER = 0x0713
};

enum { PROCESSOR_UNDEFINED = 0x0800, PROCESSOR_GENERAL = 0x0801 };

#endif
