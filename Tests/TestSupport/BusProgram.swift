// SPDX-License-Identifier: Apache-2.0

import ChildProcess
import Foundation
import Glibc

/// A program from Tests/Lab on the test's bus. It obeys commands and answers each line with a line.
package final class BusProgram {
  private let process: ChildProcess
  private let input: Int32
  private let output: Int32
  private var said: [String] = []
  /// The lines that were skipped while waiting for a later one.
  package private(set) var unread: [String] = []
  private var rest: [UInt8] = []

  /// - Parameters:
  ///   - name: The name of the program's file.
  ///   - ready: The first line that it prints.
  package init(_ name: String, ready: String = "ready") throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Lab/\(name)").path
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
    try expect(ready)
  }

  /// - Parameter answer: The expected answer; nil for `ok` and the command.
  package func obey(_ command: String, answer: String? = nil) throws {
    tell(command)
    try expect(answer ?? "ok \(command)")
  }

  /// Gives it a line, and does not wait for the answer.
  package func tell(_ command: String) { ChildProcess.write(Array("\(command)\n".utf8), to: input) }

  /// Waits until the program prints this line, and skips what it printed before.
  package func expect(_ line: String) throws { _ = try next(line) { $0 == line } }

  /// Waits until the program prints a line that satisfies `condition`, and skips what it printed before.
  package func next(_ claim: String, where condition: (String) -> Bool) throws -> String {
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
    return try waitFor("It says \(claim), after \(said)") {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &buffer, buffer.count)
      if count > 0 { rest += buffer[..<count] }
      while let end = rest.firstIndex(of: 10) {
        said.append(String(decoding: rest[..<end], as: UTF8.self))
        rest.removeSubrange(...end)
      }
      guard let index = said.firstIndex(where: condition) else { return nil }
      unread += said[..<index]
      defer { said.removeSubrange(...index) }
      return said[index]
    }
  }

  package func end() {
    close(input)
    _ = process.waitUntilExit()
    close(output)
  }
}
