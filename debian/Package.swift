// swift-tools-version: 6.2
import PackageDescription

// The library of Baton and what it is made of; the programs are in the source package.

let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: common)
}

let package = Package(
  name: "baton",
  products: [.library(name: "Baton", targets: ["Baton"])],
  targets: [
    target("JSONCoding"),
    target("Activity", ["JSONCoding"]),
    target("Varlink", ["JSONCoding"]),
    target("ControlInterface", ["Activity", "JSONCoding", "Varlink"]),
    .systemLibrary(name: "CLinux"),
    target("EventLoop", ["CLinux"]),
    target("ControlClient", ["Activity", "ControlInterface", "EventLoop", "JSONCoding", "Varlink"]),
    target("ContinuationStreams", ["Activity", "CLinux", "EventLoop"]),
    target(
      "Baton",
      ["Activity", "ContinuationStreams", "ControlClient", "ControlInterface", "EventLoop", "JSONCoding", "Varlink"]
    ),
  ],
  swiftLanguageModes: [.v6]
)
