// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import Glibc
import Hosts
import JSONCoding

extension ProgramFindings {
  /// A browser for which Debian packages install extensions and hosts.
  private struct Kind {
    let name: String
    let programs: [String]
    let extensions: [String]
    /// The manifests of hosts, those of the user first.
    let manifests: [String]
    /// What the browser is called in Flathub and in the Snap Store.
    let flatpak: String
    let snap: String
  }

  private static let kinds = [
    Kind(
      name: "Chromium",
      programs: ["chromium"],
      extensions: ["/usr/share/chromium/extensions/baton/manifest.json"],
      manifests: [
        "~/.config/chromium/NativeMessagingHosts/io.baton.*.json",
        "/etc/chromium/native-messaging-hosts/io.baton.*.json",
      ],
      flatpak: "org.chromium.Chromium",
      snap: "chromium"
    ),
    Kind(
      name: "Firefox",
      programs: ["firefox-esr", "firefox"],
      extensions: ["/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/*baton*/manifest.json"],
      manifests: [
        "~/.mozilla/native-messaging-hosts/io.baton.*.json", "/usr/lib/mozilla/native-messaging-hosts/io.baton.*.json",
      ],
      flatpak: "org.mozilla.firefox",
      snap: "firefox"
    ),
  ]

  var browsers: [Verdict.Browser] { Self.kinds.flatMap(browsers) }

  /// Somebody can have the same browser as a Debian package and as a flatpak.
  private func browsers(_ kind: Kind) -> [Verdict.Browser] {
    var found: [Verdict.Browser] = []
    if let program = program(kind.programs), !isSnap(program) {
      let hosts = running.hosts("browser-host", ofProgram: Set(kind.programs))
      found.append(
        Verdict.Browser(
          name: kind.name,
          hasExtension: !files(kind.extensions).isEmpty,
          host: host(files(kind.manifests).first),
          isRunning: running.isRunning(Set(kind.programs)),
          isConnected: !hosts.isEmpty,
          withheld: hosts.lazy.compactMap { WithheldNote.read($0, environment) }.first?.explanation
        )
      )
    }
    if !files(["/var/lib/flatpak/app/\(kind.flatpak)", "~/.local/share/flatpak/app/\(kind.flatpak)"]).isEmpty {
      found.append(Verdict.Browser(name: kind.name, packaging: .flatpak))
    }
    if !files(["/snap/bin/\(kind.snap)", "/var/lib/snapd/snap/bin/\(kind.snap)"]).isEmpty {
      found.append(Verdict.Browser(name: kind.name, packaging: .snap))
    }
    return found
  }

  private func isSnap(_ path: String) -> Bool {
    path.starts(withBytesOf: "\(root)/snap/") || path.starts(withBytesOf: "\(root)/var/lib/snapd/")
  }

  private func host(_ manifest: String?) -> Verdict.Browser.Host {
    guard let manifest, let file = RegularFile(manifest, length: 64 * 1024),
      let json = try? JSON(parsing: file.bytes, depth: 8),
      let path = json.object?["path"]?.string
    else { return .unknown }
    return access(root + path, X_OK) == 0 ? .installed : .missing(path: path)
  }
}
