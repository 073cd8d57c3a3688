// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import Dispatch
import EventLoop
import Hosts
import JSONCoding
import Systemd

/// Saves what is remembered about ports. The loop waits for no disk.
@Loop
final class PortStore {
  private let path: String
  private let log: Log
  private let writing = DispatchQueue(label: "io.baton.Ports.write")

  init(_ path: String, log: Log) { (self.path, self.log) = (path, log) }

  /// What cannot be read allows nothing.
  func read() -> PortMemory {
    if let memory = PortFile.read(path) { return memory }
    log.warning("No ports are allowed, because \(path) is damaged")
    return PortMemory()
  }

  /// - Parameter completion: Called once. Its argument is nil if it was written, and otherwise what failed.
  func save(_ memory: PortMemory, completion: @escaping @Loop (SystemError?) -> Void) {
    let (path, bytes) = (path, memory.json.bytes)
    writing.async { [log] in
      var failure: SystemError?
      do throws(SystemError) { try RegularFile.replace(path, with: bytes) } catch {
        failure = error
        log.warning("Can't save what is remembered about ports: \(error)")
      }
      let result = failure
      Task { @Loop in completion(result) }
    }
  }

  /// - Parameter completion: Called once everything until now was written.
  func finish(_ completion: @escaping @Loop () -> Void) {
    writing.async { Task { @Loop in completion() } }
  }
}
