// SPDX-License-Identifier: Apache-2.0

/// The program that installs packages on a machine, and the commands with which a person uses it.
package enum PackageManager: String, CaseIterable, Sendable {
  case apt, dnf, pacman, zypper
  case rpmOstree = "rpm-ostree"

  /// The command that installs one of Baton's packages from the folder with a release's files.
  package func install(_ package: String) -> String {
    // A name continues with its version, so another that begins with the same words doesn't match.
    switch self {
    case .apt: "sudo apt install ./\(package)_*.deb"
    case .dnf: "sudo dnf install ./\(package)-[0-9]*.rpm"
    case .zypper: "sudo zypper install ./\(package)-[0-9]*.rpm"
    case .rpmOstree: "sudo rpm-ostree install ./\(package)-[0-9]*.rpm"
    case .pacman: "sudo pacman -U \(package)-[0-9]*.pkg.tar.zst"
    }
  }

  /// The command that installs a package of the system.
  package func installFromSystem(_ package: String) -> String {
    switch self {
    case .pacman: "sudo pacman -S \(package)"
    case .apt, .dnf, .zypper, .rpmOstree: "sudo \(rawValue) install \(package)"
    }
  }

  /// The command that brings back all files of one of Baton's packages, also those that somebody has deleted.
  package func reinstall(_ package: String) -> String {
    switch self {
    // dpkg leaves out what somebody has deleted from /etc, unless it is told otherwise.
    case .apt: "sudo dpkg --install --force-confmiss \(package)_*.deb"
    case .dnf: "sudo dnf reinstall ./\(package)-[0-9]*.rpm"
    case .zypper: "sudo zypper install --force ./\(package)-[0-9]*.rpm"
    case .rpmOstree, .pacman: install(package)
    }
  }
}
