// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// Simulates many machines of a team in one process, with the real protocol. They have sessions with one daemon.
///
/// It reads commands from standard input, one a line, and answers each with a line of JSON when it is done.
@main
enum Main {
  private static let usage = """
    Usage: peers DIRECTORY PORT
    DIRECTORY is a copy of the state directory of an administrator's machine. PORT is where the daemon listens.
    Commands:
      sessions N             let so many machines have a session
      await N TITLE          wait until the daemon has offered an activity with this title to N machines
      offer N TITLE          each of the first N machines offers another activity, which supports streams; others none
      change COUNT N TITLE   the first N machines change their offers in turn; the last title is TITLE-(COUNT-1)
      state                  say how many there are
    """

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let directory = arguments.first, let port = arguments.last.flatMap(UInt16.init) else {
      fail(usage, 64)
    }
    do {
      let site = try await Site(directory: directory, port: port)
      while let line = readLine() {
        try await site.perform(line.split(separator: " ").map(String.init))
        say(await site.state, to: STDOUT_FILENO)
      }
    } catch { fail("peers: \(error)", 1) }
  }

  private static func fail(_ text: String, _ status: Int32) -> Never {
    say(text, to: STDERR_FILENO)
    exit(status)
  }

  private static func say(_ text: String, to descriptor: Int32) {
    var line = text + "\n"
    _ = line.withUTF8 { write(descriptor, $0.baseAddress, $0.count) }
  }
}

extension Site {
  struct UnknownCommand: Error {}

  /// Does what a line says, and returns when it is done.
  func perform(_ words: [String]) async throws {
    let numbers = words.dropFirst().compactMap(Int.init)
    switch (words.first, words.count) {
    case ("sessions", 2):
      guard let count = numbers.first else { throw UnknownCommand() }
      var failure: (any Error)?
      await withCheckedContinuation { continuation in
        do { try grow(to: count) { continuation.resume() } } catch {
          failure = error
          continuation.resume()
        }
      }
      if let failure { throw failure }
    case ("await", 3):
      guard let count = numbers.first else { throw UnknownCommand() }
      await withCheckedContinuation { continuation in awaitOffer(words[2], by: count) { continuation.resume() } }
    case ("offer", 3):
      guard let count = numbers.first else { throw UnknownCommand() }
      try offer(count, title: words[2])
    case ("change", 4):
      guard numbers.count >= 2 else { throw UnknownCommand() }
      try change(numbers[0], by: numbers[1], title: words[3])
    case ("state", 1): break
    default: throw UnknownCommand()
    }
  }

  var state: String {
    #"{"sessions": \#(readyPeers), "lost": \#(lostCount), "refused": \#(refusedCount), "streams": \#(streamCount)}"#
  }
}
