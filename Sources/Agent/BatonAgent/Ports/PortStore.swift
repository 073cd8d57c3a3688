// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import Dispatch
import EventLoop
import Glibc
import JSONCoding
import Systemd

/// The file that lists the ports that other machines may use. The loop waits for no disk.
@Loop
final class PortStore {
  private let path: String
  private let log: Log
  private let writing = DispatchQueue(label: "io.baton.Ports.write")

  /// The maximum length of the file in bytes.
  private static let length = 64 * 1024

  init(_ path: String, log: Log) { (self.path, self.log) = (path, log) }

  /// What cannot be read allows nothing.
  func read() -> AllowedPorts {
    guard access(path, F_OK) == 0 else { return AllowedPorts() }
    let file = RegularFile(path, length: Self.length, followsLinks: false)
    if let ports = file.flatMap({ try? JSON(parsing: $0.bytes, depth: 8) }).flatMap({ AllowedPorts(json: $0) }) {
      return ports
    }
    log.warning("No ports are allowed, because \(path) is damaged")
    return AllowedPorts()
  }

  /// - Parameter completion: Called once. Its argument is whether they were written.
  func save(_ ports: AllowedPorts, completion: @escaping @Loop (Bool) -> Void) {
    let (path, bytes) = (path, ports.json.bytes)
    writing.async { [log] in
      var isSaved = true
      do throws(SystemError) { try TransferStore.write(bytes, path) } catch {
        isSaved = false
        log.warning("Can't save the ports that other machines may use: \(error)")
      }
      let saved = isSaved
      Task { @Loop in completion(saved) }
    }
  }

  /// - Parameter completion: Called once everything until now was written.
  func finish(_ completion: @escaping @Loop () -> Void) {
    writing.async { Task { @Loop in completion() } }
  }
}
