// SPDX-License-Identifier: Apache-2.0

/// The limits of pages of another machine's localhost, each with its unit and its reason.
package enum LocalPageLimits {
  /// The maximum number of ports of one page: its own, and those from which it has loaded something. Development
  /// servers need two or three.
  package static let ports = 8
  /// The maximum number of connections of one page at the same time. Browsers open 6 to a port, and some for
  /// WebSockets.
  package static let connections = 64
  /// The maximum number of bytes of one connection and direction that are on their way or wait for a slow reader.
  package static let window = 256 * 1024
  /// The maximum length of the head of a request or response in bytes. Servers accept between 8 and 64 KiB.
  package static let headLength = 64 * 1024
  /// The maximum number of fields in a head. Browsers send about 20.
  package static let fields = 200
  /// The time from accepting a connection until the head of its request is complete.
  package static let headTime = Duration.seconds(30)
  /// The time without a connection after which the ports are closed.
  package static let idleTime = Duration.seconds(60)
  /// The same at the origin, in case the receiver doesn't end the stream. Longer, so that a page that was just opened
  /// again keeps it.
  package static let originIdleTime = Duration.seconds(90)
  /// The maximum number of ports of one machine that are open here at the same time: those of all its pages.
  package static let listeners = 64
  /// The maximum number of pages of other machines that are open at the same time, and of those that one other machine
  /// has open here. A page that was closed counts until the end of its ``idleTime``.
  package static let pages = 32
  /// The maximum number of pages that all other machines have open here.
  package static let servedPages = 128
  /// The maximum number of questions about pages of one machine that wait for the user. More are refused.
  package static let questions = 4
  /// The maximum number of questions of all machines that wait for the user.
  package static let allQuestions = 16
  /// The time for which a question waits for the user's answer.
  package static let questionTime = Duration.seconds(10 * 60)
  /// The maximum number of ports that are allowed at the same time, in all teams, and of those that are refused.
  package static let decisions = 256
  /// The maximum number of names of machines that are remembered. Later ones are named by their whole ID.
  package static let labels = 256
}
