// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc
import Systemd

/// The machines whose notifications the user does not want: `$XDG_CONFIG_HOME/baton/muted-machines`. Users can also
/// edit the file.
@Loop
final class MutedMachines {
  /// The maximum size of the file that names the muted machines, in bytes.
  private static let mutedFileLength = 64 * 1024

  private(set) var devices: Set<DeviceID> = []
  /// Called when ``devices`` has changed.
  var onChange: (@Loop () -> Void)?

  private let directory: String?
  private let log: Log
  private var watch: FolderWatch?
  /// The machines that could not be written to the file. They are muted as long as the agent runs.
  private var unwritten: Set<DeviceID> = []

  private var path: String? { directory.map { "\($0)/muted-machines" } }

  init(_ environment: ProcessEnvironment, log: Log) {
    let base = environment.directory("XDG_CONFIG_HOME") ?? environment.directory("HOME").map { "\($0)/.config" }
    directory = base.map { "\($0)/baton" }
    self.log = log
  }

  func start() { read() }

  func stop() {
    onChange = nil
    watch = nil
  }

  func mute(_ device: DeviceID, name: String) {
    guard !devices.contains(device) else { return }
    do throws(SystemError) {
      try append(MutedList.line(device, name: name))
      log.notice("Muted a machine", ["device": device.description])
    } catch {
      unwritten.insert(device)
      log.warning("Can't save a muted machine: \(error)", ["file": path ?? ""])
    }
    read()
  }

  /// Watches before it reads, so that it does not miss changes in between.
  private func read() {
    guard let path else { return set(unwritten) }
    watch = try? FolderWatch()
    watch?.onChange = { [weak self] in self?.read() }
    watch?.add(path)
    do throws(SystemError) {
      let bytes = try SettingsFile.contents(of: path, limit: Self.mutedFileLength) ?? []
      set(MutedList.devices(String(decoding: bytes, as: UTF8.self)).union(unwritten))
    } catch {
      // A damaged file must not unmute a machine.
      log.warning("Can't read the list of muted machines: \(error)", ["file": path])
      set(devices.union(unwritten))
    }
  }

  private func set(_ devices: Set<DeviceID>) {
    guard devices != self.devices else { return }
    self.devices = devices
    onChange?()
  }

  private func append(_ line: String) throws(SystemError) {
    guard let path, let directory else { throw SystemError("there is no home directory", ENOENT) }
    guard Self.makeDirectory(directory) else { throw SystemError("mkdir") }
    let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("open") }
    defer { close(descriptor) }
    let length = try SettingsFile.length(of: descriptor, limit: Self.mutedFileLength)
    var last = UInt8(ascii: "\n")
    if length > 0 { _ = pread(descriptor, &last, 1, length - 1) }
    // An editor may have left out the end of the last line.
    let bytes = Array(((last == UInt8(ascii: "\n") ? "" : "\n") + line).utf8)
    guard length + bytes.count <= Self.mutedFileLength else { throw SystemError("it's full", EFBIG) }
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw SystemError("write") }
  }

  private static func makeDirectory(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.unicodeScalars.lastIndex(of: "/"), slash != path.startIndex else {
      return false
    }
    return makeDirectory(String(path[..<slash])) && (mkdir(path, 0o700) == 0 || errno == EEXIST)
  }
}
