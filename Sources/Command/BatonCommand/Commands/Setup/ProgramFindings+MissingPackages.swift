// SPDX-License-Identifier: Apache-2.0

import ControlInterface

extension ProgramFindings {
  private static let fileManagers = ["nautilus", "nemo", "thunar", "dolphin"]

  private static let browserHosts = [
    "/etc/chromium/native-messaging-hosts/io.baton.*.json", "/usr/lib/mozilla/native-messaging-hosts/io.baton.*.json",
  ]

  /// The browsers to which a package would give the extension.
  private var unconnectedBrowsers: [Verdict.Browser] {
    browsers.filter {
      $0.packaging == .native && !$0.hasExtension && !$0.isConnected && $0.obstacle == nil && $0.file == nil
    }
  }

  /// Packages for programs that are installed here and aren't connected.
  var missingPackages: [ConnectingPackage] {
    let needed = Set(unconnectedBrowsers.map(\.source.package))
    let isChromeNeeded = needed.contains(ConnectingPackage.chrome.rawValue)
    return ConnectingPackage.allCases.filter { package in
      switch package {
      case .browser: needed.contains(package.rawValue) || isChromeNeeded && files(Self.browserHosts).isEmpty
      case .chrome: isChromeNeeded
      case .editors: editors.contains { !$0.hasPlugin && !$0.isConnected }
      case .desktop:
        program(Self.fileManagers) != nil && !isInstalled("lib/baton/send-files")
      case .mpv: players.contains { !$0.isControllable }
      }
    }
  }

  /// What a package is for, on this machine.
  func reason(for package: ConnectingPackage) -> String {
    switch package {
    case .browser: unconnectedBrowsers.map(\.title).joined(separator: ", ")
    case .chrome:
      unconnectedBrowsers.filter { $0.source.package == package.rawValue }.map(\.title).joined(separator: ", ")
    case .editors: editors.map(\.name).joined(separator: ", ")
    case .desktop: Self.fileManagers.filter { program([$0]) != nil }.joined(separator: ", ")
    case .mpv: "mpv"
    }
  }
}
