// Parameters of the built-in units.
//
// After each number: unit, range, the value of a new unit ("from" n). Scope global unless said otherwise.
#ifndef AUDIOTOOLBOX_AUDIOUNITPARAMETERS_H
#define AUDIOTOOLBOX_AUDIOUNITPARAMETERS_H
#pragma GCC system_header

#include <AudioToolbox/AUComponent.h>

CA_HEADER_BEGIN

// MARK: Mixers

// Multichannel mixer, per input element and for the output. Meters in dB, plus the channel; read only.
CF_ENUM(AudioUnitParameterID){
    kMultiChannelMixerParam_Volume = 0,  // linear, 0 to 1, from 1
    kMultiChannelMixerParam_Enable = 1,  // 0 or 1, from 1; inputs
    kMultiChannelMixerParam_Pan = 2,  // -1 to 1, from 0
    kMultiChannelMixerParam_PreAveragePower = 1000,
    kMultiChannelMixerParam_PrePeakHoldLevel = 2000,
    kMultiChannelMixerParam_PostAveragePower = 3000,
    kMultiChannelMixerParam_PostPeakHoldLevel = 4000,
};

// Matrix mixer: volumes of the whole, of channels and of crossings. Meters in dB, then linear; read only.
CF_ENUM(AudioUnitParameterID){
    kMatrixMixerParam_Volume = 0,  // linear
    kMatrixMixerParam_Enable = 1,  // 0 or 1
    kMatrixMixerParam_PreAveragePower = 1000,
    kMatrixMixerParam_PrePeakHoldLevel = 2000,
    kMatrixMixerParam_PostAveragePower = 3000,
    kMatrixMixerParam_PostPeakHoldLevel = 4000,
    kMatrixMixerParam_PreAveragePowerLinear = 5000,
    kMatrixMixerParam_PrePeakHoldLevelLinear = 6000,
    kMatrixMixerParam_PostAveragePowerLinear = 7000,
    kMatrixMixerParam_PostPeakHoldLevelLinear = 8000,
};

// Stereo mixer. Meters in dB: left, and right one further.
CF_ENUM(AudioUnitParameterID){
    kStereoMixerParam_Volume = 0,  // fader, 0 to 1, from 1
    kStereoMixerParam_Pan = 1,  // 0 to 1, from 0.5
    kStereoMixerParam_PreAveragePower = 1000,
    kStereoMixerParam_PrePeakHoldLevel = 2000,
    kStereoMixerParam_PostAveragePower = 3000,
    kStereoMixerParam_PostPeakHoldLevel = 4000,
};

// Spatial mixer, per input.
CF_ENUM(AudioUnitParameterID){
    kSpatialMixerParam_Azimuth = 0,  // degrees, -180 to 180, from 0
    kSpatialMixerParam_Elevation = 1,  // degrees, -90 to 90, from 0
    kSpatialMixerParam_Distance = 2,  // metres, 0 to 10000, from 0
    kSpatialMixerParam_Gain = 3,  // dB, -120 to 20, from 0
    kSpatialMixerParam_PlaybackRate = 4,  // 0.5 to 2, from 1
    kSpatialMixerParam_Enable = 5,  // 0 or 1, from 1
    kSpatialMixerParam_MinGain = 6,  // linear, 0 to 10, from 0
    kSpatialMixerParam_MaxGain = 7,  // linear, 0 to 10, from 10
    kSpatialMixerParam_ReverbBlend = 8,  // percent, from 30
    kSpatialMixerParam_GlobalReverbGain = 9,  // dB, -40 to 40, from 0; global
    kSpatialMixerParam_OcclusionAttenuation = 10,  // dB at 5 kHz, -100 to 0, from 0
    kSpatialMixerParam_ObstructionAttenuation = 11,  // dB at 5 kHz, -100 to 0, from 0
    kSpatialMixerParam_HeadYaw = 19,  // degrees, -180 to 180; global
    kSpatialMixerParam_HeadPitch = 20,  // degrees, -90 to 90; global
    kSpatialMixerParam_HeadRoll = 21,  // degrees, -180 to 180; global
};

// 3D mixer, per input. Numbers 5 to 11 differ between the desktop's and the telephone's interface.
CF_ENUM(AudioUnitParameterID){
    k3DMixerParam_Azimuth = 0,       // degrees, -180 to 180, from 0
    k3DMixerParam_Elevation = 1,     // degrees, -90 to 90, from 0
    k3DMixerParam_Distance = 2,      // metres, 0 to 10000, from 0
    k3DMixerParam_Gain = 3,          // dB, -120 to 20, from 0
    k3DMixerParam_PlaybackRate = 4,  // 0.5 to 2, from 1
#if TARGET_OS_IPHONE
    k3DMixerParam_Enable = 5,
    k3DMixerParam_MinGain = 6,  // linear, 0 to 1
    k3DMixerParam_MaxGain = 7,  // linear, 0 to 1
    k3DMixerParam_ReverbBlend = 8,
    k3DMixerParam_GlobalReverbGain = 9,
    k3DMixerParam_OcclusionAttenuation = 10,
    k3DMixerParam_ObstructionAttenuation = 11,
#else
    k3DMixerParam_ReverbBlend = 5,       // percent
    k3DMixerParam_GlobalReverbGain = 6,  // dB; global
    k3DMixerParam_OcclusionAttenuation = 7,
    k3DMixerParam_ObstructionAttenuation = 8,
    k3DMixerParam_MinGain = 9,   // dB
    k3DMixerParam_MaxGain = 10,  // dB
#endif
    k3DMixerParam_BusEnable = 20,                       // 0 or 1
    k3DMixerParam_MinGainInDecibels = 21,               // dB, -120 to 20, from 0
    k3DMixerParam_MaxGainInDecibels = 22,               // dB, -120 to 20, from 0
    k3DMixerParam_DryWetReverbBlend = 23,               // percent, equal power
    k3DMixerParam_GlobalReverbGainInDecibels = 24,      // dB, -40 to 40; global
    k3DMixerParam_OcclusionAttenuationInDecibels = 25,  // dB at 5 kHz, -100 to 0
    k3DMixerParam_ObstructionAttenuationInDecibels = 26,
    k3DMixerParam_PreAveragePower = 1000,
    k3DMixerParam_PrePeakHoldLevel = 2000,
    k3DMixerParam_PostAveragePower = 3000,
    k3DMixerParam_PostPeakHoldLevel = 4000,
};

// Panners.
CF_ENUM(AudioUnitParameterID){
    kPannerParam_Gain = 0,  // linear, 0 to 1, from 1
    kPannerParam_Azimuth = 1,  // degrees, -180 to 180, from 0
    kPannerParam_Elevation = 2,  // degrees, -90 to 90, from 0
    kPannerParam_Distance = 3,  // 0 to 1, from 1
    kPannerParam_CoordScale = 4,  // metres, 0.01 to 1000, from 1
    kPannerParam_RefDistance = 5,  // metres, 0.01 to 1000, from 1
};

// MARK: Filters; no frequency passes half the sample rate

// Band pass.
CF_ENUM(AudioUnitParameterID){
    kBandpassParam_CenterFrequency = 0,  // Hz, from 20, default 5000
    kBandpassParam_Bandwidth = 1,  // cents, 100 to 12000, from 600
};

// High pass.
CF_ENUM(AudioUnitParameterID){
    kHipassParam_CutoffFrequency = 0,  // Hz, from 10, default 6900
    kHipassParam_Resonance = 1,  // dB, -20 to 40, from 0
};

// Low pass.
CF_ENUM(AudioUnitParameterID){
    kLowPassParam_CutoffFrequency = 0,  // Hz, from 10, default 6900
    kLowPassParam_Resonance = 1,  // dB, -20 to 40, from 0
};

// High shelf.
CF_ENUM(AudioUnitParameterID){
    kHighShelfParam_CutOffFrequency = 0,  // Hz, from 10000, default 10000
    kHighShelfParam_Gain = 1,  // dB, -40 to 40, from 0
};

// Low shelf.
CF_ENUM(AudioUnitParameterID){
    kAULowShelfParam_CutoffFrequency = 0,  // Hz, 10 to 200, from 80
    kAULowShelfParam_Gain = 1,  // dB, -40 to 40, from 0
};

// Parametric equaliser.
CF_ENUM(AudioUnitParameterID){
    kParametricEQParam_CenterFreq = 0,  // Hz, from 20, default 2000
    kParametricEQParam_Q = 1,  // 0.1 to 20, from 1
    kParametricEQParam_Gain = 2,  // dB, -20 to 20, from 0
};

// Equaliser of n bands: the number plus the band, counted from 0.
CF_ENUM(AudioUnitParameterID){
    kAUNBandEQParam_GlobalGain = 0,  // dB, -96 to 24, from 0
    kAUNBandEQParam_BypassBand = 1000,  // 0 or 1, from 1
    kAUNBandEQParam_FilterType = 2000,  // one of those below, from 0
    kAUNBandEQParam_Frequency = 3000,  // Hz, from 20, default 1000
    kAUNBandEQParam_Gain = 4000,  // dB, -96 to 24, from 0
    kAUNBandEQParam_Bandwidth = 5000,  // octaves, 0.05 to 5, from 0.5
};

// The kind of a band.
CF_ENUM(UInt32){
    kAUNBandEQFilterType_Parametric = 0,
    kAUNBandEQFilterType_2ndOrderButterworthLowPass = 1,
    kAUNBandEQFilterType_2ndOrderButterworthHighPass = 2,
    kAUNBandEQFilterType_ResonantLowPass = 3,
    kAUNBandEQFilterType_ResonantHighPass = 4,
    kAUNBandEQFilterType_BandPass = 5,
    kAUNBandEQFilterType_BandStop = 6,
    kAUNBandEQFilterType_LowShelf = 7,
    kAUNBandEQFilterType_HighShelf = 8,
    kAUNBandEQFilterType_ResonantLowShelf = 9,
    kAUNBandEQFilterType_ResonantHighShelf = 10,
    kNumAUNBandEQFilterTypes = 11,
};

// Graphic equaliser: the gain of band n has number n.
CF_ENUM(AudioUnitParameterID){
    kGraphicEQParam_NumberOfBands = 10000,  // 10 or 31
};

// Filter of five bands.
CF_ENUM(AudioUnitParameterID){
    kMultibandFilter_LowFilterType = 0,
    kMultibandFilter_LowFrequency = 1,  // Hz, from 10
    kMultibandFilter_LowGain = 2,  // dB, -18 to 18
    kMultibandFilter_CenterFreq1 = 3,
    kMultibandFilter_CenterGain1 = 4,
    kMultibandFilter_Bandwidth1 = 5,  // octaves, 0.05 to 3, from 2
    kMultibandFilter_CenterFreq2 = 6,
    kMultibandFilter_CenterGain2 = 7,
    kMultibandFilter_Bandwidth2 = 8,
    kMultibandFilter_CenterFreq3 = 9,
    kMultibandFilter_CenterGain3 = 10,
    kMultibandFilter_Bandwidth3 = 11,
    kMultibandFilter_HighFilterType = 12,
    kMultibandFilter_HighFrequency = 13,
    kMultibandFilter_HighGain = 14,
};

// MARK: Dynamics

// Peak limiter.
CF_ENUM(AudioUnitParameterID){
    kLimiterParam_AttackTime = 0,  // seconds, 0.001 to 0.03, from 0.012
    kLimiterParam_DecayTime = 1,  // seconds, 0.001 to 0.06, from 0.024
    kLimiterParam_PreGain = 2,  // dB, -40 to 40, from 0
};

// Dynamics processor; the last three are read only.
CF_ENUM(AudioUnitParameterID){
    kDynamicsProcessorParam_Threshold = 0,  // dB, -40 to 20, from -20
    kDynamicsProcessorParam_HeadRoom = 1,  // dB, 0.1 to 40, from 5
    kDynamicsProcessorParam_ExpansionRatio = 2,  // 1 to 50, from 2
    kDynamicsProcessorParam_ExpansionThreshold = 3,  // dB
    kDynamicsProcessorParam_AttackTime = 4,  // seconds, 0.0001 to 0.2, from 0.001
    kDynamicsProcessorParam_ReleaseTime = 5,  // seconds, 0.01 to 3, from 0.05
    kDynamicsProcessorParam_OverallGain = 6,  // dB, -40 to 40, from 0
    kDynamicsProcessorParam_MasterGain = 6,  // the same, older name
    kDynamicsProcessorParam_CompressionAmount = 1000,  // dB
    kDynamicsProcessorParam_InputAmplitude = 2000,  // dB
    kDynamicsProcessorParam_OutputAmplitude = 3000,  // dB
};

// Compressor of four bands; from CompressionAmount1 on read only, in dB.
CF_ENUM(AudioUnitParameterID){
    kMultibandCompressorParam_Pregain = 0,  // dB, -40 to 40, from 0
    kMultibandCompressorParam_Postgain = 1,  // dB, -40 to 40, from 0
    kMultibandCompressorParam_Crossover1 = 2,  // Hz, from 20, default 120
    kMultibandCompressorParam_Crossover2 = 3,  // default 700
    kMultibandCompressorParam_Crossover3 = 4,  // default 3000
    kMultibandCompressorParam_Threshold1 = 5,  // dB, -100 to 0
    kMultibandCompressorParam_Threshold2 = 6,
    kMultibandCompressorParam_Threshold3 = 7,
    kMultibandCompressorParam_Threshold4 = 8,
    kMultibandCompressorParam_Headroom1 = 9,  // dB, 0.1 to 40
    kMultibandCompressorParam_Headroom2 = 10,
    kMultibandCompressorParam_Headroom3 = 11,
    kMultibandCompressorParam_Headroom4 = 12,
    kMultibandCompressorParam_AttackTime = 13,  // seconds, 0.001 to 0.2, from 0.08
    kMultibandCompressorParam_ReleaseTime = 14,  // seconds, 0.01 to 3, from 0.12
    kMultibandCompressorParam_EQ1 = 15,  // dB, -20 to 20, from 0
    kMultibandCompressorParam_EQ2 = 16,
    kMultibandCompressorParam_EQ3 = 17,
    kMultibandCompressorParam_EQ4 = 18,
    kMultibandCompressorParam_CompressionAmount1 = 1000,
    kMultibandCompressorParam_CompressionAmount2 = 2000,
    kMultibandCompressorParam_CompressionAmount3 = 3000,
    kMultibandCompressorParam_CompressionAmount4 = 4000,
    kMultibandCompressorParam_InputAmplitude1 = 5000,
    kMultibandCompressorParam_InputAmplitude2 = 6000,
    kMultibandCompressorParam_InputAmplitude3 = 7000,
    kMultibandCompressorParam_InputAmplitude4 = 8000,
    kMultibandCompressorParam_OutputAmplitude1 = 9000,
    kMultibandCompressorParam_OutputAmplitude2 = 10000,
    kMultibandCompressorParam_OutputAmplitude3 = 11000,
    kMultibandCompressorParam_OutputAmplitude4 = 12000,
};

// MARK: Time and distortion

// Delay.
CF_ENUM(AudioUnitParameterID){
    kDelayParam_WetDryMix = 0,  // percent, equal power, from 50
    kDelayParam_DelayTime = 1,  // seconds, 0 to 2, from 1
    kDelayParam_Feedback = 2,  // percent, -100 to 100, from 50
    kDelayParam_LopassCutoff = 3,  // Hz, from 10, default 15000
};

// Delay in frames.
CF_ENUM(AudioUnitParameterID){
    kSampleDelayParam_DelayFrames = 0,  // frames, up to one second, from 0
};

// Reverb 2.
CF_ENUM(AudioUnitParameterID){
    kReverb2Param_DryWetMix = 0,  // percent, from 100
    kReverb2Param_Gain = 1,  // dB, -20 to 20, from 0
    kReverb2Param_MinDelayTime = 2,  // seconds, 0.0001 to 1, from 0.008
    kReverb2Param_MaxDelayTime = 3,  // seconds, 0.0001 to 1, from 0.05
    kReverb2Param_DecayTimeAt0Hz = 4,  // seconds, 0.001 to 20, from 1
    kReverb2Param_DecayTimeAtNyquist = 5,  // seconds, 0.001 to 20, from 0.5
    kReverb2Param_RandomizeReflections = 6,  // 1 to 1000
};

// Matrix reverb; the filter of the last five is the mixers' in space as well.
CF_ENUM(AudioUnitParameterID){
    kReverbParam_DryWetMix = 0,  // percent, equal power, from 100
    kReverbParam_SmallLargeMix = 1,  // percent, equal power, from 50
    kReverbParam_SmallSize = 2,  // seconds
    kReverbParam_LargeSize = 3,  // seconds
    kReverbParam_PreDelay = 4,  // seconds
    kReverbParam_LargeDelay = 5,  // seconds
    kReverbParam_SmallDensity = 6,  // 0 to 1
    kReverbParam_LargeDensity = 7,  // 0 to 1
    kReverbParam_LargeDelayRange = 8,  // 0 to 1
    kReverbParam_SmallBrightness = 9,  // 0.1 to 1
    kReverbParam_LargeBrightness = 10,  // 0.1 to 1
    kReverbParam_SmallDelayRange = 11,  // 0 to 1
    kReverbParam_ModulationRate = 12,  // Hz, 0.001 to 2, from 1
    kReverbParam_ModulationDepth = 13,  // 0 to 1, from 0.2
    kReverbParam_FilterFrequency = 14,  // Hz, 10 to 20000, from 800
    kReverbParam_FilterBandwidth = 15,  // octaves, 0.05 to 4, from 3
    kReverbParam_FilterGain = 16,  // dB, -18 to 18, from 0
    kReverbParam_FilterType = 17,  // 0 to 10, from 0
    kReverbParam_FilterEnable = 18,  // 0 or 1, from 1
};

// Distortion.
CF_ENUM(AudioUnitParameterID){
    kDistortionParam_Delay = 0,  // milliseconds, 0.1 to 500, from 0.1
    kDistortionParam_Decay = 1,  // 0.1 to 50, from 1
    kDistortionParam_DelayMix = 2,  // percent, from 50
    kDistortionParam_Decimation = 3,  // percent
    kDistortionParam_Rounding = 4,  // percent, from 0
    kDistortionParam_DecimationMix = 5,  // percent, from 50
    kDistortionParam_LinearTerm = 6,  // 0 to 1, from 1
    kDistortionParam_SquaredTerm = 7,  // 0 to 20, from 0
    kDistortionParam_CubicTerm = 8,  // 0 to 20, from 0
    kDistortionParam_PolynomialMix = 9,  // percent, from 50
    kDistortionParam_RingModFreq1 = 10,  // Hz, 0.5 to 8000, from 100
    kDistortionParam_RingModFreq2 = 11,  // Hz, 0.5 to 8000, from 100
    kDistortionParam_RingModBalance = 12,  // percent, from 50
    kDistortionParam_RingModMix = 13,  // percent, from 0
    kDistortionParam_SoftClipGain = 14,  // dB, -80 to 20, from -6
    kDistortionParam_FinalMix = 15,  // percent, from 50
};

// MARK: Rate and pitch

// Varispeed: two views of one value.
CF_ENUM(AudioUnitParameterID){
    kVarispeedParam_PlaybackRate = 0,  // 0.25 to 4, from 1
    kVarispeedParam_PlaybackCents = 1,  // -2400 to 2400, from 0
};

// Time and pitch; the blend is the pitch effect's only.
CF_ENUM(AudioUnitParameterID){
    kTimePitchParam_Rate = 0,
    kTimePitchParam_Pitch = 1,  // cents
    kTimePitchParam_EffectBlend = 2,
};

// New time and pitch.
CF_ENUM(AudioUnitParameterID){
    kNewTimePitchParam_Rate = 0,  // 1/32 to 32, from 1
    kNewTimePitchParam_Pitch = 1,  // cents, -2400 to 2400
    kNewTimePitchParam_Smoothness = 4,  // 3 to 32, from 8
    kNewTimePitchParam_Overlap = 4,  // the same, older name
    kNewTimePitchParam_EnableSpectralCoherence = 6,  // 0 or 1, from 1
    kNewTimePitchParam_EnablePeakLocking = 6,  // the same, older name
    kNewTimePitchParam_EnableTransientPreservation = 7,  // 0 or 1, from 1
};

// MARK: Others

// Output to a device.
CF_ENUM(AudioUnitParameterID){
    kHALOutputParam_Volume = 14,  // linear, 0 to 1, from 1
};

// Sampler.
CF_ENUM(AudioUnitParameterID){
    kAUSamplerParam_Gain = 900,  // dB, -90 to 12, from 0
    kAUSamplerParam_CoarseTuning = 901,  // semitones, -24 to 24, from 0
    kAUSamplerParam_FineTuning = 902,  // cents, -99 to 99, from 0
    kAUSamplerParam_Pan = 903,  // -1 to 1, from 0
};

// Synthesiser of downloadable sounds.
CF_ENUM(AudioUnitParameterID){
    kMusicDeviceParam_Tuning = 0,  // cents, -1200 to 1200, from 0
    kMusicDeviceParam_Volume = 1,  // dB, -120 to 40, from 0
    kMusicDeviceParam_ReverbVolume = 2,  // dB, -120 to 40, from 0
};

// Round trip through AAC.
CF_ENUM(AudioUnitParameterID){
    kRoundTripAACParam_Format = 0,
    kRoundTripAACParam_EncodingStrategy = 1,
    kRoundTripAACParam_RateOrQuality = 2,
};

// Sound isolation.
CF_ENUM(AudioUnitParameterID){
    kAUSoundIsolationParam_WetDryMixPercent = 0,  // percent, from 100
    kAUSoundIsolationParam_SoundToIsolate = 1,  // from 1
};

// Random values between two bounds.
CF_ENUM(AudioUnitParameterID){
    kRandomParam_BoundA = 0,
    kRandomParam_BoundB = 1,
    kRandomParam_Curve = 2,
};

// Roger beep.
CF_ENUM(AudioUnitParameterID){
    kRogerBeepParam_InGateThreshold = 0,
    kRogerBeepParam_InGateThresholdTime = 1,
    kRogerBeepParam_OutGateThreshold = 2,
    kRogerBeepParam_OutGateThresholdTime = 3,
    kRogerBeepParam_Sensitivity = 4,
    kRogerBeepParam_RogerType = 5,
    kRogerBeepParam_RogerGain = 6,
};

// Parameters of the group scope: the numbers of MIDI controllers, their fine half 32 further.
CF_ENUM(AudioUnitParameterID){
    kAUGroupParameterID_Volume = 7,
    kAUGroupParameterID_Sustain = 64,
    kAUGroupParameterID_Sostenuto = 66,
    kAUGroupParameterID_AllNotesOff = 123,
    kAUGroupParameterID_ModWheel = 1,
    kAUGroupParameterID_PitchBend = 0xE0,
    kAUGroupParameterID_AllSoundOff = 120,
    kAUGroupParameterID_ResetAllControllers = 121,
    kAUGroupParameterID_Pan = 10,
    kAUGroupParameterID_Foot = 4,
    kAUGroupParameterID_ChannelPressure = 0xD0,
    kAUGroupParameterID_KeyPressure = 0xA0,
    kAUGroupParameterID_Expression = 11,
    kAUGroupParameterID_DataEntry = 6,
    kAUGroupParameterID_Volume_LSB = 7 + 32,
    kAUGroupParameterID_ModWheel_LSB = 1 + 32,
    kAUGroupParameterID_Pan_LSB = 10 + 32,
    kAUGroupParameterID_Foot_LSB = 4 + 32,
    kAUGroupParameterID_Expression_LSB = 11 + 32,
    kAUGroupParameterID_DataEntry_LSB = 6 + 32,
    kAUGroupParameterID_KeyPressure_FirstKey = 256,
    kAUGroupParameterID_KeyPressure_LastKey = 383,
};

CA_HEADER_END

#endif
