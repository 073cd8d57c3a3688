// swift-tools-version: 6.2
import PackageDescription

// The libraries of Baton and what they are made of; the programs are in the source package.

let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: common)
}

let package = Package(
  name: "baton",
  products: [
    .library(name: "Baton", targets: ["Baton"]),
    .library(name: "CoreSpotlight", targets: ["CoreSpotlight"]),
    .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
  ],
  targets: [
    target("JSONCoding"),
    target("Activity", ["JSONCoding"]),
    target("Varlink", ["JSONCoding"]),
    .systemLibrary(name: "CLinux"),
    target("EventLoop", ["CLinux"]),
    target("Clipboard", ["Activity", "JSONCoding"]),
    target("Transfers", ["Activity", "JSONCoding"]),
    target("Search", ["Activity", "JSONCoding"]),
    target("Interfaces", ["Activity", "Clipboard", "JSONCoding", "Search", "Transfers", "Varlink"]),
    target("ControlClient", ["Activity", "EventLoop", "Interfaces", "JSONCoding", "Varlink"]),
    target(
      "SearchClient",
      ["Activity", "ControlClient", "EventLoop", "Interfaces", "JSONCoding", "Search", "Varlink"]
    ),
    target("ContinuationStreams", ["Activity", "CLinux", "EventLoop"]),
    target(
      "Baton",
      [
        "Activity", "ContinuationStreams", "ControlClient", "EventLoop", "Interfaces", "JSONCoding", "Search",
        "SearchClient", "Varlink",
      ]
    ),
    target("UniformTypeIdentifiers"),
    target(
      "CoreSpotlight",
      [
        "Activity", "Baton", "ControlClient", "EventLoop", "Interfaces", "JSONCoding", "Search", "SearchClient",
        "UniformTypeIdentifiers", "Varlink",
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
