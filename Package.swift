// swift-tools-version: 6.2
// The targets in layers, from the bottom up, each with a sentence on what it is for.
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
  ],
  targets: [
    // 0  The C libraries of Debian and glibc's option parser, one module each.
    .systemLibrary(
      name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(
      name: "CSamplerate", pkgConfig: "samplerate", providers: [.apt(["libsamplerate0-dev"])]),
    .systemLibrary(name: "CGetopt"),
    .systemLibrary(name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),
    .systemLibrary(name: "CFFTW", pkgConfig: "fftw3", providers: [.apt(["libfftw3-dev"])]),
    .systemLibrary(name: "CEBUR128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
    .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),

    // 0  The C headers of the Audio Unit system: types, constants, prototypes. No code.
    .target(name: "CAudioToolbox"),
    // 0  The recursive kernels in C, once per instruction set, chosen at start.
    .target(name: "CKernels"),
    // 0  CPU and OS functions that Swift has no name for: flush-to-zero, spin pause, what is left of the stack.
    .target(name: "CRealtime"),
    // 0  What a watched render call has done: how a process talks to the library that watches it.
    .target(name: "CRenderWatch"),
    // 0  That library: allocations, locks, system calls and denormals with their stacks. Nothing imports it.
    .target(name: "CWatcher", dependencies: ["CRenderWatch"], cSettings: [.unsafeFlags(["-fvisibility=hidden"])]),
    // 0  Calls of third-party components, which may throw C++ exceptions or crash.
    .target(name: "CForeign"),
    // 0  TagLib behind functions of C: texts and pictures in the forms that sound files have.
    .target(name: "CTagLib", linkerSettings: [.linkedLibrary("tag")]),
    // 0  Libraries that a machine may have: what loads one when it is first asked for.
    .target(name: "COptionalLibrary", linkerSettings: [.linkedLibrary("dl"), .linkedLibrary("m")]),
    // 0  libmpg123, which libsndfile decodes MP3 with, without its words on standard error.
    .target(name: "CMPEGDecoder", linkerSettings: [.linkedLibrary("dl")]),
    // 0  libspeexdsp, looked for when it is first asked for: everything else works without it.
    .target(name: "CSpeexDSP", dependencies: ["COptionalLibrary"]),
    // 0  libmysofa, looked for in the same way.
    .target(name: "CMySOFA", dependencies: ["COptionalLibrary"]),
    // 0  SoundTouch, looked for when it is first asked for: everything else works without it.
    .target(name: "CSoundTouch", dependencies: ["COptionalLibrary"]),
    // 0  POSIX calls that Swift cannot make safely: starting, supervising and ending processes, waiting for signals.
    .target(name: "CProcess"),

    // 1  Formats, buffers, time, status, errors: the types that all other targets use.
    .target(name: "AudioCore", dependencies: ["CRealtime"], linkerSettings: [.linkedLibrary("m")]),
    // 1  Queues that hand objects to the render side and return them to be freed, without a wait; threads that take parts of its work.
    .target(name: "HandOver", dependencies: ["AudioCore", "CRealtime"]),
    // 1  Arithmetic on spans: small, pure, testable alone.
    .target(name: "DSPKernels", dependencies: ["AudioCore", "CKernels"]),
    // 1  Sample rate conversion: the only target of the engine that calls libsamplerate and libsoxr.
    .target(name: "SampleRate", dependencies: ["AudioCore", "DSPKernels", "CSamplerate", "CSoxr"]),
    // 1  Sound files: the only target of the engine that calls libsndfile.
    .target(name: "SoundFile", dependencies: ["AudioCore", "CMPEGDecoder", "DSPKernels", "CSndfile"]),
    // 1  Tags and pictures of sound files: the only target that calls TagLib.
    .target(name: "Tags", dependencies: ["AudioCore", "CTagLib", "SoundFile"]),
    // 1  Reference conversions and files by libsamplerate, libsoxr and libsndfile, called directly: verification compares the
    //    engine with them. The engine must not import it.
    .target(name: "LibraryReference", dependencies: ["AudioCore", "CSamplerate", "CSndfile", "CSoxr"]),
    // 1  Fourier transforms and what is made of them: the only target that calls FFTW, whose licence is the GPL. The
    //    engine and the C interface must not import it.
    .target(name: "Spectrum", dependencies: ["AudioCore", "CFFTW", "CKernels"]),
    // 1  Loudness and true peak: the only target that calls libebur128.
    .target(name: "Loudness", dependencies: ["AudioCore", "CEBUR128"]),
    // 1  Echo cancellation and gain control of a microphone: the only target that calls libspeexdsp.
    .target(name: "VoiceProcessing", dependencies: ["AudioCore", "CSpeexDSP"]),
    // 1  What reaches both ears from any direction: the only target that calls libmysofa.
    .target(name: "HRTF", dependencies: ["AudioCore", "CMySOFA", "DSPKernels"]),
    // 1  Tempo and pitch apart from one another: the only target that calls SoundTouch.
    .target(name: "TimeStretch", dependencies: ["AudioCore", "CSoundTouch"]),
    // 1  JSON documents that people write: the only target that calls jansson.
    .target(name: "JSONFiles", dependencies: ["AudioCore", "CJansson"]),
    // 1  A transcript of the calls between a program, its units and the hardware.
    .target(name: "Transcripts", dependencies: ["AudioCore", "CRealtime"]),
    // 1  Child processes, temporary folders, and how the program ends by a signal.
    .target(name: "Processes", dependencies: ["AudioCore", "CProcess"]),
    // 1  Digests of contents: the only target that calls xxHash.
    .target(name: "Digests", dependencies: ["AudioCore", "CXXHash"]),
    // 2  What a batch has made of what, kept across runs that are killed: the only target that calls SQLite.
    .target(name: "Journal", dependencies: ["AudioCore", "CSQLite", "Digests"]),
    // 2  Shards of a batch as arrays of Slurm: the only target that runs Slurm's commands.
    .target(name: "Slurm", dependencies: ["AudioCore", "Processes"]),
    // 2  Figures of curves and maps as SVG, PNG, PDF and text: the only target that calls libpng and librsvg.
    .target(name: "Plotting", dependencies: ["AudioCore", "CPNG", "Processes"]),
    // 2  Measurements of a device under test, anything that takes and gives sound: response, distortion, levels, time.
    .target(
      name: "Measurement",
      dependencies: ["AudioCore", "LibraryReference", "Loudness", "Processes", "SoundFile", "Spectrum"]),

    // 2  The simulated hardware: its clock, what it records and plays, and scenarios that say what happens to it.
    .target(name: "Hardware", dependencies: ["AudioCore", "JSONFiles", "SampleRate", "SoundFile", "Transcripts"]),

    // 3  The unit model, the render half of a unit, and one file per built-in unit.
    .target(
      name: "AudioUnits",
      dependencies: [
        "AudioCore", "DSPKernels", "HandOver", "Hardware", "HRTF", "SampleRate", "SoundFile", "TimeStretch",
        "VoiceProcessing",
        "CRealtime",
      ]),
    // 3  Topology: edits, the compiled plan, threads.
    .target(name: "RenderGraph", dependencies: ["AudioCore", "AudioUnits", "HandOver", "Transcripts"]),
    // 4  The C interface of the Audio Unit system: a translation onto the engine, a folder per header.
    .target(
      name: "AudioToolbox",
      dependencies: [
        "AudioCore", "AudioUnits", "CAudioToolbox", "CForeign", "CProcess", "CRealtime", "DSPKernels", "Processes",
        "RenderGraph", "SampleRate", "SoundFile", "Transcripts",
      ],
      resources: [.embedInCode("Resources/channel-layouts.tsv"), .embedInCode("Resources/property-names.tsv")],
      // CoreFoundation's functions.
      linkerSettings: [.linkedLibrary("Foundation")]),
    // 5  Looks at one third-party component, in a process of its own.
    .executableTarget(
      name: "aubench-scan", dependencies: ["AudioToolbox", "CProcess"], linkerSettings: offersTheInterface),
    // 5  Graph files and the offline renderer.
    .target(
      name: "BatchRender",
      dependencies: [
        "AudioCore", "DSPKernels", "AudioUnits", "JSONFiles", "Processes", "RenderGraph", "SampleRate", "SoundFile",
        "Tags",
        "Transcripts",
      ],
      resources: [.embedInCode("Resources/graph-file.frame.json")]),
    // 6  What a render costs, node by node: workers that render in turn, and figures with their intervals.
    .target(
      name: "Bench",
      dependencies: [
        "AudioCore", "AudioUnits", "BatchRender", "CRealtime", "CRenderWatch", "Processes", "RenderGraph",
      ]),
    // 6  Many files in one run: which output is made of which inputs, on every core.
    .target(
      name: "Batch",
      dependencies: [
        "AudioCore", "AudioUnits", "BatchRender", "Digests", "Journal", "Loudness", "Processes", "RenderGraph",
        "SampleRate",
        "SoundFile", "Tags",
      ]),
    // 6  Graphs and units as devices under test.
    .target(
      name: "GraphMeasurement",
      dependencies: ["AudioCore", "AudioUnits", "BatchRender", "Hardware", "Measurement", "Processes", "RenderGraph"]),
    // 7  Verification: suites, checks, goldens.
    .target(
      name: "Verification",
      dependencies: [
        "AudioCore", "AudioUnits", "BatchRender", "DSPKernels", "Digests", "GraphMeasurement", "LibraryReference",
        "Loudness", "Measurement", "Processes", "SoundFile", "Spectrum",
      ],
      resources: [.embedInCode("Resources/suite-file.frame.json")]),
    // 8  Reports of findings, units, graphs and files: figures, text, JSON, DOT, HTML, JUnit.
    .target(
      name: "Reporting",
      dependencies: [
        "AudioCore", "AudioUnits", "Batch", "BatchRender", "Bench", "Measurement", "Plotting", "Processes",
        "RenderGraph",
        "SoundFile", "Spectrum", "Transcripts", "Verification",
      ],
      resources: [.embedInCode("Resources/page.css"), .embedInCode("Resources/page.js")]),
    // 9  The same checks as expectations of Swift Testing, for third-party packages.
    .target(
      name: "VerificationTesting",
      dependencies: ["AudioCore", "BatchRender", "GraphMeasurement", "Measurement", "Reporting", "Verification"]),
    // 9  The command line: one file per command.
    .executableTarget(
      name: "aubench",
      dependencies: [
        "AudioCore", "AudioToolbox", "AudioUnits", "Batch", "BatchRender", "Bench", "Hardware", "RenderGraph",
        "SampleRate", "SoundFile",
        "CGetopt", "Digests", "Tags",
        "GraphMeasurement", "Journal", "Measurement", "Plotting", "Processes", "Reporting", "Slurm", "Transcripts",
        "Verification",
      ],
      linkerSettings: offersTheInterface),

    // What the C interface costs per render call: `swift run -c release interface-cost`.
    .executableTarget(
      name: "interface-cost", dependencies: ["AudioCore", "AudioToolbox", "AudioUnits", "RenderGraph"],
      path: "benchmarks/interface-cost"),

    // What a node costs in each slice: `benchmarks/run --only nodes`.
    .executableTarget(
      name: "node-cost", dependencies: ["AudioCore", "AudioToolbox", "AudioUnits", "DSPKernels", "RenderGraph"],
      path: "benchmarks/node-cost"),

    // What a journal of a million outputs costs: `swift run -c release journal-cost`.
    .executableTarget(
      name: "journal-cost", dependencies: ["AudioCore", "Digests", "Journal"], path: "benchmarks/journal-cost"),

    // How long a Welch spectrum takes, beside scipy: `benchmarks/run --only welch`.
    .executableTarget(
      name: "welch-speed", dependencies: ["Spectrum"], path: "benchmarks/welch-speed"),

    // Edits from two threads while a third renders, run under the sanitizers: `make sanitize`.
    .executableTarget(
      name: "interface-stress", dependencies: ["AudioToolbox", "TestSupport"], path: "Tests/Stress/interface-stress"),

    // The guarantees of HandOver, tried from several threads under ThreadSanitizer: `make test`.
    .executableTarget(
      name: "hand-over-stress", dependencies: ["AudioCore", "HandOver", "TestSupport"],
      path: "Tests/Stress/hand-over-stress"),

    // Makes outputs and records them until it is killed: `JournalTests` kill it.
    .executableTarget(
      name: "journal-writer", dependencies: ["AudioCore", "Digests", "Journal"],
      path: "Tests/Stress/journal-writer"),

    // Random devices under test with known answers, and how often the truth lies within the measured interval: `make coverage`.
    .target(
      name: "RandomDevices", dependencies: ["AudioCore", "Measurement", "Spectrum"],
      path: "Tests/Coverage/RandomDevices"),
    .executableTarget(
      name: "measurement-coverage", dependencies: ["RandomDevices"], path: "Tests/Coverage/measurement-coverage"),

    // A host written against the C interface, in C: by it the suites check the interface.
    .executableTarget(
      name: "suite-host", dependencies: ["AudioToolbox", "CAudioToolbox"], path: "Tests/Hosts/suite-host"),

    // Random calls of every function, with one thread and with several: `make fuzz`.
    .target(name: "CInterfaceFuzz", dependencies: ["CAudioToolbox"], path: "Tests/Stress/CInterfaceFuzz"),
    .executableTarget(
      name: "interface-fuzz", dependencies: ["AudioToolbox", "CInterfaceFuzz", "SampleRate"],
      path: "Tests/Stress/interface-fuzz"),

    // Tests: one target per target, and what they share.
    .target(name: "CAllocationCounter", path: "Tests/Support/CAllocationCounter"),
    // Sizes and offsets of the C interface's structs, as static assertions: building the tests is the test.
    .target(name: "CHeaderChecks", dependencies: ["CAudioToolbox"], path: "Tests/Support/CHeaderChecks"),
    .target(name: "TestSupport", dependencies: ["AudioCore"], path: "Tests/Support/TestSupport"),
    .testTarget(
      name: "AudioCoreTests", dependencies: ["AudioCore", "TestSupport"], exclude: ["unsafe-tools.txt"]),
    .testTarget(name: "HandOverTests", dependencies: ["AudioCore", "HandOver", "TestSupport"]),
    .testTarget(name: "DSPKernelsTests", dependencies: ["AudioCore", "DSPKernels", "CKernels", "TestSupport"]),
    .testTarget(name: "SampleRateTests", dependencies: ["AudioCore", "SampleRate", "CSamplerate", "TestSupport"]),
    .testTarget(
      name: "SoundFileTests", dependencies: ["AudioCore", "SoundFile", "CSndfile", "TestSupport"], exclude: ["held"]),
    .testTarget(
      name: "TagsTests", dependencies: ["AudioCore", "SoundFile", "Tags", "TestSupport"], exclude: ["Fixtures"]),
    .testTarget(name: "HRTFTests", dependencies: ["AudioCore", "HRTF", "TestSupport"]),
    .testTarget(name: "VoiceProcessingTests", dependencies: ["AudioCore", "CAllocationCounter", "VoiceProcessing"]),
    .testTarget(
      name: "TimeStretchTests", dependencies: ["AudioCore", "TestSupport", "TimeStretch"]),
    .testTarget(
      name: "HardwareTests", dependencies: ["AudioCore", "Hardware", "JSONFiles", "SoundFile", "TestSupport"]),
    .testTarget(
      name: "AudioUnitsTests",
      dependencies: [
        "AudioCore", "AudioUnits", "DSPKernels", "SampleRate", "SoundFile", "CAllocationCounter", "TestSupport",
        "TimeStretch",
      ],
      exclude: ["held"]),
    .testTarget(
      name: "RenderGraphTests",
      dependencies: [
        "AudioCore", "AudioUnits", "HandOver", "RenderGraph", "SampleRate", "SoundFile", "CAllocationCounter",
        "TestSupport",
      ]),
    .testTarget(name: "BenchTests", dependencies: ["AudioCore", "Bench", "TestSupport"]),
    .testTarget(
      name: "BatchTests", dependencies: ["AudioCore", "Batch", "BatchRender", "Journal", "SoundFile", "TestSupport"]),
    .testTarget(
      name: "BatchRenderTests",
      dependencies: [
        "AudioCore", "AudioUnits", "BatchRender", "Loudness", "RenderGraph", "SampleRate", "SoundFile", "TestSupport",
      ]),
    .testTarget(
      name: "AudioToolboxTests",
      dependencies: [
        "AudioCore", "AudioToolbox", "AudioUnits", "BatchRender", "CAllocationCounter", "CAudioToolbox",
        "CHeaderChecks", "DSPKernels", "HandOver", "RenderGraph", "SoundFile", "TestSupport", "TimeStretch",
      ],
      linkerSettings: offersTheInterface),
    .testTarget(
      name: "JournalTests", dependencies: ["AudioCore", "Digests", "Journal", "Processes", "TestSupport"]),
    .testTarget(name: "TranscriptsTests", dependencies: ["AudioCore", "Transcripts"]),
    .testTarget(name: "ProcessesTests", dependencies: ["AudioCore", "CProcess", "Processes", "TestSupport"]),
    .testTarget(
      name: "LibraryReferenceTests",
      dependencies: ["AudioCore", "LibraryReference", "SampleRate", "SoundFile", "TestSupport"]),
    .testTarget(name: "SpectrumTests", dependencies: ["AudioCore", "Spectrum", "TestSupport"]),
    .testTarget(name: "LoudnessTests", dependencies: ["AudioCore", "Loudness", "TestSupport"]),
    .testTarget(name: "PlottingTests", dependencies: ["AudioCore", "CPNG", "Plotting", "TestSupport"]),
    .testTarget(
      name: "MeasurementTests",
      dependencies: [
        "AudioCore", "AudioUnits", "BatchRender", "DSPKernels", "GraphMeasurement", "Measurement", "RandomDevices",
        "SoundFile", "Spectrum",
        "TestSupport",
      ],
      exclude: ["held"]),
    .testTarget(
      name: "VerificationTests",
      dependencies: [
        "AudioCore", "AudioUnits", "BatchRender", "GraphMeasurement", "Measurement", "Plotting", "SoundFile",
        "Reporting", "TestSupport", "Verification", "VerificationTesting",
      ],
      exclude: ["__goldens__"]),
    .testTarget(name: "CommandLineTests", dependencies: ["TestSupport"]),
    // Third-party programs (`Tests/Clients`): built against an installed tree, and run.
    .testTarget(name: "ClientTests", dependencies: ["AudioCore", "AudioToolbox", "CSndfile", "TestSupport"]),
  ],
  cLanguageStandard: .gnu17
)

// One set of flags for all builds: with other flags everything would be compiled anew.
for target in package.targets where target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
}

// Debug builds of a test's package build this one for debugging too, and a measurement would take a minute or two in them: what renders
// and measures is optimized there as well. SwiftPM takes such flags from a package that is used by path, and not by version.
let isFetched = ["/checkouts/", "/registry/"].contains { (Context.packageDirectory + "/").contains($0) }
let optimized = [
  "AudioCore", "HandOver", "DSPKernels", "SampleRate", "SoundFile", "Spectrum", "Loudness", "Measurement", "AudioUnits",
  "RenderGraph",
  "BatchRender", "GraphMeasurement", "Verification",
]
if !isFetched {
  let debug = BuildSettingCondition.when(configuration: .debug)
  for target in package.targets {
    if optimized.contains(target.name) {
      // As SwiftPM optimizes a release build: the whole module, and an object for each file.
      let flags = ["-O", "-whole-module-optimization", "-disable-batch-mode", "-num-threads", "4"]
      target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags, debug)]
    }
    if target.name == "CKernels" { target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-O2"], debug)] }
  }
}
