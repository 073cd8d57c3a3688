// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import EventLoop
import Glibc

/// A browser's connection to a port of this machine that stands for one of another machine: one request and its
/// response.
@Loop
final class BrowserConnection {
  /// What the connection needs of the page that it belongs to.
  struct Page {
    let names: LocalPageNames
    /// The name of the other machine.
    let machine: String
    /// Opens a connection to a port of the other machine. Nil if it is away or there are too many.
    let open: @Loop (UInt16) -> Result<TunnelConnection, ForwardingFailure>
  }

  private let page: Page
  private let originPort: UInt16
  private let channel: Channel
  private let onOver: @Loop (BrowserConnection) -> Void
  private var request: RequestGate
  private var response: ResponseGate?
  private var connection: TunnelConnection?
  private var timer: EventLoop.Timer?
  private var untaken = 0
  /// Whether the response is complete, and only the browser's end is awaited.
  private var isOver = false
  private var hasBrowserEnded = false

  /// How long a browser may take to close a connection whose response is complete.
  private static let lingerTime = Duration.seconds(10)
  /// How long a server may send nothing to a browser that has ended its direction: most have gone.
  private static let halfClosedTime = Duration.seconds(60)

  /// - Parameters:
  ///   - descriptor: This object closes it.
  ///   - onOver: Called once, not before this returns.
  init(
    owning descriptor: Int32,
    _ page: Page,
    originPort: UInt16,
    port: UInt16,
    onOver: @escaping @Loop (BrowserConnection) -> Void
  ) {
    (self.page, self.originPort, self.onOver) = (page, originPort, onOver)
    request = RequestGate(page.names, originPort: originPort, port: port)
    channel = Channel(owning: descriptor, pieceLength: PortFrame.payloadLength)
    timer = EventLoop.Timer { [weak self] in self?.late() }
    timer?.set(Loop.now + LocalPageLimits.headTime)
    channel.onBytes = { [weak self] in self?.received($0) }
    channel.onEnd = { [weak self] in self?.browserEnded($0) }
    channel.onDrained = { [weak self] in self?.drained() }
    channel.isReading = true
  }

  /// - Parameter aborts: Whether the browser must not take the response for complete.
  func close(aborts: Bool = false) {
    guard timer != nil else { return }
    timer = nil
    connection?.reset(.broken)
    connection = nil
    if aborts { Sockets.abortOnClose(channel.descriptor) }
    channel.close()
    onOver(self)
  }

  private func late() {
    if request.hasHead || isOver { return close() }
    answer(HTTPRefusal.late.answer)
  }

  // MARK: The browser

  private func received(_ bytes: UnsafeRawBufferPointer) {
    for output in request.receive(Array(bytes)) {
      guard !isOver else { return }
      switch output {
      case .refuse(let refusal):
        // Bytes of another request would follow a response that has begun.
        guard response?.isWaiting != false else { return close(aborts: true) }
        answer(refusal.answer)
      case .redirect(let address): answer(.redirect(address))
      case .pass(let bytes):
        guard connection == nil, response == nil else {
          connection?.send(bytes)
          continue
        }
        begin(bytes)
      }
    }
    if connection?.isFull == true { channel.isReading = false }
  }

  private func begin(_ head: [UInt8]) {
    timer?.set(nil)
    response = ResponseGate(page.names, isUpgrading: request.isUpgrading, isShared: request.isShared)
    switch page.open(originPort) {
    case .failure(let failure): fail(failure)
    case .success(let connection):
      self.connection = connection
      connection.onBytes = { [weak self] in self?.respond($0) }
      connection.onEnd = { [weak self] in self?.serverEnded() }
      connection.onReset = { [weak self] failure in
        self?.connection = nil
        self?.fail(failure)
      }
      connection.onSpace = { [weak self] in self?.channel.isReading = true }
      connection.send(head)
    }
  }

  private func browserEnded(_ error: SystemError?) {
    hasBrowserEnded = true
    if isOver, error == nil { return closeWhenWritten() }
    guard error == nil, request.hasHead, let connection else { return close() }
    // Most have gone, but a program may still read.
    connection.end()
    timer?.set(Loop.now + Self.halfClosedTime)
  }

  // MARK: The server

  private func respond(_ bytes: ArraySlice<UInt8>) {
    untaken += bytes.count
    if hasBrowserEnded { timer?.set(Loop.now + Self.halfClosedTime) }
    for output in response?.receive(bytes) ?? [] {
      switch output {
      case .pass(let bytes): channel.write(bytes)
      case .answered:
        // A server that was asked to upgrade the connection may keep it.
        if request.isUpgrading { connection?.end() }
        request.answered()
      case .upgraded:
        let early = request.upgraded()
        if !early.isEmpty { connection?.send(early) }
      case .malformed:
        connection?.reset(.broken)
        connection = nil
        return fail(.notHTTP)
      case .elsewhere(let address):
        connection?.reset(.broken)
        connection = nil
        return answer(.elsewhere(address, page.machine))
      }
    }
    if channel.waitingCount == 0, !channel.isBroken { take() }
  }

  private func take() {
    let count = untaken
    untaken = 0
    connection?.take(count)
  }

  private func drained() {
    guard !channel.isBroken else { return close() }
    take()
    guard isOver else { return }
    if hasBrowserEnded { close() } else { timer?.set(Loop.now + Self.lingerTime) }
  }

  private func serverEnded() {
    guard response?.isWaiting == false else {
      connection?.reset(.broken)
      connection = nil
      return fail(.broken)
    }
    finish()
  }

  private func fail(_ failure: ForwardingFailure) {
    guard !isOver else { return }
    guard response?.isWaiting != false else { return close(aborts: true) }
    answer(failure.answer(page.machine, port: originPort))
  }

  /// Answers in the server's place.
  private func answer(_ answer: LocalPageAnswer) {
    channel.write(answer.bytes(asPage: request.wantsPage, isHead: request.isHead))
    connection?.reset(.broken)
    connection = nil
    finish()
  }

  /// A program that has ended its direction may still read.
  private func closeWhenWritten() { if channel.waitingCount == 0 { close() } else { timer?.set(nil) } }

  /// Closes when the browser has everything, and has closed.
  private func finish() {
    isOver = true
    channel.finish()
    guard !hasBrowserEnded else { return closeWhenWritten() }
    channel.isReading = true
    // A slow reader has the time that it needs.
    timer?.set(channel.waitingCount == 0 ? Loop.now + Self.lingerTime : nil)
  }
}
