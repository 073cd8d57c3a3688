// swift-tools-version: 6.2
import PackageDescription

/// `make` and the scripts ask for this. An app that depends on a checkout may have a compiler with other warnings.
let isStrict = Context.environment["BATON_STRICT"] != nil

let common: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
  + (isStrict ? [.treatAllWarnings(as: .error)] : [])

/// A target with values, codecs and state machines: no Dispatch, no Glibc, no C, no Foundation.
/// `Scripts/check-pure-targets` proves it.
func pure(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    swiftSettings: common + [.strictMemorySafety()],
    linkerSettings: [.linkedLibrary("m")]
  )
}

/// A target that uses descriptors, clocks or C libraries.
func edge(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: common + watched, linkerSettings: watcher)
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

/// The sanitizers watch the code that is tested, but not the tests' own, which would take a third longer to build.
let unwatched: [SwiftSetting] =
  if Context.environment["BATON_FUZZ"] != nil {
    [.unsafeFlags(llvm("-asan-stack=0", "-asan-instrument-reads=0", "-asan-instrument-writes=0"))]
  } else if Context.environment["BATON_THREADED"] != nil {
    [.unsafeFlags(llvm("-tsan-instrument-memory-accesses=0"))]
  } else {
    []
  }

/// How the programs are linked for use: by LLVM's linker, because GNU's cannot order functions. Programs without
/// plug-ins export no symbols, and relocations that only add the program's address take 7 KiB instead of 900.
let linked: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"],
    .when(configuration: .release)
  )
]

/// Places the functions that a daemon usually runs next to each other, because the kernel maps the program's file in
/// pieces of 64 KiB. `Scripts/order-functions` writes the list. What the list does not name comes after it.
let ordered: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/Sources/batond/functions.order",
      "-Xlinker", "--no-warn-symbol-ordering",
    ],
    .when(configuration: .release)
  )
]

func llvm(_ options: String...) -> [String] { options.flatMap { ["-Xllvm", $0] } }

let pureTargets: [Target] = [
  pure("JSONCoding"),
  pure("Activity", ["JSONCoding"]),
  pure("CommandLineOptions", ["Activity"]),
  pure("PeerProtocol", ["Activity", "JSONCoding"]),
  pure("Continuation", ["Activity", "PeerProtocol"]),
  pure("Reachability", ["Activity", "JSONCoding"]),
  pure("Varlink", ["JSONCoding"]),
  pure("ControlInterface", ["Activity", "JSONCoding", "Varlink"]),
  pure("Diagnosis", ["Activity", "ControlInterface"]),
  pure("Notifications", ["Activity"]),
  pure("DesktopEntries", ["Activity", "JSONCoding"]),
  pure("Search", ["Activity", "JSONCoding", "Varlink"]),
  pure("AgentSettings", ["Activity"]),
  pure("Documents", ["Activity", "JSONCoding"]),
  pure("ActivityTypes", ["Activity", "Documents", "JSONCoding"]),
  pure("Players", ["Activity", "ActivityTypes", "AgentSettings"]),
  pure("Transfers", ["Activity", "JSONCoding", "Varlink"]),
  pure("Rendezvous", ["Activity", "JSONCoding", "PeerProtocol"]),
  pure("Clipboard", ["Activity", "JSONCoding", "Varlink"]),
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
    // C libraries.
    .target(
      name: "CAvahi",
      cSettings: watchedC,
      linkerSettings: [.linkedLibrary("avahi-client"), .linkedLibrary("avahi-common")]
    ),
    .target(name: "CSQLite", cSettings: watchedC, linkerSettings: [.linkedLibrary("sqlite3")]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

    // Edge.
    edge("EventLoop", ["CLinux"]),
    edge("FileTransfer", ["Activity", "CLinux", "COpenSSL", "EventLoop", "JSONCoding", "Transfers"]),
    edge("TLS", ["Activity", "COpenSSL"]),
    edge("Teams", ["Activity", "CLinux", "JSONCoding", "PeerProtocol", "Rendezvous", "TLS"]),
    edge("Systemd", ["Activity", "CSystemd", "EventLoop"]),
    edge("Discovery", ["Activity", "CAvahi", "EventLoop", "Systemd"]),
    edge("SearchIndex", ["Activity", "CSQLite", "JSONCoding", "Search"]),
    edge("VarlinkService", ["Activity", "EventLoop", "JSONCoding", "Varlink"]),
    edge("ControlClient", ["Activity", "ControlInterface", "EventLoop", "JSONCoding", "Varlink"]),
    edge(
      "BatonAgent",
      [
        "Activity", "ActivityHosts", "ActivityTypes", "AgentSettings", "CLinux", "Clipboard", "ControlClient",
        "ControlInterface", "DesktopEntries", "Documents", "EventLoop", "FileTransfer", "JSONCoding", "Notifications",
        "Players", "Search", "SearchIndex", "Systemd", "Transfers", "Varlink", "VarlinkService",
      ]
    ),
    // What hands over pages, terminals and editors.
    edge(
      "ActivityHosts",
      [
        "Activity", "ActivityTypes", "AgentSettings", "CLinux", "COpenSSL", "ControlClient", "ControlInterface",
        "Documents", "EventLoop", "JSONCoding", "Notifications", "Varlink",
      ]
    ),
    // The shells that carry out decisions, and the wiring that joins them.
    edge(
      "BatonDaemon",
      [
        "Activity", "CLinux", "Continuation", "ControlInterface", "Diagnosis", "Discovery", "EventLoop", "JSONCoding",
        "PeerProtocol", "Reachability", "Rendezvous", "Systemd", "TLS", "Teams", "Varlink", "VarlinkService",
      ]
    ),

    // For apps. These targets import Foundation.
    edge(
      "SearchClient",
      ["Activity", "ControlClient", "ControlInterface", "EventLoop", "JSONCoding", "Search", "Varlink"]
    ),
    edge("ContinuationStreams", ["Activity", "CLinux", "EventLoop"]),
    edge(
      "Baton",
      [
        "Activity", "ContinuationStreams", "ControlClient", "ControlInterface", "EventLoop", "JSONCoding", "Search",
        "SearchClient", "Varlink",
      ]
    ),
    edge("UniformTypeIdentifiers", []),
    edge(
      "CoreSpotlight",
      [
        "Activity", "Baton", "ControlClient", "ControlInterface", "EventLoop", "JSONCoding", "Search", "SearchClient",
        "UniformTypeIdentifiers", "Varlink",
      ]
    ),

    // Programs.
    .executableTarget(
      name: "batond",
      dependencies: ["Activity", "BatonDaemon", "CommandLineOptions", "Discovery", "EventLoop", "Systemd"],
      exclude: ["functions.order"],
      swiftSettings: common,
      linkerSettings: linked + ordered
    ),
    .executableTarget(
      name: "BatonCommand",
      dependencies: [
        "Activity", "ActivityHosts", "ActivityTypes", "AgentSettings", "BatonAgent", "CLinux", "Clipboard",
        "CommandLineOptions", "ControlClient", "ControlInterface", "Diagnosis", "Documents", "EventLoop", "JSONCoding",
        "Search", "Systemd", "Transfers", "Varlink",
      ],
      swiftSettings: common,
      linkerSettings: linked
    ),

    // What the agent starts to see and set the desktop's selection. Nothing else needs the libraries of desktops.
    .executableTarget(
      name: "ClipboardHelper",
      cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [
        .linkedLibrary("wayland-client"), .linkedLibrary("xcb"), .linkedLibrary("xcb-xfixes"),
        // It needs nothing of Swift's runtime.
        .unsafeFlags(["-nostartfiles", "-Xlinker", "--gc-sections", "-Xlinker", "--as-needed"]),
      ]
    ),

    .executableTarget(
      name: "benchmark",
      dependencies: ["Activity", "ControlClient", "ControlInterface", "EventLoop", "JSONCoding", "Varlink"],
      path: "Benchmarks/Benchmark",
      swiftSettings: common
    ),

    // What `Scripts/check-costs` counts.
    .executableTarget(
      name: "costs",
      dependencies: [
        "Activity", "BatonDaemon", "ControlInterface", "EventLoop", "JSONCoding", "PeerProtocol", "TLS", "Varlink",
      ],
      path: "Benchmarks/Costs",
      swiftSettings: common
    ),

    .executableTarget(
      name: "peers",
      dependencies: ["Activity", "EventLoop", "PeerProtocol", "TLS", "Teams"],
      path: "Benchmarks/Peers",
      swiftSettings: common
    ),

    .executableTarget(
      name: "index-benchmark",
      dependencies: ["Activity", "JSONCoding", "Search", "SearchIndex"],
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

    // Tests, named after the targets that they test.
    test("MonkeyBrowserTests", ["MonkeyBrowser"]),
    test("JSONCodingTests", ["JSONCoding"]),
    test("ActivityTests", ["Activity", "JSONCoding", "SeededGenerator"]),
    test("CommandLineOptionsTests", ["Activity", "CommandLineOptions"]),
    test("batondTests", ["BatonDaemon", "CommandLineOptions", "TestSupport", "batond"]),
    test("ControlInterfaceTests", ["Activity", "ControlInterface", "JSONCoding", "Varlink"]),
    test("DesktopEntriesTests", ["Activity", "DesktopEntries", "JSONCoding", "TestSupport"]),
    test(
      "BatonAgentTests",
      [
        "Activity", "BatonAgent", "ChildProcess", "ControlClient", "ControlInterface", "DesktopEntries", "EventLoop",
        "JSONCoding", "Notifications", "Search", "SearchIndex", "Systemd", "TestSupport", "Varlink", "VarlinkService",
      ]
    ),
    test(
      "ControlClientTests",
      [
        "Activity", "ControlClient", "ControlInterface", "EventLoop", "JSONCoding", "TestSupport", "Varlink",
        "VarlinkService",
      ]
    ),
    test("DiagnosisTests", ["Activity", "ControlInterface", "Diagnosis"]),
    test(
      "SearchClientTests",
      [
        "Activity", "ControlClient", "ControlInterface", "EventLoop", "JSONCoding", "Search", "SearchClient",
        "TestSupport", "Varlink", "VarlinkService",
      ]
    ),
    test("SearchInterfaceTests", ["Activity", "JSONCoding", "Search", "Varlink"]),
    test("AgentSettingsTests", ["Activity", "AgentSettings"]),
    test("SearchTests", ["Activity", "JSONCoding", "Search", "SeededGenerator"]),
    test("DocumentsTests", ["Activity", "Documents", "JSONCoding"]),
    test("ActivityTypesTests", ["Activity", "ActivityTypes", "Documents", "JSONCoding"]),
    test(
      "ActivityHostsTests",
      [
        "Activity", "ActivityHosts", "ActivityTypes", "ChildProcess", "ControlClient", "ControlInterface", "Documents",
        "EventLoop", "JSONCoding", "TestSupport", "Varlink", "VarlinkService",
      ]
    ),
    test(
      "SearchIndexTests",
      [
        "Activity", "CSQLite", "ChildProcess", "FaultyFiles", "IndexStory", "JSONCoding", "Search", "SearchIndex",
        "SeededGenerator", "TestSupport", "index-writer",
      ]
    ),
    .target(name: "FaultyFiles", path: "Tests/FaultyFiles", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "IndexStory",
      dependencies: ["Activity", "JSONCoding", "Search", "SearchIndex", "SeededGenerator"],
      path: "Tests/IndexStory",
      swiftSettings: common
    ),
    .executableTarget(
      name: "index-writer",
      dependencies: ["IndexStory", "SearchIndex"],
      path: "Tests/IndexWriter",
      swiftSettings: common
    ),
    test("PlayersTests", ["Activity", "ActivityTypes", "AgentSettings", "JSONCoding", "Players"]),
    test("ClipboardTests", ["Activity", "Clipboard", "JSONCoding", "Varlink"]),
    test("TransfersTests", ["Activity", "Transfers"]),
    test(
      "RendezvousTests",
      ["Activity", "ChildProcess", "JSONCoding", "PeerProtocol", "Rendezvous", "SeededGenerator", "TLS", "TestSupport"]
    ),
    test("FileTransferTests", ["EventLoop", "FileTransfer", "TestSupport", "Transfers"]),
    test("NotificationsTests", ["Activity", "Notifications", "SeededGenerator"]),
    test("VarlinkTests", ["JSONCoding", "Varlink"]),
    test("VarlinkServiceTests", ["Activity", "EventLoop", "JSONCoding", "TestSupport", "Varlink", "VarlinkService"]),
    .executableTarget(
      name: "varlink-certification",
      dependencies: ["Activity", "EventLoop", "JSONCoding", "Varlink", "VarlinkService"],
      path: "Tests/Varlink/Certification",
      swiftSettings: common
    ),
    test("TLSTests", ["Activity", "COpenSSL", "ChildProcess", "SeededGenerator", "TLS", "TestSupport"]),
    test(
      "TeamsTests",
      [
        "Activity", "ChildProcess", "EventLoop", "JSONCoding", "PeerProtocol", "Rendezvous", "SeededGenerator", "TLS",
        "Teams",
      ]
    ),
    test(
      "BatonCommandTests",
      [
        "Activity", "ActivityTypes", "BatonAgent", "BatonCommand", "ChildProcess", "CommandLineOptions",
        "ControlClient", "ControlInterface", "Diagnosis", "EventLoop", "JSONCoding", "Search", "TestSupport",
        "Varlink", "VarlinkService",
      ]
    ),
    test("ReachabilityTests", ["Activity", "Continuation", "Reachability", "SeededGenerator"]),
    test("PeerProtocolTests", ["Activity", "JSONCoding", "MessageSamples", "PeerProtocol", "SeededGenerator"]),
    test("DiscoveryTests", ["Activity", "CAvahi", "ChildProcess", "Discovery", "EventLoop"]),
    test("ContinuationTests", ["Activity", "Continuation", "PeerProtocol", "SeededGenerator"]),
    test(
      "ContinuationStreamsTests",
      ["ChildProcess", "ContinuationStreams", "EventLoop", "StreamFixture", "TestSupport", "main-run-loop"]
    ),
    .target(
      name: "StreamFixture",
      dependencies: ["ContinuationStreams", "TestSupport"],
      path: "Tests/StreamFixture",
      swiftSettings: common
    ),
    .executableTarget(
      name: "main-run-loop",
      dependencies: ["ContinuationStreams", "StreamFixture", "TestSupport"],
      path: "Tests/MainRunLoop",
      swiftSettings: common
    ),
    test(
      "BatonTests",
      [
        "Activity", "AppleCode5", "AppleCode6", "Baton", "ContinuationStreams", "ControlClient", "ControlInterface",
        "EventLoop", "JSONCoding", "Search", "SearchClient", "SeededGenerator", "TestSupport", "Varlink",
        "VarlinkService",
      ]
    ),
    test(
      "CoreSpotlightTests",
      [
        "Activity", "Baton", "ControlInterface", "CoreSpotlight", "EventLoop", "JSONCoding", "Search", "TestSupport",
        "UniformTypeIdentifiers", "Varlink", "VarlinkService",
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
      dependencies: ["Activity", "JSONCoding", "PeerProtocol"],
      path: "Tests/MessageSamples",
      swiftSettings: common
    ),
    .target(
      name: "TestSupport",
      dependencies: [
        "Activity", "ChildProcess", "ControlClient", "ControlInterface", "BatonDaemon", "Discovery", "EventLoop",
        "JSONCoding",
        "PeerProtocol", "Search", "Systemd", "TLS", "Teams", "Varlink", "VarlinkService",
      ],
      path: "Tests/TestSupport",
      swiftSettings: common
    ),
    test("EventLoopTests", ["CLinux", "ChildProcess", "EventLoop", "SeededGenerator", "TestSupport"]),
    test("SystemdTests", ["Activity", "ChildProcess", "EventLoop", "Systemd", "TestSupport"]),
    test(
      "BatonDaemonTests",
      [
        "Activity", "Continuation", "ControlClient", "ControlInterface", "BatonDaemon", "Discovery", "EventLoop",
        "JSONCoding",
        "PeerProtocol", "Reachability", "Systemd", "TLS", "Teams", "TestSupport", "Varlink",
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
    "BatonTests", "BatonAgentTests", "BatonDaemonTests", "ContinuationStreamsTests", "ControlClientTests",
    "DiscoveryTests", "EventLoopTests", "SystemdTests", "VarlinkServiceTests",
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
        "Activity", "ActivityHosts", "ActivityTypes", "Baton", "BatonAgent", "COpenSSL", "Clipboard",
        "CommandLineOptions", "Continuation", "ControlClient", "ControlInterface", "CoreSpotlight", "BatonDaemon",
        "DesktopEntries", "Discovery", "Documents", "EventLoop", "FileTransfer", "JSONCoding", "MessageSamples",
        "Notifications", "PeerProtocol", "Players", "Reachability", "Rendezvous", "Search", "Systemd",
        "TLS", "Teams", "Transfers", "Varlink", "VarlinkService",
      ] + (libFuzzer == nil ? [] : ["CLibFuzzer"]),
      path: "Tests/Fuzz",
      exclude: ["CLibFuzzer", "Corpus"],
      swiftSettings: common + (libFuzzer == nil ? [] : [.define("LIBFUZZER")]),
      linkerSettings: libFuzzer.map { [.unsafeFlags([$0]), .linkedLibrary("stdc++")] } ?? []
    )
  )
}
