import Foundation

/// The command as a process of its own.
final class BatonProcess: Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()

  struct Result {
    let status: Int32
    let output: Data
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
  }

  init(_ arguments: [String], socket: String) throws {
    process.executableURL = Bundle.main.bundleURL.appending(path: "baton")
    process.arguments = arguments
    process.environment = ["BATON_SOCKET": socket, "TZ": "UTC"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    // Dispatch's threads block all signals, and a child inherits that.
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
  }

  func interrupt() { process.interrupt() }

  /// Nobody reads the command's standard output from now on.
  func closeOutput() { try? output.fileHandleForReading.close() }

  /// Gives it `bytes` as standard input and waits for its end, at most 30 s.
  ///
  /// - Parameter keepsInput: Standard input does not end before the process does.
  func finish(input bytes: Data = Data(), keepsInput: Bool = false) async -> Result {
    async let output = Self.read(output)
    async let errors = Self.read(errors)
    DispatchQueue.global().asyncAfter(deadline: .now() + 30) { [process] in
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    DispatchQueue.global().async { [input] in
      signal(SIGPIPE, SIG_IGN)
      try? input.fileHandleForWriting.write(contentsOf: bytes)
      if !keepsInput { try? input.fileHandleForWriting.close() }
    }
    let (bytes, message) = await (output, errors)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [process] in
        process.waitUntilExit()
        continuation.resume()
      }
    }
    if keepsInput { try? input.fileHandleForWriting.close() }
    return Result(status: process.terminationStatus, output: bytes, errors: String(decoding: message, as: UTF8.self))
  }

  private static func read(_ pipe: Pipe) async -> Data {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: (try? pipe.fileHandleForReading.readToEnd()) ?? Data())
      }
    }
  }
}

/// Runs the command to its end.
func baton(_ arguments: String..., socket: String, input: Data = Data()) async throws -> BatonProcess.Result {
  try await BatonProcess(arguments, socket: socket).finish(input: input)
}
