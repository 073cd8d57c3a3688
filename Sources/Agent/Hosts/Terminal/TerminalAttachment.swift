// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import Dispatch
import EventLoop
import Glibc
import VarlinkClient

/// One machine that sees a shared session: its stream, and the client of tmux whose terminal it is.
@Loop
final class TerminalAttachment {
  enum Event {
    /// - Parameter token: What the receiver says about an earlier connection.
    case hello(token: String?)
    /// The stream ended before the receiver left.
    case broke
    /// The client of tmux has ended, with this status.
    case clientEnded(Int32)
  }

  /// Called once with `hello`, and once with another event, after which nothing follows.
  var handler: (@Loop (Event) -> Void)?

  private let session: TmuxSession
  private var stream: ProgramStream?
  private var channel: TerminalChannel?
  private var terminal: PseudoTerminal?
  private var client: ChildProgram?
  private var isReadOnly = false
  private var hello: TerminalHello?
  private var timer: EventLoop.Timer?
  private var size = TerminalSize.usual
  /// Whether tmux is asked to draw everything again. One process at a time, however often the receiver wants that.
  private var isDrawing = false
  /// What to do when the receiver has the last frame.
  private var finishing: (@Loop () -> Void)?

  /// The time from the stream's begin to the hello, and from the last frame to the receiver's end.
  private static let time = Duration.seconds(10)

  /// Accepts a stream.
  ///
  /// - Parameters:
  ///   - token: The value of the event `streamRequested`.
  ///   - path: The path of the control socket.
  init(accepting token: String, of session: TmuxSession, path: String?) {
    self.session = session
    timer = EventLoop.Timer { [weak self] in self?.fail() }
    stream = try? ProgramStream(.accepting(token), path: path) { [weak self] in self?.handle($0) }
    timer?.set(Loop.now + (stream == nil ? .zero : Self.time))
  }

  /// Shows the session to the receiver, which has sent its hello.
  func connect(_ welcome: TerminalWelcome) throws {
    guard let channel, let hello else { return }
    isReadOnly = welcome.isReadOnly
    size = hello.size
    let terminal = try PseudoTerminal(size)
    // Without -E, tmux would replace the session's environment with ours.
    let command = ["attach-session", "-E", "-t", session.id] + (isReadOnly ? ["-r"] : [])
    var environment = ProcessEnvironment.current.without("TMUX", "TMUX_PANE", "COLORTERM", "COLUMNS", "LINES")
    environment["TERM"] = Terminfo.known(hello.terminal)
    var options = ChildProgram.Options(environment: environment.list)
    options.terminal = terminal.path
    let client = try ChildProgram(session.tmux.words(command, isUTF8: hello.isUTF8), options)
    (self.terminal, self.client) = (terminal, client)
    channel.send(.welcome(welcome))
    terminal.onOutput = { [weak self] in self?.show($0) }
    terminal.onTaken = { [weak channel] in channel?.isReading = true }
    channel.onSpace = { [weak terminal] in terminal?.isReading = true }
    terminal.isReading = true
    client.onEnd = { [weak self] in self?.clientEnded($0) }
  }

  /// Sends the last frame, and closes when the receiver has it.
  ///
  /// - Parameter completion: Called once, when nothing is left.
  func end(_ end: TerminalEnd, completion: @escaping @Loop () -> Void) {
    handler = nil
    releaseTerminal()
    guard let channel else {
      close()
      return completion()
    }
    // This object stays until then.
    finishing = { [self] in
      close()
      completion()
    }
    channel.onFrame = { _ in }
    channel.isReading = true
    timer = EventLoop.Timer { [weak self] in self?.fail() }
    timer?.set(Loop.now + Self.time)
    channel.send(.end(end))
    channel.finish()
  }

  /// Gives up the stream. The session goes on.
  func close() {
    handler = nil
    timer = nil
    releaseTerminal()
    channel?.close()
    channel = nil
    stream?.close()
    stream = nil
  }

  private func releaseTerminal() {
    client?.onEnd = nil
    client = nil
    terminal?.close()
    terminal = nil
  }

  private func handle(_ event: ProgramStream.Event) {
    switch event {
    case .began(let socket):
      guard let channel = try? TerminalChannel(socket) else { return fail() }
      self.channel = channel
      channel.onFrame = { [weak self] in self?.receive($0) }
      channel.onEnd = { [weak self] in self?.fail() }
    case .ended, .failed: fail()
    }
  }

  private func receive(_ frame: TerminalFrame) {
    switch frame {
    case .hello(let hello):
      guard self.hello == nil, timer != nil else { return fail() }
      self.hello = hello
      timer = nil
      handler?(.hello(token: hello.token))
    case .data(let bytes):
      guard !isReadOnly, let terminal else { return }
      terminal.type(bytes)
      if !terminal.isTaken { channel?.isReading = false }
    case .size(let size):
      guard size != self.size else { return draw() }
      self.size = size
      terminal?.set(size)
    case .detach:
      // tmux then leaves the receiver's terminal as it should be, and its client ends.
      guard let terminal else { return }
      let (tmux, path) = (session.tmux, terminal.path)
      TerminalHost.queue.async { _ = try? tmux.run(["detach-client", "-t", path]) }
    case .ping: if channel?.isFull == false { channel?.send(.pong) }
    case .welcome, .end, .pong: fail()
    }
  }

  private func draw() {
    guard let terminal, !isDrawing else { return }
    isDrawing = true
    let (tmux, path) = (session.tmux, terminal.path)
    TerminalHost.queue.async {
      _ = try? tmux.run(["refresh-client", "-t", path])
      Task { @Loop [weak self] in self?.isDrawing = false }
    }
  }

  private func show(_ bytes: ArraySlice<UInt8>) {
    channel?.send(.data(bytes))
    if channel?.isFull == true { terminal?.isReading = false }
  }

  private func clientEnded(_ status: Int32) {
    // What it wrote last is still to be read; the end of that follows immediately.
    client = nil
    guard let terminal else { return }
    terminal.onEnd = { [weak self] in self?.report(status) }
    if !terminal.isReading, channel?.isFull != true { report(status) }
  }

  private func report(_ status: Int32) {
    let handler = handler
    self.handler = nil
    handler?(.clientEnded(status))
  }

  private func fail() {
    if let finishing {
      self.finishing = nil
      return finishing()
    }
    let handler = handler
    close()
    handler?(.broke)
  }
}
