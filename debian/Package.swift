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
    target("Localization"),
    target("Activity", ["JSONCoding", "Localization"]),
    target("Varlink", ["JSONCoding"]),
    target("ControlInterface", ["Activity", "JSONCoding", "Localization", "Varlink"]),
    .systemLibrary(name: "CLinux"),
    target("EventLoop", ["CLinux"]),
    target("Search", ["Activity", "JSONCoding", "Localization", "Varlink"]),
    target(
      "VarlinkClient",
      ["Activity", "ControlInterface", "EventLoop", "JSONCoding", "Localization", "Search", "Varlink"]
    ),
    target(
      "Baton",
      ["Activity", "CLinux", "ControlInterface", "EventLoop", "JSONCoding", "Search", "Varlink", "VarlinkClient"]
    ),
    target("UniformTypeIdentifiers"),
    target(
      "CoreSpotlight",
      [
        "Activity", "Baton", "ControlInterface", "EventLoop", "JSONCoding", "Search", "UniformTypeIdentifiers",
        "Varlink", "VarlinkClient",
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
