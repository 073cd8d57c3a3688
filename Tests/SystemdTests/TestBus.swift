import ChildProcess
import Foundation
import Glibc
import TestSupport

/// A D-Bus daemon of this test, which stands for the system's.
final class TestBus {
  let directory: String
  private var daemon: ChildProcess?
  private var address: String { "unix:path=\(directory)/bus" }

  init() throws {
    var template = Array("/tmp/baton-bus-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestFailure("mkdtemp: \(errno)") }
    directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let configuration = """
      <busconfig>
        <type>system</type>
        <listen>\(address)</listen>
        <policy context="default">
          <allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
          <allow send_requested_reply="true" send_type="method_return"/>
          <allow send_requested_reply="true" send_type="error"/>
          <allow receive_type="method_call"/><allow receive_type="method_return"/><allow receive_type="error"/>
          <allow receive_type="signal"/>
        </policy>
      </busconfig>
      """
    try configuration.write(toFile: "\(directory)/bus.conf", atomically: true, encoding: .utf8)
    setenv("DBUS_SYSTEM_BUS_ADDRESS", address, 1)
  }

  func start() throws {
    daemon = try ChildProcess([
      "/usr/bin/dbus-daemon", "--config-file=\(directory)/bus.conf", "--nofork", "--nopidfile",
    ])
    try waitUntil("The bus is there") { access("\(directory)/bus", F_OK) == 0 }
  }

  func signal(_ number: Int32) { daemon?.send(number) }

  /// Kills it.
  func stop() {
    daemon?.send(SIGKILL)
    _ = daemon?.waitUntilExit()
    daemon = nil
    unlink("\(directory)/bus")
  }

  func remove() {
    stop()
    try? FileManager.default.removeItem(atPath: directory)
  }
}

/// A login manager on the test's bus: Tests/Lab/fake-logind.
final class FakeLogind {
  private let process: ChildProcess
  private let input: Int32
  private let output: Int32
  private var said: [String] = []
  private var rest: [UInt8] = []

  init() throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Lab/fake-logind").path
    let input = try ChildProcess.pipe()
    let output = try ChildProcess.pipe()
    process = try ChildProcess(
      ["/usr/bin/python3", script],
      standardInput: input.reading,
      standardOutput: output.writing,
      standardError: STDERR_FILENO
    )
    close(input.reading)
    close(output.writing)
    self.input = input.writing
    self.output = output.reading
    try expect("ready")
  }

  func obey(_ command: String) throws {
    ChildProcess.write(Array("\(command)\n".utf8), to: input)
    try expect("ok \(command)")
  }

  /// Waits until it says this line; what it says before is forgotten.
  func expect(_ line: String) throws {
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
    try waitUntil("It says \(line), after \(said)") {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &buffer, buffer.count)
      if count > 0 { rest += buffer[..<count] }
      while let end = rest.firstIndex(of: 10) {
        said.append(String(decoding: rest[..<end], as: UTF8.self))
        rest.removeSubrange(...end)
      }
      guard let index = said.firstIndex(of: line) else { return false }
      said.removeSubrange(...index)
      return true
    }
  }

  func end() {
    close(input)
    _ = process.waitUntilExit()
    close(output)
  }
}
