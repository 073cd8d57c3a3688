// SPDX-License-Identifier: Apache-2.0

import ChildProcess
import Foundation
import Synchronization

/// The command in its own process.
final class BatonProcess: Sendable {
  private let process: ChildProcess
  private let input: Int32
  private let output: Int32
  private let errors: Int32

  struct Result {
    let status: Int32
    let output: Data
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
  }

  /// - Parameter terminal: A terminal for standard error, which this closes; nil for a pipe.
  init(_ arguments: [String], socket: String, environment: [String] = [], terminal: Int32? = nil) throws {
    let pipes = try (0..<3).map { _ in try ChildProcess.pipe() }
    process = try ChildProcess(
      [Bundle.main.bundleURL.appending(path: "baton").path] + arguments,
      environment: ["BATON_SOCKET=\(socket)", "TZ=UTC"] + environment,
      standardInput: pipes[0].reading,
      standardOutput: pipes[1].writing,
      standardError: terminal ?? pipes[2].writing
    )
    for end in [pipes[0].reading, pipes[1].writing, pipes[2].writing] { close(end) }
    if let terminal { close(terminal) }
    (input, output, errors) = (pipes[0].writing, pipes[1].reading, pipes[2].reading)
  }

  func interrupt() { process.send(SIGINT) }

  /// Passes `bytes` as standard input, and waits at most 30 s for the process to end.
  ///
  /// - Parameters:
  ///   - keepsInput: Whether standard input stays open until the process ends.
  ///   - readsOutput: If false, nobody reads the command's standard output.
  ///   - outputLength: How much of it is read.
  func finish(
    input bytes: Data = Data(),
    keepsInput: Bool = false,
    readsOutput: Bool = true,
    outputLength: Int? = nil
  ) async -> Result {
    if !readsOutput { close(output) }
    async let text = blocking { [output] in
      guard let outputLength else { return readsOutput ? ChildProcess.readToEnd(output) : [] }
      let file = FileHandle(fileDescriptor: output, closeOnDealloc: true)
      return Array((try? file.read(upToCount: outputLength)) ?? Data())
    }
    async let message = blocking { [errors] in ChildProcess.readToEnd(errors) }
    async let fed: Void = blocking { [input] in
      signal(SIGPIPE, SIG_IGN)
      ChildProcess.write(Array(bytes), to: input)
      if !keepsInput { close(input) }
    }
    let isDone = Flag()
    DispatchQueue.global().asyncAfter(deadline: .now() + 30) { [process] in
      if !isDone.value.load(ordering: .acquiring) { process.send(SIGKILL) }
    }
    let status = await blocking { [process] in process.waitUntilExit() }
    isDone.value.store(true, ordering: .releasing)
    await fed
    if keepsInput { close(input) }
    return await Result(status: status, output: Data(text), errors: String(decoding: message, as: UTF8.self))
  }
}

private final class Flag: Sendable {
  let value = Atomic(false)
}

/// Runs blocking code on its own thread.
private func blocking<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

/// Runs the command until it ends.
func baton(_ arguments: String..., socket: String, input: Data = Data()) async throws -> BatonProcess.Result {
  try await BatonProcess(arguments, socket: socket).finish(input: input)
}
