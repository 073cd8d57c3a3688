// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The streams of a continuation, with blocking reads. One side sends a text, and the other echoes it.
struct Conversation: @unchecked Sendable {
  // Each conversation belongs to the one thread that holds it.
  private let input: InputStream
  private let output: OutputStream

  init(_ input: InputStream, _ output: OutputStream) {
    self.input = input
    self.output = output
    input.open()
    output.open()
  }

  func ask(_ text: String, _ name: String) {
    write(text)
    report("answer", name, readAll())
  }

  /// Answers on its own thread, so that the delegate's queue is not held up.
  func answer(_ name: String) {
    Thread.detachNewThread {
      let question = readAll()
      write("echo " + question)
      report("question", name, question)
    }
  }

  private func report(_ callback: String, _ name: String, _ text: String) {
    input.close()
    Report.write(callback, ["name": name, "text": text, "error": input.streamError.map { "\($0)" }])
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { output.write($0, maxLength: buffer.count) } ?? 0
      }
      guard count > 0 else { break }
      bytes = bytes.dropFirst(count)
    }
    output.close()
  }

  private func readAll() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = input.read(&buffer, maxLength: buffer.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
