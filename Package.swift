// swift-tools-version: 6.2
import PackageDescription

let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// A target with values, codecs and state machines: no Dispatch, no Glibc, no C, no Foundation.
/// `Tests/check-pure-targets` proves it.
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
  .target(name: name, dependencies: dependencies, swiftSettings: common)
}

func test(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: common)
}

let package = Package(
  name: "baton",
  products: [
    .executable(name: "batond", targets: ["batond"]),
    .executable(name: "baton", targets: ["baton"]),
    .library(name: "Baton", targets: ["Baton"]),
  ],
  targets: [
    // Pure.
    pure("JSON"),
    pure("Activity", ["JSON"]),
    pure("PeerProtocol", ["Activity", "JSON"]),
    pure("Continuation", ["Activity", "PeerProtocol"]),
    pure("Reachability", ["Activity", "Continuation"]),
    pure("Varlink", ["JSON"]),
    pure("ControlInterface", ["Activity", "JSON", "Varlink"]),
    pure("Diagnosis", ["Activity", "ControlInterface"]),
    pure("Notifications", ["Activity"]),
    pure("DesktopEntries", ["Activity", "JSON"]),

    // C libraries.
    .target(
      name: "CAvahi",
      linkerSettings: [.linkedLibrary("avahi-client"), .linkedLibrary("avahi-common")]
    ),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

    // Edge.
    edge("EventLoop", ["CLinux"]),
    edge("TLS", ["Activity", "COpenSSL"]),
    edge("Team", ["Activity", "CLinux", "JSON", "PeerProtocol", "TLS"]),
    edge("Systemd", ["Activity", "CSystemd", "EventLoop"]),
    edge("Discovery", ["Activity", "CAvahi", "EventLoop", "Systemd"]),
    edge("VarlinkServer", ["Activity", "EventLoop", "JSON", "Varlink"]),
    edge("ControlClient", ["Activity", "ControlInterface", "EventLoop", "JSON", "Varlink"]),
    edge(
      "Agent",
      [
        "Activity", "CLinux", "ControlClient", "ControlInterface", "DesktopEntries", "EventLoop", "JSON",
        "Notifications", "Systemd", "Varlink",
      ]
    ),
    // The shells that carry out decisions, and the wiring that joins them.
    edge(
      "Daemon",
      [
        "Activity", "CLinux", "Continuation", "ControlInterface", "Diagnosis", "Discovery", "EventLoop", "JSON",
        "PeerProtocol", "Reachability", "Systemd", "TLS", "Team", "Varlink", "VarlinkServer",
      ]
    ),

    // For apps. These targets import Foundation.
    edge("ContinuationStreams", ["Activity", "CLinux", "EventLoop"]),
    edge(
      "Baton",
      ["Activity", "ContinuationStreams", "ControlClient", "ControlInterface", "EventLoop", "JSON", "Varlink"]
    ),

    // Programs.
    .executableTarget(
      name: "batond",
      dependencies: ["Activity", "Daemon", "Discovery", "EventLoop", "Systemd"],
      swiftSettings: common
    ),
    .executableTarget(
      name: "baton",
      dependencies: [
        "Activity", "Agent", "CLinux", "ControlClient", "ControlInterface", "EventLoop", "JSON", "Systemd", "Varlink",
      ],
      swiftSettings: common
    ),

    .executableTarget(
      name: "benchmark",
      dependencies: ["Activity", "ControlClient", "ControlInterface", "EventLoop", "JSON", "Varlink"],
      path: "Benchmarks/Benchmark",
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
    test("JSONTests", ["JSON"]),
    test("ActivityTests", ["Activity", "JSON", "SeededGenerator"]),
    test("ControlInterfaceTests", ["Activity", "ControlInterface", "JSON", "Varlink"]),
    test("DesktopEntriesTests", ["Activity", "DesktopEntries", "JSON", "TestSupport"]),
    test(
      "AgentTests",
      [
        "Activity", "Agent", "ChildProcess", "ControlClient", "ControlInterface", "DesktopEntries", "EventLoop",
        "JSON", "Notifications", "Systemd", "TestSupport", "Varlink", "VarlinkServer",
      ]
    ),
    test("DiagnosisTests", ["Activity", "ControlInterface", "Diagnosis"]),
    test("NotificationsTests", ["Activity", "Notifications", "SeededGenerator"]),
    test("VarlinkTests", ["JSON", "Varlink"]),
    test("VarlinkServerTests", ["Activity", "EventLoop", "JSON", "Varlink", "VarlinkServer"]),
    .executableTarget(
      name: "varlink-certification",
      dependencies: ["Activity", "EventLoop", "JSON", "Varlink", "VarlinkServer"],
      path: "Tests/Varlink/Certification",
      swiftSettings: common
    ),
    test("TLSTests", ["Activity", "COpenSSL", "ChildProcess", "SeededGenerator", "TLS"]),
    test("TeamTests", ["Activity", "EventLoop", "JSON", "SeededGenerator", "TLS", "Team"]),
    test(
      "BatonCommandTests",
      [
        "Activity", "ChildProcess", "ControlClient", "ControlInterface", "EventLoop", "JSON", "TestSupport", "Varlink",
        "VarlinkServer", "baton",
      ]
    ),
    test("ReachabilityTests", ["Activity", "Continuation", "Reachability", "SeededGenerator"]),
    test("PeerProtocolTests", ["Activity", "JSON", "PeerProtocol", "SeededGenerator"]),
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
        "Activity", "AppleCode5", "AppleCode6", "Baton", "ControlClient", "ControlInterface", "EventLoop", "JSON",
        "SeededGenerator",
        "Varlink",
      ]
    ),
    // Code as it is written for Apple's platforms. It may cause warnings in the older language mode.
    .target(
      name: "AppleCode5",
      dependencies: ["Baton"],
      path: "Tests/AppleCode/Swift5",
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .target(name: "AppleCode6", dependencies: ["Baton"], path: "Tests/AppleCode/Swift6"),
    .executableTarget(
      name: "handoff-app",
      dependencies: ["Baton"],
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
      name: "TestSupport",
      dependencies: [
        "Activity", "ChildProcess", "ControlClient", "ControlInterface", "Daemon", "Discovery", "EventLoop", "JSON",
        "PeerProtocol", "Systemd", "TLS", "Team", "Varlink", "VarlinkServer",
      ],
      path: "Tests/TestSupport",
      swiftSettings: common
    ),
    test("EventLoopTests", ["EventLoop", "TestSupport"]),
    test("SystemdTests", ["Activity", "ChildProcess", "EventLoop", "Systemd", "TestSupport"]),
    test(
      "DaemonTests",
      [
        "Activity", "Continuation", "ControlClient", "ControlInterface", "Daemon", "Discovery", "EventLoop", "JSON",
        "PeerProtocol", "Reachability", "Systemd", "TLS", "Team", "TestSupport", "Varlink",
      ]
    ),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11
)

// Fuzzers need a library and instrumentation of the compiler. Tests/run-fuzz asks for them.
if Context.environment["BATON_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Activity", "Agent", "CLibFuzzer", "COpenSSL", "Continuation", "ControlClient", "ControlInterface", "Daemon",
        "DesktopEntries", "Discovery", "EventLoop", "JSON", "Notifications", "PeerProtocol", "Reachability", "Systemd",
        "TLS",
        "Team", "Varlink", "VarlinkServer",
      ],
      path: "Tests/Fuzz",
      exclude: ["CLibFuzzer"],
      swiftSettings: common
    ),
  ]
}
