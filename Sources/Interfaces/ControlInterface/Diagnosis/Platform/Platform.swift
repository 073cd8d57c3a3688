// SPDX-License-Identifier: Apache-2.0

import Activity

/// The system that this machine runs, as far as it decides whether Baton works there.
package struct Platform: Equatable, Sendable {
  /// The beginning of a version, such as 2.36 of `2.36-9+deb12u9`.
  package struct Release: Comparable, Sendable, CustomStringConvertible {
    package let major: Int
    package let minor: Int

    package init(_ major: Int, _ minor: Int = 0) {
      self.major = major
      self.minor = minor
    }

    /// - Returns: Nil if the text doesn't begin with a number.
    package init?(_ text: some StringProtocol) {
      let numbers = Substring(text).scalarPrefix { "0123456789.".unicodeScalars.contains($0) }
        .split(atScalar: ".", omittingEmptySubsequences: false)
      guard let major = numbers.first.flatMap({ Int($0) }) else { return nil }
      self.init(major, numbers.dropFirst().first.flatMap { Int($0) } ?? 0)
    }

    package static func < (one: Release, other: Release) -> Bool {
      (one.major, one.minor) < (other.major, other.minor)
    }

    package var description: String { "\(major).\(minor)" }
  }

  package var system: OSRelease
  /// The processor's name in uname(2), such as `x86_64`.
  package var architecture: String
  /// The C library; nil if it isn't GNU's.
  package var glibc: Release?
  /// Nil if there is none that programs can load.
  package var openSSL: Release?
  /// Nil if it isn't the process that started all others.
  package var systemd: Release?

  package init(
    _ system: OSRelease,
    architecture: String,
    glibc: Release?,
    openSSL: Release?,
    systemd: Release?
  ) {
    self.system = system
    self.architecture = architecture
    self.glibc = glibc
    self.openSSL = openSSL
    self.systemd = systemd
  }

  // The oldest versions with which Baton works.
  package static let oldestGlibc = Release(2, 35)
  package static let oldestOpenSSL = Release(3)
  package static let oldestSystemd = Release(249)

  /// The versions of Debian on which each release is tested, on x86_64.
  package static let testedDebian: Set<String> = ["12", "13"]

  package var isTested: Bool {
    system.id == "debian" && Self.testedDebian.contains(system.version) && architecture == "x86_64"
  }
}
