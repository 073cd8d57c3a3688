// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc

extension RunningPrograms {
  /// No machine of a person has more. The rest would be left out.
  private static let limit = 32_768
  private static let length = 4_096

  /// Reads the programs of this user.
  static func ofThisUser() -> RunningPrograms {
    RunningPrograms(Folder.names(in: "/proc", limit: limit).lazy.compactMap { Int32($0) }.compactMap(program))
  }

  private static func program(_ process: Int32) -> RunningProgram? {
    // The files of a program that leaves no core file, such as the clipboard's helper, are root's. Its folder is not.
    var status = Glibc.stat()
    // It may end meanwhile.
    guard stat("/proc/\(process)", &status) == 0, status.st_uid == geteuid(),
      let state = RegularFile("/proc/\(process)/stat", length: length),
      let line = RegularFile("/proc/\(process)/cmdline", length: length)
    else { return nil }
    return RunningProgram(
      process: process,
      state: String(decoding: state.bytes, as: UTF8.self),
      commandLine: line.bytes,
      executable: SymbolicLink.target(of: "/proc/\(process)/exe"),
      // Whose own root shows what its sandbox is.
      flatpak: RegularFile("/proc/\(process)/root/.flatpak-info", length: length).flatMap { flatpak($0.bytes) }
    )
  }

  /// The `name` of a `.flatpak-info` (flatpak-metadata(5)).
  static func flatpak(_ info: [UInt8]) -> String? {
    String(decoding: info, as: UTF8.self).split(atScalar: "\n").lazy.compactMap { $0.rest(afterBytesOf: "name=") }.first
      .map(String.init)
  }
}

extension RunningProgram {
  /// - Parameters:
  ///   - state: The content of `/proc/PID/stat`: the process, the name in parentheses, a letter, the parent.
  ///   - commandLine: That of `/proc/PID/cmdline`: the arguments, each with a NUL at its end.
  ///   - executable: The target of `/proc/PID/exe`, to which the kernel adds ` (deleted)`.
  ///   - flatpak: The flatpak that contains it.
  init?(process: Int32, state: String, commandLine: [UInt8], executable: String? = nil, flatpak: String? = nil) {
    // The name can contain parentheses itself.
    guard let begin = state.unicodeScalars.firstIndex(of: "("), let end = state.unicodeScalars.lastIndex(of: ")"),
      begin < end
    else { return nil }
    let rest = state.rest(after: end).split(atScalar: " ")
    guard let parent = rest.dropFirst().first.flatMap({ Int32($0) }) else { return nil }
    var arguments = commandLine.split(separator: 0, omittingEmptySubsequences: false)
    if arguments.last?.isEmpty ?? false { arguments.removeLast() }
    self.init(
      process: process,
      parent: parent,
      name: String(state[..<end].rest(after: begin)),
      arguments: arguments.map { String(decoding: $0, as: UTF8.self) },
      executable: executable.map { $0.start(beforeBytesOf: " (deleted)").map(String.init) ?? $0 },
      flatpak: flatpak
    )
  }
}
