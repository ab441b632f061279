// swift-tools-version: 6.2
// The targets by folder, each with a sentence on what it is for; a target has the folder of its name.
// `ArchitectureTests` holds every `import` line against these rows.

import PackageDescription

/// For programs that load third-party components: they export the C interface, so that a component's calls are resolved
/// against the program, as they are against the library in other hosts.
let offersTheInterface: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "--dynamic-list=\(Context.packageDirectory)/Scripts/interface.symbols"])
]

let package = Package(
  name: "aubench",
  products: [
    .executable(name: "aubench", targets: ["aubench"]),
    .executable(name: "aubench-scan", targets: ["aubench-scan"]),
    .executable(name: "aubench-decode", targets: ["aubench-decode"]),
    // Stands in front of the C library in a process whose render calls are watched.
    .library(name: "aubench-watch", type: .dynamic, targets: ["CWatcher"]),
    .library(name: "BatchRender", targets: ["BatchRender"]),
    .library(name: "AudioUnits", targets: ["AudioUnits"]),
    .library(name: "Measurement", targets: ["Measurement"]),
    .library(name: "Verification", targets: ["Verification"]),
    .library(name: "Reporting", targets: ["Reporting"]),
    .library(name: "VerificationTesting", targets: ["VerificationTesting"]),
    .library(name: "AudioToolbox", type: .dynamic, targets: ["AudioToolbox"]),
    // The same, linked statically, for Swift programs that register units of their own: a shared library would not see these.
    .library(name: "AudioToolboxUnits", targets: ["AudioToolbox"]),
    .library(name: "AVFAudio", targets: ["AVFAudio", "AVFoundation", "CoreAudio", "CoreAudioTypes"]),
    // Files, buffers, formats and converters of it alone.
    .library(name: "AVFAudioFiles", targets: ["AVFAudioFiles"]),
  ],
  cLanguageStandard: .gnu17
)

/// Targets, each of which has the folder of its name in `folder`.
func targets(in folder: String, _ targets: [Target]) -> [Target] {
  for target in targets { target.path = "\(folder)/\(target.name)" }
  return targets
}

// One target for each library from outside, and the only one that calls it.
package.targets += targets(
  in: "Sources/Libraries",
  [
    // The C libraries of Debian and glibc's option parser, one module each.
    .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CFLAC", pkgConfig: "flac", providers: [.apt(["libflac-dev"])]),
    .systemLibrary(name: "CSamplerate", pkgConfig: "samplerate", providers: [.apt(["libsamplerate0-dev"])]),
    .systemLibrary(name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),
    .systemLibrary(name: "CFFTW", pkgConfig: "fftw3", providers: [.apt(["libfftw3-dev"])]),
    .systemLibrary(name: "CEBUR128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
    .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CAVCodec", pkgConfig: "libavcodec", providers: [.apt(["libavcodec-dev"])]),
    .systemLibrary(name: "CGetopt"),
    // TagLib behind functions of C: texts and pictures in the forms that sound files have.
    .target(name: "CTagLib", linkerSettings: [.linkedLibrary("tag")]),
    // Libraries that a machine may have: what loads one when it is first asked for. The C interface, which a program may
    //    be linked without.
    .target(name: "COptionalLibrary", linkerSettings: [.linkedLibrary("dl"), .linkedLibrary("m")]),
    // libmpg123, which libsndfile decodes MP3 with, without its words on standard error.
    .target(name: "CMPEGDecoder", dependencies: ["COptionalLibrary"], linkerSettings: [.linkedLibrary("dl")]),
    // libvo-aacenc, which is Apache-licensed: AAC is written where it is there.
    .target(name: "CVOAAC", dependencies: ["COptionalLibrary"]),
    // libspeexdsp, looked for when it is first asked for: everything else works without it.
    .target(name: "CSpeexDSP", dependencies: ["COptionalLibrary"]),
    // libmysofa, looked for in the same way.
    .target(name: "CMySOFA", dependencies: ["COptionalLibrary"]),
    // SoundTouch, looked for when it is first asked for: everything else works without it.
    .target(name: "CSoundTouch", dependencies: ["COptionalLibrary"]),
    // Sample rate conversion: the only target of the engine that calls libsamplerate and libsoxr.
    .target(name: "SampleRate", dependencies: ["AudioCore", "DSPKernels", "CSamplerate", "CSoxr"]),
    // Containers taken apart into packets, whatever codec they are of. Calls no library.
    .target(name: "PacketFiles", dependencies: ["AudioCore"]),
    // The program that decodes packets of AAC and of other codecs: the only one that links FFmpeg, which enters no other process.
    .executableTarget(
      name: "aubench-decode", dependencies: ["CAVCodec"],
      linkerSettings: [.linkedLibrary("avcodec"), .linkedLibrary("avutil")]),
    // Starts it, and hands it packets.
    .target(name: "PacketDecoding", dependencies: ["AudioCore", "CProcess", "PacketFiles", "Processes"]),
    // Sound files: the only target of the engine that calls libsndfile.
    .target(
      name: "SoundFile",
      dependencies: [
        "AudioCore", "CFLAC", "CMPEGDecoder", "CVOAAC", "DSPKernels", "CSndfile", "PacketDecoding", "PacketFiles",
      ]),
    // Tags and pictures of sound files: the only target that calls TagLib.
    .target(name: "Tags", dependencies: ["AudioCore", "CTagLib", "SoundFile"]),
    // Echo cancellation and gain control of a microphone: the only target that calls libspeexdsp.
    .target(name: "VoiceProcessing", dependencies: ["AudioCore", "CSpeexDSP"]),
    // Responses of both ears to sound from any direction: the only target that calls libmysofa.
    .target(name: "HRTF", dependencies: ["AudioCore", "CMySOFA", "DSPKernels"]),
    // Tempo and pitch apart from one another: the only target that calls SoundTouch.
    .target(name: "TimeStretch", dependencies: ["AudioCore", "CSoundTouch"]),
    // JSON documents that people write: the only target that calls jansson.
    .target(name: "JSONFiles", dependencies: ["AudioCore", "CJansson"]),
    // Digests of contents: the only target that calls xxHash.
    .target(name: "Digests", dependencies: ["AudioCore", "CXXHash"]),
    // Reference conversions, files and stretches by libsamplerate, libsoxr, libsndfile and SoundTouch, called directly:
    //    verification compares the engine with them. The engine must not import it.
    .target(name: "LibraryReference", dependencies: ["AudioCore", "CSamplerate", "CSndfile", "CSoxr"]),
  ])

// Processes, signals, and CPU and OS functions that Swift has no name for.
package.targets += targets(
  in: "Sources/System",
  [
    // POSIX calls that Swift cannot make safely: starting, supervising and ending processes, waiting for signals.
    .target(name: "CProcess"),
    // CPU and OS functions that Swift has no name for: flush-to-zero, spin pause, what is left of the stack.
    .target(name: "CRealtime"),
    // Child processes, temporary folders, and how the program ends by a signal.
    .target(name: "Processes", dependencies: ["AudioCore", "CProcess"]),
  ])

// Formats, kernels, units, graphs and the simulated hardware: what renders.
package.targets += targets(
  in: "Sources/Engine",
  [
    // Formats, buffers, time, status, errors: the types that all other targets use.
    .target(name: "AudioCore", dependencies: ["CRealtime"], linkerSettings: [.linkedLibrary("m")]),
    // Queues that hand objects to the render side and return them to be freed, without a wait; threads that take parts of its work.
    .target(name: "HandOver", dependencies: ["AudioCore", "CRealtime"]),
    // The recursive kernels in C, once per instruction set, chosen at start.
    .target(name: "CKernels"),
    // Arithmetic on spans: small, pure, testable alone.
    .target(name: "DSPKernels", dependencies: ["AudioCore", "CKernels"]),
    // A transcript of the calls between a program, its units and the hardware.
    .target(name: "Transcripts", dependencies: ["AudioCore", "CRealtime"]),
    // The simulated hardware: its clock, what it records and plays, and scenarios that say what happens to it.
    .target(name: "Hardware", dependencies: ["AudioCore", "JSONFiles", "SampleRate", "SoundFile", "Transcripts"]),
    // The unit model, the render half of a unit, format conversion.
    .target(name: "AudioEngine", dependencies: ["AudioCore", "CRealtime", "DSPKernels", "HandOver", "SampleRate"]),
    // The units that Apple's system has and some more, by what they do.
    .target(
      name: "BuiltInUnits",
      dependencies: [
        "AudioCore", "AudioEngine", "DSPKernels", "HandOver", "HRTF", "SampleRate", "SoundFile",
        "TimeStretch",
      ]),
    // Output units, which play to and record from the simulated hardware.
    .target(
      name: "DeviceUnits",
      dependencies: ["AudioCore", "AudioEngine", "Hardware", "SampleRate", "VoiceProcessing"]),
    // The three together, and the registry of all units: what programs import.
    .target(name: "AudioUnits", dependencies: ["AudioCore", "AudioEngine", "BuiltInUnits", "DeviceUnits", "Hardware"]),
    // Topology: edits, the compiled plan, threads.
    .target(
      name: "RenderGraph",
      dependencies: ["AudioCore", "AudioEngine", "BuiltInUnits", "DeviceUnits", "HandOver", "Hardware", "Transcripts"]),
  ])

// The C interface of the Audio Unit system on top of the engine.
package.targets += targets(
  in: "Sources/CoreAudio",
  [
    // The C headers of the Audio Unit system: types, constants, prototypes. No code.
    .target(name: "CAudioToolbox"),
    // Calls of third-party components, which may throw C++ exceptions or crash.
    .target(name: "CForeign"),
    // Streams as Core Audio describes them, on the engine's converters and files: descriptions, buffer lists, layouts,
    //    conversion that a client pulls, files read in a client's format.
    .target(
      name: "CoreAudioStreams",
      dependencies: [
        "AudioCore", "AudioEngine", "CAudioToolbox", "DSPKernels", "PacketDecoding", "PacketFiles", "SampleRate",
        "SoundFile",
      ]),
    // The C interface of the Audio Unit system: a translation onto the engine, a folder per header.
    .target(
      name: "AudioToolbox",
      dependencies: [
        "AudioCore", "AudioEngine", "AudioUnits", "BuiltInUnits", "CAudioToolbox", "CForeign", "CProcess", "CRealtime",
        "CoreAudioStreams", "DeviceUnits", "DSPKernels", "Hardware", "PacketFiles", "Processes", "RenderGraph",
        "SampleRate", "SoundFile", "Tags",
        "Transcripts",
      ],
      resources: [.embedInCode("Resources/property-names.tsv")],
      // CoreFoundation's functions.
      linkerSettings: [.linkedLibrary("Foundation")]),
    // Looks at one third-party component, in a process of its own.
    .executableTarget(
      name: "aubench-scan", dependencies: ["AudioToolbox", "CProcess"], linkerSettings: offersTheInterface),
  ])

// Sound in the classes that Swift programs on Apple's systems are written in, on the engine.
package.targets += targets(
  in: "Sources/AVFAudio",
  [
    // Formats, buffers, times, files and converters.
    .target(
      name: "AVFAudioFiles",
      dependencies: ["AudioCore", "AudioEngine", "CAudioToolbox", "CoreAudioStreams", "SoundFile"]),
    // Audio units of version 3: AUAudioUnit, its parameter tree, and adapters to units of the engine and back.
    .target(
      name: "AudioUnitV3",
      dependencies: [
        "AVFAudioFiles", "AudioCore", "AudioEngine", "AudioUnits", "BuiltInUnits", "COptionalLibrary", "DeviceUnits",
        "HandOver", "Hardware", "SoundFile",
      ]),
    // Engine, nodes and effects, on graphs; with the above what `import AVFAudio` names.
    .target(
      name: "AVFAudio",
      dependencies: [
        "AudioCore", "AudioEngine", "AudioUnits", "AudioUnitV3", "AVFAudioFiles", "BuiltInUnits", "DeviceUnits",
        "HandOver", "Hardware", "RenderGraph", "SoundFile",
      ]),
    // The same by the name of the larger framework.
    .target(name: "AVFoundation", dependencies: ["AVFAudio"]),
    // The types of the C headers alone, by the names of the frameworks that have them.
    .target(name: "CoreAudio", dependencies: ["CAudioToolbox", "CoreAudioStreams"]),
    .target(name: "CoreAudioTypes", dependencies: ["CAudioToolbox", "CoreAudioStreams"]),
  ])

// Spectra, loudness, and measurements of devices under test.
package.targets += targets(
  in: "Sources/Analysis",
  [
    // Fourier transforms and what is made of them: the only target that calls FFTW, whose licence is the GPL. The
    //    engine and the C interface must not import it.
    .target(name: "Spectrum", dependencies: ["AudioCore", "CFFTW", "CKernels"]),
    // Loudness and true peak: the only target that calls libebur128.
    .target(name: "Loudness", dependencies: ["AudioCore", "CEBUR128", "DSPKernels"]),
    // Measurements of a device under test, anything that takes and gives sound: response, distortion, levels, time.
    .target(
      name: "Measurement",
      dependencies: ["AudioCore", "LibraryReference", "Loudness", "Processes", "SoundFile", "Spectrum"]),
    // Graphs and units as devices under test.
    .target(
      name: "GraphMeasurement",
      dependencies: [
        "AudioCore", "AudioEngine", "BatchRender", "BuiltInUnits", "DeviceUnits", "Hardware", "Measurement",
        "Processes", "RenderGraph",
      ]),
  ])

// Suites, checks and goldens.
package.targets += targets(
  in: "Sources/Verification",
  [
    // The law of each unit as its page has it, a plain program in float64: what the cross of units is judged by. Imports
    //    nothing of the engine.
    .target(name: "UnitLaws"),
    // Verification: suites, checks, goldens.
    .target(
      name: "Verification",
      dependencies: [
        "AudioCore", "AudioEngine", "BatchRender", "BuiltInUnits", "Digests", "DSPKernels", "GraphMeasurement",
        "Hardware", "LibraryReference", "Loudness", "Measurement", "Processes", "SoundFile", "Spectrum", "UnitLaws",
      ],
      resources: [.embedInCode("Resources/suite-file.frame.json")]),
    // The same checks as expectations of Swift Testing, for third-party packages.
    .target(
      name: "VerificationTesting",
      dependencies: ["AudioCore", "BatchRender", "GraphMeasurement", "Measurement", "Reporting", "Verification"]),
  ])

// Graph files, the offline renderer, and many files in one run.
package.targets += targets(
  in: "Sources/Batch",
  [
    // Graph files and the offline renderer.
    .target(
      name: "BatchRender",
      dependencies: [
        "AudioCore", "AudioEngine", "AudioUnits", "BuiltInUnits", "DeviceUnits", "DSPKernels", "Hardware", "JSONFiles",
        "Processes", "RenderGraph", "SampleRate", "SoundFile", "Tags", "Transcripts",
      ],
      resources: [.embedInCode("Resources/graph-file.frame.json")]),
    // Many files in one run: which output is made of which inputs, on every core.
    .target(
      name: "Batch",
      dependencies: [
        "AudioCore", "AudioEngine", "BatchRender", "BuiltInUnits", "Digests", "Journal", "Loudness", "Processes",
        "RenderGraph", "SampleRate", "SoundFile", "Tags",
      ]),
    // Outputs of a batch and their inputs, kept across runs that are killed: the only target that calls SQLite.
    .target(name: "Journal", dependencies: ["AudioCore", "CSQLite", "Digests"]),
    // Shards of a batch as arrays of Slurm: the only target that runs Slurm's commands.
    .target(name: "Slurm", dependencies: ["AudioCore", "Processes"]),
  ])

// The cost of a render, node by node.
package.targets += targets(
  in: "Sources/Bench",
  [
    // Findings about a watched render call: the interface between a process and the library that watches it.
    .target(name: "CRenderWatch"),
    // The library that watches: allocations, locks, system calls and denormals with their stacks. Nothing imports it.
    .target(name: "CWatcher", dependencies: ["CRenderWatch"], cSettings: [.unsafeFlags(["-fvisibility=hidden"])]),
    // The cost of a render, node by node: workers that render in turn, and figures with their intervals.
    .target(
      name: "Bench",
      dependencies: [
        "AudioCore", "AudioEngine", "BatchRender", "CRealtime", "CRenderWatch", "Processes", "RenderGraph",
      ]),
  ])

// Figures and reports.
package.targets += targets(
  in: "Sources/Output",
  [
    // Figures of curves and maps as SVG, PNG, PDF and text: the only target that calls libpng and librsvg.
    .target(name: "Plotting", dependencies: ["AudioCore", "CPNG", "Processes"]),
    // Reports of findings, units, graphs and files: figures, text, JSON, DOT, HTML, JUnit.
    .target(
      name: "Reporting",
      dependencies: [
        "AudioCore", "AudioEngine", "AudioUnits", "Batch", "BatchRender", "Bench", "BuiltInUnits", "Measurement",
        "Plotting", "Processes", "RenderGraph", "SoundFile", "Spectrum", "Tags", "Transcripts", "Verification",
      ],
      resources: [.embedInCode("Resources/page.css"), .embedInCode("Resources/page.js")]),
  ])

// The command line.
package.targets += targets(
  in: "Sources/Command",
  [
    // The command line: one file per command.
    .executableTarget(
      name: "aubench",
      dependencies: [
        "AudioCore", "AudioEngine", "AudioToolbox", "AudioUnits", "Batch", "BatchRender", "Bench", "BuiltInUnits",
        "CGetopt", "Digests", "GraphMeasurement", "Hardware", "Journal", "Measurement", "Plotting", "Processes",
        "RenderGraph", "Reporting", "SampleRate", "Slurm", "SoundFile", "Tags", "Transcripts", "Verification",
      ],
      linkerSettings: offersTheInterface)
  ])

// Programs of the benchmarks.
package.targets += targets(
  in: "benchmarks",
  [
    // The cost of the C interface per render call: `swift run -c release interface-cost`.
    .executableTarget(
      name: "interface-cost", dependencies: ["AudioCore", "AudioEngine", "AudioToolbox", "BuiltInUnits", "RenderGraph"]),
    // The cost of a node in each slice: `benchmarks/run --only nodes`.
    .executableTarget(
      name: "node-cost",
      dependencies: ["AudioCore", "AudioEngine", "AudioToolbox", "BuiltInUnits", "DSPKernels", "RenderGraph"]),
    // The cost of a journal of a million outputs: `swift run -c release journal-cost`.
    .executableTarget(name: "journal-cost", dependencies: ["AudioCore", "Digests", "Journal"]),
    // How long a Welch spectrum takes, beside scipy: `benchmarks/run --only welch`.
    .executableTarget(name: "welch-speed", dependencies: ["AudioCore", "Spectrum"]),
  ])

// Support of tests.
package.targets += targets(
  in: "Tests/Support",
  [
    // Tests: one target per target, and what they share.
    .target(name: "CAllocationCounter"),
    // Sizes and offsets of the C interface's structs, as static assertions: building the tests is the test.
    .target(name: "CHeaderChecks", dependencies: ["CAudioToolbox"]),
    .target(name: "TestSupport", dependencies: ["AudioCore"]),
    // Sources, renders and sound files for tests of units.
    .target(
      name: "UnitTestSupport",
      dependencies: [
        "AudioCore", "AudioEngine", "BuiltInUnits", "DeviceUnits", "DSPKernels", "SoundFile", "TestSupport",
      ]),
  ])

// Programs that suites run.
package.targets += targets(
  in: "Tests/Hosts",
  [
    // A host written against the C interface, in C: by it the suites check the interface.
    .executableTarget(
      name: "suite-host", dependencies: ["AudioToolbox", "CAudioToolbox"], linkerSettings: offersTheInterface),
    // Programs against AVFAudio, each with a fault that somebody reported and without it: by it the suites check the classes.
    // It names what AVFoundation passes on: SwiftPM compiles a target anew behind those that it names, and not behind theirs.
    .executableTarget(name: "engine-programs", dependencies: ["AVFAudio", "AVFAudioFiles", "AVFoundation"]),
    // A third-party component, in C: a shared object that notes how it is called. Linked as one, and built as programs are: with all others.
    .executableTarget(
      name: "suite-component", dependencies: ["CAudioToolbox"],
      linkerSettings: [.linkedLibrary("Foundation"), .unsafeFlags(["-Xclang-linker", "-shared"])]),
  ])

// Programs that tests run or that make runs by themselves.
package.targets += targets(
  in: "Tests/Stress",
  [
    // Edits from two threads while a third renders, run under the sanitizers: `make sanitize`.
    .executableTarget(name: "interface-stress", dependencies: ["AudioToolbox", "TestSupport"]),
    // The guarantees of HandOver, tried from several threads under ThreadSanitizer: `make test`.
    .executableTarget(name: "hand-over-stress", dependencies: ["AudioCore", "HandOver", "TestSupport"]),
    // Makes outputs and records them until it is killed: `JournalTests` kill it.
    .executableTarget(name: "journal-writer", dependencies: ["AudioCore", "Digests", "Journal"]),
    // Random calls of every function, with one thread and with several: `make fuzz`.
    .target(name: "CInterfaceFuzz", dependencies: ["CAudioToolbox"]),
    .executableTarget(name: "interface-fuzz", dependencies: ["AudioToolbox", "CInterfaceFuzz", "SampleRate"]),
    .executableTarget(name: "engine-fuzz", dependencies: ["AVFAudio", "AVFAudioFiles", "TestSupport"]),
  ])

// Random devices with known answers, and how often the measured interval holds the truth: `make coverage`.
package.targets += targets(
  in: "Tests/Coverage",
  [
    // Random devices under test with known answers, and how often the truth lies within the measured interval: `make coverage`.
    .target(name: "RandomDevices", dependencies: ["AudioCore", "Measurement", "Spectrum"]),
    .executableTarget(name: "measurement-coverage", dependencies: ["RandomDevices"]),
  ])

// Tests: a target for each target, in the same groups.
package.targets += targets(
  in: "Tests/Libraries",
  [
    .testTarget(name: "SampleRateTests", dependencies: ["AudioCore", "SampleRate", "CSamplerate", "TestSupport"]),
    .testTarget(name: "PacketFilesTests", dependencies: ["AudioCore", "PacketFiles"]),
    .testTarget(
      name: "SoundFileTests",
      dependencies: ["AudioCore", "CFLAC", "CSndfile", "PacketFiles", "SoundFile", "TestSupport"],
      exclude: ["held"]),
    .testTarget(
      name: "TagsTests", dependencies: ["AudioCore", "SoundFile", "Tags", "TestSupport"], exclude: ["Fixtures"]),
    .testTarget(name: "VoiceProcessingTests", dependencies: ["AudioCore", "CAllocationCounter", "VoiceProcessing"]),
    .testTarget(name: "HRTFTests", dependencies: ["AudioCore", "HRTF", "TestSupport"]),
    .testTarget(name: "TimeStretchTests", dependencies: ["AudioCore", "TestSupport", "TimeStretch"]),
    .testTarget(
      name: "LibraryReferenceTests",
      dependencies: ["AudioCore", "LibraryReference", "SampleRate", "SoundFile", "TestSupport"]),
  ])
package.targets += targets(
  in: "Tests/System",
  [
    .testTarget(name: "ProcessesTests", dependencies: ["AudioCore", "CProcess", "Processes", "TestSupport"])
  ])
package.targets += targets(
  in: "Tests/Engine",
  [
    .testTarget(name: "AudioCoreTests", dependencies: ["AudioCore", "TestSupport"], exclude: ["unsafe-tools.txt"]),
    .testTarget(name: "HandOverTests", dependencies: ["AudioCore", "HandOver", "TestSupport"]),
    .testTarget(name: "DSPKernelsTests", dependencies: ["AudioCore", "DSPKernels", "CKernels", "TestSupport"]),
    .testTarget(name: "TranscriptsTests", dependencies: ["AudioCore", "Transcripts"]),
    .testTarget(
      name: "HardwareTests",
      dependencies: [
        "AudioCore", "AudioEngine", "Hardware", "JSONFiles", "SoundFile", "TestSupport", "UnitTestSupport",
      ]),
    .testTarget(
      name: "AudioEngineTests",
      dependencies: [
        "AudioCore", "AudioEngine", "AudioUnits", "BuiltInUnits", "CAllocationCounter", "DeviceUnits", "DSPKernels",
        "Hardware", "TestSupport", "TimeStretch", "UnitTestSupport",
      ],
      exclude: ["held"]),
    .testTarget(
      name: "BuiltInUnitsTests",
      dependencies: [
        "AudioCore", "AudioEngine", "BuiltInUnits", "CAllocationCounter", "DSPKernels", "SampleRate", "SoundFile",
        "TestSupport", "TimeStretch", "UnitTestSupport",
      ]),
    .testTarget(
      name: "DeviceUnitsTests",
      dependencies: [
        "AudioCore", "AudioEngine", "BuiltInUnits", "CAllocationCounter", "DeviceUnits", "Hardware", "SoundFile",
        "TestSupport", "UnitTestSupport",
      ]),
    .testTarget(
      name: "RenderGraphTests",
      dependencies: [
        "AudioCore", "AudioEngine", "BuiltInUnits", "CAllocationCounter", "HandOver", "RenderGraph", "SampleRate",
        "SoundFile", "TestSupport",
      ]),
  ])
package.targets += targets(
  in: "Tests/CoreAudio",
  [
    .testTarget(
      name: "AudioToolboxTests",
      dependencies: [
        "AudioCore", "AudioEngine", "AudioToolbox", "BatchRender", "BuiltInUnits", "CAllocationCounter",
        "CAudioToolbox", "CHeaderChecks", "DSPKernels", "HandOver", "Hardware", "PacketFiles", "RenderGraph",
        "SoundFile", "TestSupport", "TimeStretch",
      ],
      linkerSettings: offersTheInterface),
    // Third-party programs (`Tests/Clients`): built against an installed tree, and run.
    .testTarget(name: "ClientTests", dependencies: ["AudioCore", "AudioToolbox", "CSndfile", "TestSupport"]),
  ])
package.targets += targets(
  in: "Tests/Analysis",
  [
    .testTarget(name: "SpectrumTests", dependencies: ["AudioCore", "Spectrum", "TestSupport"]),
    .testTarget(name: "LoudnessTests", dependencies: ["AudioCore", "Loudness", "TestSupport"]),
    .testTarget(
      name: "MeasurementTests",
      dependencies: [
        "AudioCore", "BatchRender", "DSPKernels", "GraphMeasurement", "Loudness", "Measurement", "RandomDevices",
        "SoundFile", "Spectrum", "TestSupport",
      ],
      exclude: ["held"]),
  ])
package.targets += targets(
  in: "Tests/AVFAudio",
  [
    .testTarget(
      name: "AVFAudioTests",
      dependencies: [
        "AudioCore", "AudioEngine", "AudioToolbox", "AVFAudio", "BatchRender", "BuiltInUnits", "CAllocationCounter",
        "DeviceUnits", "Hardware", "RenderGraph", "SoundFile", "TestSupport", "VerificationTesting", "VoiceProcessing",
      ])
  ])
package.targets += targets(
  in: "Tests/Verification",
  [
    .testTarget(
      name: "VerificationTests",
      dependencies: [
        "AudioCore", "AudioEngine", "BatchRender", "BuiltInUnits", "GraphMeasurement", "Measurement", "Plotting",
        "Reporting", "SoundFile", "TestSupport", "Verification", "VerificationTesting",
      ],
      exclude: ["__goldens__"]),
    // The examples in the comments of Sources, compiled as code of another package: `make held PART=tests` writes them.
    // It names what VerificationTesting passes on: SwiftPM compiles a target anew behind those that it names, and not behind theirs.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "AudioCore", "AudioEngine", "BatchRender", "BuiltInUnits", "DeviceUnits", "GraphMeasurement", "Hardware",
        "Measurement", "RenderGraph", "Verification", "VerificationTesting",
      ], packageAccess: false),
  ])
package.targets += targets(
  in: "Tests/Batch",
  [
    .testTarget(
      name: "BatchRenderTests",
      dependencies: [
        "AudioCore", "AudioEngine", "BatchRender", "BuiltInUnits", "Loudness", "RenderGraph", "SampleRate", "SoundFile",
        "TestSupport",
      ]),
    .testTarget(
      name: "BatchTests", dependencies: ["AudioCore", "Batch", "BatchRender", "Journal", "SoundFile", "TestSupport"]),
    .testTarget(name: "JournalTests", dependencies: ["AudioCore", "Digests", "Journal", "Processes", "TestSupport"]),
  ])
package.targets += targets(
  in: "Tests/Bench",
  [
    .testTarget(name: "BenchTests", dependencies: ["AudioCore", "Bench", "TestSupport"])
  ])
package.targets += targets(
  in: "Tests/Output",
  [
    .testTarget(name: "PlottingTests", dependencies: ["AudioCore", "CPNG", "Plotting", "TestSupport"])
  ])
package.targets += targets(
  in: "Tests/Command",
  [
    .testTarget(name: "CommandLineTests", dependencies: ["TestSupport"])
  ])

// One set of flags for all builds: with other flags everything would be compiled anew.
for target in package.targets where target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
}

// Debug builds of a test's package build this one for debugging too, and a measurement would take a minute or two in them: what renders
// and measures is optimized there as well. SwiftPM takes such flags from a package that is used by path, and not by version.
let isFetched = ["/checkouts/", "/registry/"].contains { (Context.packageDirectory + "/").contains($0) }
let optimized = [
  "AudioCore", "HandOver", "DSPKernels", "SampleRate", "SoundFile", "Spectrum", "Loudness", "Measurement",
  "AudioEngine",
  "BuiltInUnits", "DeviceUnits", "AudioUnits", "RenderGraph", "BatchRender", "GraphMeasurement", "Verification",
  "UnitLaws",
]
if !isFetched {
  let debug = BuildSettingCondition.when(configuration: .debug)
  for target in package.targets {
    if optimized.contains(target.name) {
      // As SwiftPM optimizes a release build: the whole module, and an object for each file. But with the checks of planes.
      let flags = [
        "-O", "-whole-module-optimization", "-disable-batch-mode", "-num-threads", "4", "-assert-config", "Debug",
      ]
      target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags, debug)]
    }
    if target.name == "CKernels" { target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-O2"], debug)] }
  }
  // Not optimized in a release build: the command line, reports and Slurm's commands, which take a fifth of the optimizer's time and no
  // time that a user would notice; and tests of optimized code, but for those that count allocations and instructions of what they call.
  for target in package.targets where target.type == .test || ["aubench", "Reporting", "Slurm"].contains(target.name) {
    let counts = target.dependencies.contains { dependency in
      if case .byNameItem("CAllocationCounter", _) = dependency { true } else { false }
    }
    if counts { continue }
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
  }
}
