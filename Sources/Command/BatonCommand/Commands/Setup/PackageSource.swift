// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Hosts

/// Where missing packages come from: files beside each other that the person has downloaded, or the machine's archives.
enum PackageSource {
  private static let filesLimit = 4096
  private static let policyLength = 64 * 1024
  private static let time = Duration.seconds(10)

  /// What apt installs a package from: a file or the package's name. Nil if it's found nowhere.
  static func source(of package: ConnectingPackage, _ environment: ProcessEnvironment) -> String? {
    guard environment.program("apt") != nil else { return nil }
    let folders = ["."] + [environment.directory("HOME").map { "\($0)/Downloads" }].compactMap(\.self)
    return file(of: package.rawValue, in: folders) ?? (isKnown(package.rawValue, environment) ? package.rawValue : nil)
  }

  /// The newest file of a package, as Debian names it: `NAME_VERSION_ARCHITECTURE.deb`.
  static func file(of package: String, in folders: [String]) -> String? {
    for folder in folders where isOurs(folder) {
      let files = Folder.names(in: folder, limit: filesLimit).filter { isFile($0, of: package) }.map {
        "\(folder)/\($0)"
      }
      let newest = files.compactMap { path in ownFile(path).map { (path, $0.time) } }.max { $0.1 < $1.1 }
      if let newest { return newest.0 }
    }
    return nil
  }

  /// Whether nobody else can put something in place of this user's files there. In a folder such as `/tmp`, they can't.
  private static func isOurs(_ folder: String) -> Bool {
    var status = stat()
    guard stat(folder, &status) == 0 else { return false }
    return isOurs(status.st_uid) && (status.st_mode & S_IWOTH == 0 || status.st_mode & S_ISVTX != 0)
  }

  /// A package's scripts run as root, so those of other users don't count.
  private static func ownFile(_ path: String) -> RegularFile? {
    RegularFile(path, length: 0, followsLinks: false).flatMap { isOurs($0.owner) ? $0 : nil }
  }

  private static func isOurs(_ owner: uid_t) -> Bool { owner == geteuid() || owner == 0 }

  private static func isFile(_ name: String, of package: String) -> Bool {
    guard let rest = name.rest(afterBytesOf: "\(package)_"), rest.utf8.suffix(4).elementsEqual(".deb".utf8) else {
      return false
    }
    // Other characters would mean something to a shell in which somebody repeats the command.
    return rest.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        true
      default: "+.~-_".utf8.contains(byte)
      }
    }
  }

  /// Whether an archive of this machine has the package.
  private static func isKnown(_ package: String, _ environment: ProcessEnvironment) -> Bool {
    guard let program = environment.program("apt-cache") else { return false }
    var own = environment
    own["LC_ALL"] = "C"
    let options = ChildProgram.Options(environment: own.list)
    let result = try? BlockingProgram.run([program, "policy", package], options, limit: policyLength, time: time)
    let lines = result.map { String(decoding: $0.output, as: UTF8.self).split(atScalar: "\n").map(\.trimmed) } ?? []
    return lines.contains { $0.starts(withBytesOf: "Candidate: ") && $0 != "Candidate: (none)" }
  }
}
