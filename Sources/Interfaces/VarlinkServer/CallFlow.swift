// SPDX-License-Identifier: Apache-2.0

import Varlink

/// Decides what a connection does next: read, take a turn to handle calls, hand the socket over, or close. It counts
/// bytes and holds none.
///
/// Legal transitions, each on its own:
/// - of the calls: `idle` → `mayHaveCall` → `waitsForTurn` → `idle` or `mayHaveCall`
/// - of the call that is being handled: `none` → `calling` → `none`, or `calling` → `upgrading`, which is the last
/// - of the client: `sends` → `listens`, which only shut down its sending direction; and both → `left` → `leftAndRead`
/// - of the server: `serves` → `stops` → `drops` → `closed`, or any of them later; the first reason to drop counts
///
/// Late events are normal.
struct CallFlow {
  enum Event: Equatable {
    // What the client does.
    case receivedBytes
    /// It sends nothing more, and all that it sent has been read.
    case inputEnded
    /// It no longer sends or reads. Data that it sent before may still have to be read.
    case left

    // What the handlers do.
    /// A call was found.
    case called
    /// A call waits for its answer.
    case began(Call.Mode)
    case answered
    /// The connection must be handed over as soon as its output is written.
    case upgraded

    // What the server does.
    case hasTurn
    /// There is no whole message among the bytes.
    case foundNoCall
    case stop
    case drop(DropReason)
    case closed
  }

  /// The memory that the connection holds.
  struct Holdings: Equatable {
    var hasOutput = false
    /// Whether the bytes that were received and not handled are as many as are read ahead.
    var isFull = false
    /// Whether the user's calls have occupied the loop for so long that it is the turn of others.
    var hasHadItsTime = false
    /// Whether a handler, which may have changed something, gives its one answer even if the server stops.
    var owesAnswer = false
  }

  enum Effect: Equatable {
    /// Give `.hasTurn` when it is the connection's turn.
    case askForTurn
    case handOver
    case close
    case read(Bool)
    /// Whether to watch for the client's hang-up although nothing is read.
    case awaitHangUp(Bool)
  }

  private enum Input {
    /// No call has come since there was no whole message.
    case idle
    case mayHaveCall
    /// The server handles the next calls after others have had their turn.
    case waitsForTurn
  }

  private enum Work: Equatable {
    case none
    case calling(Call.Mode)
    case upgrading(Call.Mode)
  }

  private enum Client {
    case sends
    case listens
    case left
    case leftAndRead
  }

  private enum Server: Equatable {
    case serves
    case stops
    case drops(DropReason)
    case closed
  }

  private var input = Input.idle
  private var work = Work.none
  private var client = Client.sends
  private var server = Server.serves
  /// Until when a stopping server waits for the client's first call; nil if that has come.
  private var firstCallDeadline: ContinuousClock.Instant?

  /// - Parameter firstCallDeadline: Until when a stopping server waits for the client's first call, and answers it.
  init(firstCallDeadline: ContinuousClock.Instant) { self.firstCallDeadline = firstCallDeadline }

  // MARK: State

  var isClosed: Bool { server == .closed }
  var isDropped: Bool { dropReason != nil }
  var dropReason: DropReason? { if case .drops(let reason) = server { reason } else { nil } }
  /// Whether the client no longer sends or reads.
  var hasLeft: Bool { client == .left || client == .leftAndRead }
  /// Whether replies can still be sent.
  var takesReplies: Bool { !isClosed && !isDropped && !hasLeft }
  /// Whether there may be a call that was not begun.
  var mayHaveCall: Bool { input != .idle }

  /// Whether a stopping server waits for the client's first call.
  func awaitsFirstCall(at now: ContinuousClock.Instant) -> Bool { firstCallDeadline.map { now < $0 } ?? false }

  func mayBeginCall(hasOutput: Bool, at now: ContinuousClock.Instant) -> Bool {
    guard input != .idle, work == .none, !hasOutput else { return false }
    return server == .serves || server == .stops && awaitsFirstCall(at: now)
  }

  /// Whether the end of a call leaves nothing to do.
  func isSettled(isEmpty: Bool) -> Bool {
    isEmpty && work == .none && client == .sends && server == .serves
  }

  // MARK: Events

  mutating func handle(_ event: Event) {
    switch event {
    case .receivedBytes: if input == .idle { input = .mayHaveCall }
    case .inputEnded:
      switch client {
      case .sends: client = .listens
      case .left: client = .leftAndRead
      case .listens, .leftAndRead: break
      }
    case .left:
      switch client {
      case .sends: client = .left
      case .listens: client = .leftAndRead
      case .left, .leftAndRead: break
      }
    case .called: firstCallDeadline = nil
    case .began(let mode): work = .calling(mode)
    case .answered: work = .none
    case .upgraded: if case .calling(let mode) = work { work = .upgrading(mode) }
    case .hasTurn: if input == .waitsForTurn { input = .mayHaveCall }
    case .foundNoCall: input = .idle
    case .stop: if server == .serves { server = .stops }
    case .drop(let reason): if server == .serves || server == .stops { server = .drops(reason) }
    case .closed: server = .closed
    }
  }

  /// Returns everything that can be done now.
  mutating func advance(_ holdings: Holdings, at now: ContinuousClock.Instant) -> [Effect] {
    let asks = input == .mayHaveCall && mayBeginCall(hasOutput: holdings.hasOutput, at: now)
    if asks { input = .waitsForTurn }
    return (asks ? [.askForTurn] : []) + nextSteps(holdings, at: now)
  }

  private func nextSteps(_ holdings: Holdings, at now: ContinuousClock.Instant) -> [Effect] {
    if case .upgrading = work, !holdings.hasOutput, !hasLeft { return [.handOver] }
    if isDone(holdings, at: now) { return [.close] }
    let hasEnded = client == .listens || client == .leftAndRead
    let reads = !hasEnded && !holdings.isFull && !(input == .waitsForTurn && holdings.hasHadItsTime)
    return [.read(reads), .awaitHangUp(work != .none && !reads && !hasLeft)]
  }

  private func isDone(_ holdings: Holdings, at now: ContinuousClock.Instant) -> Bool {
    if isDropped { return true }
    if server == .stops, !holdings.hasOutput, !awaitsFirstCall(at: now), !holdings.owesAnswer { return true }
    guard input != .waitsForTurn else { return false }
    switch (client, work) {
    case (.sends, _): return false
    case (.listens, let work): return work == .none && !holdings.hasOutput
    // A client that does not wait for a reply may leave before its call is read and handled.
    case (.left, .none): return false
    case (.leftAndRead, .none): return true
    case (.left, .calling(let mode)), (.left, .upgrading(let mode)), (.leftAndRead, .calling(let mode)),
      (.leftAndRead, .upgrading(let mode)):
      return mode != .oneway
    }
  }
}
