// SPDX-License-Identifier: Apache-2.0

import ControlInterface

extension ProgramFindings {
  private static let fileManagers = ["nautilus", "nemo", "thunar", "dolphin"]

  /// Packages for programs that are installed here and aren't connected.
  var missingPackages: [ConnectingPackage] {
    ConnectingPackage.allCases.filter { package in
      switch package {
      case .browser: browsers.contains { $0.packaging == .native && !$0.hasExtension && !$0.isConnected }
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
    case .browser: browsers.map(\.name).joined(separator: ", ")
    case .editors: editors.map(\.name).joined(separator: ", ")
    case .desktop: Self.fileManagers.filter { program([$0]) != nil }.joined(separator: ", ")
    case .mpv: "mpv"
    }
  }
}
