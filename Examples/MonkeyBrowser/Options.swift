// SPDX-License-Identifier: Apache-2.0

/// The command line.
struct Options: Equatable {
  /// How many pages the history of each tab has at first.
  var visits = 5000

  static let help = """
    MonkeyBrowser [--visits N]

    A browser with four tabs that you can continue on your other machines. In a terminal it fills the screen.
    Otherwise it reads commands from standard input: tab N, open URL, scroll N, next, follow, back, offers, continue,
    state, quit.

      --visits N   the number of pages in each tab's made-up history (5000)
    """

  /// - Throws: `Refusal` if the arguments are wrong.
  init(_ arguments: [String]) throws(Refusal) {
    switch arguments.first {
    case nil: return
    case "--visits":
      guard arguments.count == 2, let count = Int(arguments[1]), 0...500_000 ~= count else { fallthrough }
      visits = count
    default: throw Refusal(Self.help)
    }
  }
}
