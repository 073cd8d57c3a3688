// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// `make` and the scripts ask for this. An app that depends on a checkout may have a compiler with other warnings.
let isStrict = Context.environment["BATON_STRICT"] != nil

let common: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
  + (isStrict ? [.treatAllWarnings(as: .error)] : [])

/// A target with values, codecs and state machines: no Dispatch, no Glibc, no C, no Foundation.
/// `Scripts/check-pure-targets` proves it.
func pure(
  _ name: String,
  in folder: String,
  _ dependencies: [Target.Dependency] = [],
  _ settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: "Sources/\(folder)/\(name)",
    swiftSettings: common + [.strictMemorySafety()] + counted + settings,
    linkerSettings: [.linkedLibrary("m")] + counter
  )
}

/// A target that uses descriptors, clocks or C libraries.
func edge(
  _ name: String,
  in folder: String,
  _ dependencies: [Target.Dependency] = [],
  _ settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: "Sources/\(folder)/\(name)",
    swiftSettings: common + watched + settings,
    linkerSettings: watcher
  )
}

func test(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: common + unwatched)
}

/// `make unit` asks for one half of the suites, because each half is a program of its own. The suites of edge targets
/// run under the address sanitizer, which watches those targets and their C. The suites of pure targets run without it.
let half = Context.environment["BATON_SUITES"]
let isWatched = half == "edge"
let watched: [SwiftSetting] = isWatched ? [.unsafeFlags(["-sanitize=address"])] : []
let watchedC: [CSetting] = isWatched ? [.unsafeFlags(["-fsanitize=address"])] : []
let watcher: [LinkerSetting] = isWatched ? [.unsafeFlags(["-sanitize=address"])] : []

/// Both halves share their pure targets, which count the lines that the tests run. `Scripts/run-units` shows how many.
let counted: [SwiftSetting] = half != nil ? [.unsafeFlags(["-profile-generate", "-profile-coverage-mapping"])] : []
let counter: [LinkerSetting] = half != nil ? [.unsafeFlags(["-profile-generate"])] : []

/// The sanitizers watch the code that is tested, but not the tests' own, which would take a third longer to build.
let unwatched: [SwiftSetting] =
  if Context.environment["BATON_FUZZ"] != nil {
    [.unsafeFlags(llvm("-asan-stack=0", "-asan-instrument-reads=0", "-asan-instrument-writes=0"))]
  } else if Context.environment["BATON_THREADED"] != nil {
    [.unsafeFlags(llvm("-tsan-instrument-memory-accesses=0"))]
  } else {
    []
  }

/// For the command and the agent, which mostly wait: a small program matters more than a fast one. Commands and
/// transfers of files take as long as before. The daemon, and what it shares with them, is optimized for speed.
/// Libraries for apps cannot have this, because SwiftPM would refuse them.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// How the programs are linked for use: by LLVM's linker, because GNU's cannot order functions. The folder `Linking`
/// has what it reads. Functions that a daemon usually runs are next to each other, because the kernel maps the
/// program's file in pieces of 64 KiB (`make order`). Programs without plug-ins export no symbols, and have no tables
/// for exceptions. They look for libraries that a release brings along in `lib/baton`, beside their own folder. There
/// are no compact relocations (RELR), which need glibc 2.36: see `Linking/floor.txt`.
let linked: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld"]
      + linker(
        "--as-needed",
        "--no-export-dynamic",
        "-rpath=$ORIGIN/../lib/baton",
        "--symbol-ordering-file=\(Context.packageDirectory)/Linking/functions.order",
        "--no-warn-symbol-ordering",
        "--no-eh-frame-hdr",
        "--script=\(Context.packageDirectory)/Linking/left-out.ld"
      ),
    .when(configuration: .release)
  )
]

func linker(_ options: String...) -> [String] { options.flatMap { ["-Xlinker", $0] } }
func llvm(_ options: String...) -> [String] { options.flatMap { ["-Xllvm", $0] } }

let pureTargets: [Target] = [
  pure("JSONCoding", in: "Core"),
  pure("Localization", in: "Core"),
  pure("Activity", in: "Core", ["JSONCoding", "Localization"]),
  pure("CommandLineOptions", in: "Core", ["Activity", "Localization"]),
  pure("Varlink", in: "Interfaces", ["JSONCoding"]),
  pure("ControlInterface", in: "Interfaces", ["Activity", "JSONCoding", "Localization", "Varlink"]),
  pure("Handoff", in: "Daemon", ["Activity", "JSONCoding"]),
  pure("ActivityTypes", in: "Agent", ["Activity", "JSONCoding", "Localization"], small),
  pure("Search", in: "Agent", ["Activity", "JSONCoding", "Localization", "Varlink"]),
  pure("Desktop", in: "Agent", ["Activity", "ActivityTypes", "JSONCoding", "Localization", "Varlink"], small),
]

let package = Package(
  name: "baton",
  products: [
    .executable(name: "batond", targets: ["batond"]),
    .executable(name: "baton", targets: ["BatonCommand"]),
    .executable(name: "baton-clipboard", targets: ["ClipboardHelper"]),
    .library(name: "Baton", targets: ["Baton"]),
    // For apps that index their content, with Apple's names.
    .library(name: "CoreSpotlight", targets: ["CoreSpotlight"]),
    .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
  ],
  targets: pureTargets + [
    // C libraries and system calls.
    .target(
      name: "CAvahi",
      path: "Sources/System/CAvahi",
      cSettings: watchedC,
      linkerSettings: [.linkedLibrary("avahi-client"), .linkedLibrary("avahi-common")]
    ),
    .target(
      name: "CSQLite",
      path: "Sources/System/CSQLite",
      cSettings: watchedC,
      linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    .systemLibrary(
      name: "COpenSSL",
      path: "Sources/System/COpenSSL",
      pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"])]
    ),
    .systemLibrary(name: "CLinux", path: "Sources/System/CLinux"),
    // Loaded only when a function of it is called.
    .target(name: "CDigest", path: "Sources/System/CDigest", cSettings: watchedC),
    .target(name: "CSystemd", path: "Sources/System/CSystemd", cSettings: watchedC),
    edge("EventLoop", in: "System", ["CLinux"]),
    edge("Systemd", in: "System", ["Activity", "CSystemd", "EventLoop"]),

    edge("VarlinkServer", in: "Interfaces", ["Activity", "EventLoop", "JSONCoding", "Varlink"]),
    edge(
      "VarlinkClient",
      in: "Interfaces",
      ["Activity", "ControlInterface", "EventLoop", "JSONCoding", "Localization", "Search", "Varlink"]
    ),

    edge("TLS", in: "Daemon", ["Activity", "COpenSSL"]),
    edge("Teams", in: "Daemon", ["Activity", "CLinux", "Handoff", "JSONCoding", "TLS"]),
    edge("Discovery", in: "Daemon", ["Activity", "CAvahi", "EventLoop", "Systemd"]),
    // The performers of the daemon's decisions, and the wiring that joins them.
    edge(
      "BatonDaemon",
      in: "Daemon",
      [
        "Activity", "CLinux", "ControlInterface", "Discovery", "EventLoop", "Handoff", "JSONCoding", "Systemd", "TLS",
        "Teams", "Varlink", "VarlinkServer",
      ]
    ),

    // What hands over pages, terminals and editors.
    edge(
      "Hosts",
      in: "Agent",
      [
        "Activity", "ActivityTypes", "CDigest", "CLinux", "ControlInterface", "Desktop", "EventLoop", "JSONCoding",
        "Localization", "Varlink", "VarlinkClient",
      ],
      small
    ),
    edge(
      "BatonAgent",
      in: "Agent",
      [
        "Activity", "ActivityTypes", "CDigest", "CLinux", "CSQLite", "ControlInterface", "Desktop", "EventLoop",
        "Hosts", "JSONCoding", "Localization", "Search", "Systemd", "Varlink", "VarlinkClient", "VarlinkServer",
      ],
      small
    ),

    // For apps. The first and the last import Foundation.
    edge(
      "Baton",
      in: "Library",
      ["Activity", "CLinux", "ControlInterface", "EventLoop", "JSONCoding", "Search", "Varlink", "VarlinkClient"]
    ),
    edge("UniformTypeIdentifiers", in: "Library"),
    edge(
      "CoreSpotlight",
      in: "Library",
      [
        "Activity", "Baton", "ControlInterface", "EventLoop", "JSONCoding", "Search", "UniformTypeIdentifiers",
        "Varlink", "VarlinkClient",
      ]
    ),

    // Programs.
    .executableTarget(
      name: "batond",
      dependencies: ["Activity", "BatonDaemon", "CommandLineOptions", "Discovery", "EventLoop", "Systemd"],
      path: "Sources/Daemon/batond",
      swiftSettings: common,
      linkerSettings: linked
    ),
    .executableTarget(
      name: "BatonCommand",
      dependencies: [
        "Activity", "ActivityTypes", "BatonAgent", "CLinux", "CommandLineOptions", "ControlInterface", "Desktop",
        "EventLoop", "Hosts", "JSONCoding", "Localization", "Search", "Systemd", "Varlink", "VarlinkClient",
      ],
      path: "Sources/Command/BatonCommand",
      swiftSettings: common + small,
      linkerSettings: linked
    ),

    // What the agent starts to see and set the desktop's selection. Nothing else needs the libraries of desktops.
    .executableTarget(
      name: "ClipboardHelper",
      dependencies: ["CSystemd"],
      path: "Sources/Agent/ClipboardHelper",
      cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [
        .linkedLibrary("wayland-client"), .linkedLibrary("xcb"), .linkedLibrary("xcb-xfixes"),
        // It needs nothing of Swift's runtime.
        .unsafeFlags(["-nostartfiles"] + linker("--gc-sections", "--as-needed", "-rpath=$ORIGIN")),
      ]
    ),

    .executableTarget(
      name: "benchmark",
      dependencies: ["Activity", "ControlInterface", "EventLoop", "JSONCoding", "Varlink", "VarlinkClient"],
      path: "Benchmarks/Benchmark",
      swiftSettings: common
    ),

    // What `Scripts/check-costs` counts.
    .executableTarget(
      name: "costs",
      dependencies: [
        "Activity", "BatonDaemon", "ControlInterface", "EventLoop", "Handoff", "JSONCoding", "TLS", "Varlink",
      ],
      path: "Benchmarks/Costs",
      swiftSettings: common
    ),

    .executableTarget(
      name: "peers",
      dependencies: ["Activity", "EventLoop", "Handoff", "TLS", "Teams"],
      path: "Benchmarks/Peers",
      swiftSettings: common
    ),

    .executableTarget(
      name: "index-benchmark",
      dependencies: ["Activity", "BatonAgent", "JSONCoding", "Search"],
      path: "Benchmarks/IndexBenchmark",
      swiftSettings: common
    ),

    // An example of how to use the library.
    .executableTarget(
      name: "MonkeyBrowser",
      dependencies: ["Baton"],
      path: "Examples/MonkeyBrowser",
      exclude: ["Info.plist", "README.md", "org.example.MonkeyBrowser.desktop"],
      swiftSettings: common
    ),

    // Tests, named after the targets that they test, or after a folder in one.
    test("MonkeyBrowserTests", ["MonkeyBrowser"]),
    test("JSONCodingTests", ["JSONCoding"]),
    test("LocalizationTests", ["Localization"]),
    test("ActivityTests", ["Activity", "JSONCoding", "SeededGenerator"]),
    test("CommandLineOptionsTests", ["Activity", "CommandLineOptions"]),
    test("batondTests", ["BatonDaemon", "CommandLineOptions", "TestSupport", "batond"]),
    test("ControlInterfaceTests", ["Activity", "ControlInterface", "JSONCoding", "Varlink"]),
    test("DesktopEntriesTests", ["Activity", "Desktop", "JSONCoding", "TestSupport"]),
    test(
      "BatonAgentTests",
      [
        "Activity", "BatonAgent", "ChildProcess", "ControlInterface", "Desktop", "EventLoop", "JSONCoding", "Search",
        "Systemd", "TestSupport", "Varlink", "VarlinkClient", "VarlinkServer",
      ]
    ),
    test(
      "VarlinkClientTests",
      [
        "Activity", "ControlInterface", "EventLoop", "JSONCoding", "TestSupport", "Varlink", "VarlinkClient",
        "VarlinkServer",
      ]
    ),
    test("DiagnosisTests", ["Activity", "ControlInterface"]),
    test(
      "SearchClientTests",
      [
        "Activity", "ControlInterface", "EventLoop", "JSONCoding", "Search", "TestSupport", "Varlink", "VarlinkClient",
        "VarlinkServer",
      ]
    ),
    test("SearchInterfaceTests", ["Activity", "JSONCoding", "Search", "Varlink"]),
    test("AgentSettingsTests", ["Activity", "Desktop"]),
    test("SearchTests", ["Activity", "JSONCoding", "Search", "SeededGenerator"]),
    test("DocumentsTests", ["Activity", "ActivityTypes", "JSONCoding"]),
    test("ActivityTypesTests", ["Activity", "ActivityTypes", "JSONCoding"]),
    test(
      "HostsTests",
      [
        "Activity", "ActivityTypes", "ChildProcess", "ControlInterface", "EventLoop", "Hosts", "JSONCoding",
        "TestSupport", "Varlink", "VarlinkClient", "VarlinkServer",
      ]
    ),
    test(
      "SearchIndexTests",
      [
        "Activity", "BatonAgent", "CSQLite", "ChildProcess", "FaultyFiles", "IndexStory", "JSONCoding", "Search",
        "SeededGenerator", "TestSupport", "index-writer",
      ]
    ),
    .target(name: "FaultyFiles", path: "Tests/FaultyFiles", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "IndexStory",
      dependencies: ["Activity", "BatonAgent", "JSONCoding", "Search", "SeededGenerator"],
      path: "Tests/IndexStory",
      swiftSettings: common
    ),
    .executableTarget(
      name: "index-writer",
      dependencies: ["BatonAgent", "IndexStory"],
      path: "Tests/IndexWriter",
      swiftSettings: common
    ),
    test("PlayersTests", ["Activity", "ActivityTypes", "Desktop", "JSONCoding"]),
    test("ClipboardTests", ["Activity", "Desktop", "JSONCoding", "Varlink"]),
    test("TransfersTests", ["Activity", "Desktop"]),
    test(
      "RendezvousTests",
      ["Activity", "ChildProcess", "Handoff", "JSONCoding", "SeededGenerator", "TLS", "TestSupport"]
    ),
    test("FileTransferTests", ["Activity", "BatonAgent", "Desktop", "EventLoop", "TestSupport"]),
    test("NotificationsTests", ["Activity", "Desktop", "SeededGenerator"]),
    test("VarlinkTests", ["JSONCoding", "Varlink"]),
    test("VarlinkServerTests", ["Activity", "EventLoop", "JSONCoding", "TestSupport", "Varlink", "VarlinkServer"]),
    .executableTarget(
      name: "varlink-certification",
      dependencies: ["Activity", "EventLoop", "JSONCoding", "Varlink", "VarlinkServer"],
      path: "Tests/Varlink/Certification",
      swiftSettings: common
    ),
    test("TLSTests", ["Activity", "COpenSSL", "ChildProcess", "SeededGenerator", "TLS", "TestSupport"]),
    test(
      "TeamsTests",
      ["Activity", "ChildProcess", "EventLoop", "Handoff", "JSONCoding", "SeededGenerator", "TLS", "Teams"]
    ),
    test(
      "BatonCommandTests",
      [
        "Activity", "ActivityTypes", "BatonAgent", "BatonCommand", "ChildProcess", "CommandLineOptions",
        "ControlInterface", "EventLoop", "JSONCoding", "Search", "TestSupport", "Varlink", "VarlinkClient",
        "VarlinkServer",
      ]
    ),
    test("ReachabilityTests", ["Activity", "Handoff", "SeededGenerator"]),
    test("PeerProtocolTests", ["Activity", "Handoff", "JSONCoding", "MessageSamples", "SeededGenerator"]),
    test("DiscoveryTests", ["Activity", "CAvahi", "ChildProcess", "Discovery", "EventLoop"]),
    test("ContinuationTests", ["Activity", "Handoff", "SeededGenerator"]),
    test(
      "ContinuationStreamsTests",
      ["Baton", "ChildProcess", "EventLoop", "StreamFixture", "TestSupport", "main-run-loop"]
    ),
    .target(
      name: "StreamFixture",
      dependencies: ["Baton", "TestSupport"],
      path: "Tests/StreamFixture",
      swiftSettings: common
    ),
    .executableTarget(
      name: "main-run-loop",
      dependencies: ["Baton", "StreamFixture", "TestSupport"],
      path: "Tests/MainRunLoop",
      swiftSettings: common
    ),
    test(
      "BatonTests",
      [
        "Activity", "AppleCode5", "AppleCode6", "Baton", "ControlInterface", "EventLoop", "JSONCoding", "Search",
        "SeededGenerator", "TestSupport", "Varlink", "VarlinkClient", "VarlinkServer",
      ]
    ),
    test(
      "CoreSpotlightTests",
      [
        "Activity", "Baton", "ControlInterface", "CoreSpotlight", "EventLoop", "JSONCoding", "Search", "TestSupport",
        "UniformTypeIdentifiers", "Varlink", "VarlinkServer",
      ]
    ),
    // Code as it is written for Apple's platforms. It may cause warnings in the older language mode.
    .target(
      name: "AppleCode5",
      dependencies: ["Baton", "CoreSpotlight", "UniformTypeIdentifiers"],
      path: "Tests/AppleCode/Swift5",
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .target(
      name: "AppleCode6",
      dependencies: ["Baton", "CoreSpotlight", "UniformTypeIdentifiers"],
      path: "Tests/AppleCode/Swift6"
    ),
    .executableTarget(
      name: "handoff-app",
      dependencies: ["Baton", "CoreSpotlight", "UniformTypeIdentifiers"],
      path: "Tests/HandoffApp",
      swiftSettings: common
    ),
    .executableTarget(
      name: "stream-app",
      dependencies: ["Baton"],
      path: "Tests/StreamApp",
      swiftSettings: common
    ),
    .target(name: "ChildProcess", path: "Tests/ChildProcess", swiftSettings: common),
    .target(name: "SeededGenerator", path: "Tests/SeededGenerator", swiftSettings: common),
    .target(
      name: "MessageSamples",
      dependencies: ["Activity", "Handoff", "JSONCoding"],
      path: "Tests/MessageSamples",
      swiftSettings: common
    ),
    .target(
      name: "TestSupport",
      dependencies: [
        "Activity", "BatonDaemon", "ChildProcess", "ControlInterface", "Discovery", "EventLoop", "Handoff",
        "JSONCoding", "Search", "Systemd", "TLS", "Teams", "Varlink", "VarlinkClient", "VarlinkServer",
      ],
      path: "Tests/TestSupport",
      swiftSettings: common
    ),
    test("EventLoopTests", ["CLinux", "ChildProcess", "EventLoop", "SeededGenerator", "TestSupport"]),
    test("SystemdTests", ["Activity", "ChildProcess", "EventLoop", "Systemd", "TestSupport"]),
    test(
      "BatonDaemonTests",
      [
        "Activity", "BatonDaemon", "ControlInterface", "Discovery", "EventLoop", "Handoff", "JSONCoding", "Systemd",
        "TLS", "Teams", "TestSupport", "Varlink", "VarlinkClient",
      ]
    ),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11
)

if let half {
  guard ["edge", "pure"].contains(half) else { fatalError("BATON_SUITES is edge or pure, not \(half)") }
  let pure = Set(pureTargets.map(\.name)).union(["MessageSamples", "SeededGenerator"])
  package.targets.removeAll { target in
    guard target.type == .test else { return false }
    let needsOthers = target.dependencies.contains { dependency in
      if case .byNameItem(let name, _) = dependency { !pure.contains(name) } else { true }
    }
    return needsOthers != (half == "edge")
  }
}

// The thread sanitizer is for the suites of code with threads. `make thread` asks for a package with no other suites,
// because it must not build what it does not run.
if Context.environment["BATON_THREADED"] != nil {
  let threaded: Set = [
    "BatonTests", "BatonAgentTests", "BatonDaemonTests", "ContinuationStreamsTests", "VarlinkClientTests",
    "DiscoveryTests", "EventLoopTests", "SystemdTests", "VarlinkServerTests",
  ]
  let missing = threaded.subtracting(package.targets.lazy.filter { $0.type == .test }.map(\.name))
  if !missing.isEmpty { fatalError("There is no suite \(missing.sorted())") }
  package.targets.removeAll { $0.type == .test && !threaded.contains($0.name) }
}

// The fuzzers. With a library of the compiler, whose path is $BATON_FUZZ, and with instrumentation of what they call,
// they look for new inputs. Otherwise, they only replay inputs. Scripts/run-fuzz does both.
let libFuzzer = Context.environment["BATON_FUZZ"]
if libFuzzer != nil {
  let coverage = "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table"
  for target in package.targets where target.type == .regular {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags([coverage])]
  }
  package.targets.append(.systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"))
}
if libFuzzer != nil || half != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Activity", "ActivityTypes", "Baton", "BatonAgent", "BatonDaemon", "COpenSSL", "CommandLineOptions",
        "ControlInterface", "CoreSpotlight", "Desktop", "Discovery", "EventLoop", "Handoff", "Hosts", "JSONCoding",
        "MessageSamples", "Search", "Systemd", "TLS", "Teams", "Varlink", "VarlinkClient", "VarlinkServer",
      ] + (libFuzzer == nil ? [] : ["CLibFuzzer"]),
      path: "Tests/Fuzz",
      exclude: ["CLibFuzzer", "Corpus"],
      swiftSettings: common + (libFuzzer == nil ? [] : [.define("LIBFUZZER")]),
      linkerSettings: libFuzzer.map { [.unsafeFlags([$0]), .linkedLibrary("stdc++")] } ?? []
    )
  )
}
