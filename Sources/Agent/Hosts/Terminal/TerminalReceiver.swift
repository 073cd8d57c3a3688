// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import Glibc
import JSONCoding
import Localization
import VarlinkClient

/// Shows another machine's session in the terminal of this process: performs what ``TerminalConnection`` decides.
@Loop
package final class TerminalReceiver {
  package struct Options: Sendable {
    package let activity: ActivityID
    package let deviceID: DeviceID?
    /// The name of the origin, for people.
    package let device: String
    /// The path of the daemon's socket. Nil for the default.
    package let daemon: String?

    package init(activity: ActivityID, deviceID: DeviceID?, device: String, daemon: String?) {
      (self.activity, self.deviceID, self.device, self.daemon) = (activity, deviceID, device, daemon)
    }
  }

  package struct Result: Sendable {
    package let outcome: TerminalConnection.Outcome
    /// What the daemon said about the last failure.
    package let error: ControlError?
    /// The signal that ended it.
    package let signal: Int32?
    /// The name of the session, if the origin has said it.
    package let session: String?
  }

  /// The signals to hold (`Signals.hold`) before any thread is started.
  package nonisolated static let signals = [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT]
  /// For how long a session is tried to be reached at most, whatever the origin says.
  package nonisolated static let longestResumeTime = Duration.seconds(7 * 86_400)

  private let options: Options
  private let terminal: RawTerminal
  private var machine = TerminalConnection(longestResumeTime: longestResumeTime)
  private var stream: ProgramStream?
  private var channel: TerminalChannel?
  private var continuing: ControlCall<Continue>?
  private var peers: ControlCall<ListPeers>?
  private var timer: EventLoop.Timer?
  private var signalQueue: SignalQueue?
  private var escape = EscapeSequence()
  private var screen = AlternateScreen()
  private var error: ControlError?
  private var signal: Int32?
  private var session: String?
  /// The size that the origin was told in the hello.
  private var size = TerminalSize.usual
  private var onEnd: (@Loop (Result) -> Void)?

  package init(_ options: Options, onEnd: @escaping @Loop (Result) -> Void) throws(SystemError) {
    self.options = options
    self.onEnd = onEnd
    terminal = try RawTerminal()
    timer = EventLoop.Timer { [weak self] in self?.handle(.wake) }
    signalQueue = try SignalQueue(Self.signals) { [weak self] in self?.received($0) }
    terminal.onInput = { [weak self] in self?.typed($0) }
    terminal.onEnd = { [weak self] in self?.received(SIGHUP) }
    terminal.onSpace = { [weak self] in self?.channel?.isReading = true }
  }

  package func begin() { handle(.begin) }

  private func handle(_ event: TerminalConnection.Event) {
    for effect in machine.handle(event, at: Loop.now) { perform(effect) }
  }

  private func perform(_ effect: TerminalConnection.Effect) {
    switch effect {
    case .open(let token): open(token)
    case .continueAgain: continueAgain()
    case .closeStream: closeStream()
    case .sendDetach: channel?.send(.detach)
    case .sendPing: channel?.send(.ping)
    case .draw: channel?.send(.size(terminal.size))
    case .wake(let instant): timer?.set(instant)
    case .tellBroken:
      // Otherwise, the session's program may have made Ctrl-C a sequence.
      terminal.show(TerminalScreen.plainKeys)
      notice(
        localized("Lost the connection to \(device). Reconnecting… Keystrokes are discarded. Press Ctrl+C to give up.")
      )
    case .tellSilent:
      notice(localized("\(device) isn't responding. Keystrokes may arrive late. To leave, press Return, then ~."))
    case .tellConnected:
      escape = EscapeSequence()
      terminal.isRaw = true
    case .finish(let outcome): finish(outcome)
    }
  }

  private var device: String { Printable.text(options.device) }

  private func notice(_ text: String) { terminal.show(TerminalScreen.notice(text, terminal.size)) }

  // MARK: The stream

  private func open(_ token: String?) {
    closeStream()
    do throws(ControlError) {
      stream = try ProgramStream(.opening(options.activity), path: options.daemon) { [weak self] in
        self?.handle($0, token)
      }
    } catch { broke(error) }
  }

  private func handle(_ event: ProgramStream.Event, _ token: String?) {
    switch event {
    case .began(let socket):
      guard let channel = try? TerminalChannel(socket) else { return handle(.broke(.unreachable)) }
      self.channel = channel
      channel.onFrame = { [weak self] in self?.receive($0) }
      channel.onEnd = { [weak self] in self?.handle(.broke(.unreachable)) }
      channel.onSpace = { [weak self] in self?.terminal.isReading = true }
      let environment = ProcessEnvironment.current
      let type = environment["TERM"].flatMap { TerminalText.isTerminalType($0) ? $0 : nil }
      size = terminal.size
      let hello = TerminalHello(terminal: type, size: size, isUTF8: environment.isUTF8, token: token)
      channel.send(.hello(hello))
    case .ended: handle(.broke(.unreachable))
    case .failed(let error): broke(error)
    }
  }

  private func broke(_ error: ControlError) {
    self.error = error
    guard case .failed(let failure) = error else { return handle(.broke(.unreachable)) }
    switch failure.reason {
    case .activityNotFound: handle(.broke(.unknown))
    case .streamsNotSupported, .notPermitted: handle(.broke(.refused(failure.reason)))
    default: handle(.broke(.unreachable))
    }
  }

  private func closeStream() {
    channel?.close()
    channel = nil
    // The channel may have been full, and nobody else lets the user type again.
    if terminal.isRaw { terminal.isReading = true }
    stream?.close()
    stream = nil
    (continuing, peers) = (nil, nil)
  }

  private func receive(_ frame: TerminalFrame) {
    switch frame {
    case .welcome(let welcome):
      session = welcome.session
      handle(.welcomed(welcome))
      // It may have changed in the meantime.
      if terminal.size != size { channel?.send(.size(terminal.size)) }
    case .pong: handle(.answered)
    case .data(let bytes):
      guard terminal.isRaw else { return }
      handle(.heard)
      screen.show(bytes)
      terminal.show(bytes)
      if terminal.isFull { channel?.isReading = false }
    case .end(let end): handle(.ended(end))
    case .hello, .size, .detach, .ping: handle(.broke(.unreachable))
    }
  }

  // MARK: After a restart of the origin's daemon

  private func continueAgain() {
    let parameters = Continue.Parameters(id: options.activity, deviceID: options.deviceID)
    do throws(ControlError) {
      continuing = try ControlCall(Continue.self, parameters, path: options.daemon) { [weak self] result in
        self?.continuedAgain(result)
      }
    } catch { broke(error) }
  }

  private func continuedAgain(_ result: Swift.Result<Continue.Reply, ControlError>) {
    switch result {
    case .success: handle(.continuedAgain)
    case .failure(.failed(let failure)) where [.activityNotFound, .alreadyContinued].contains(failure.reason):
      askForPeer()
    case .failure: handle(.broke(.unreachable))
    }
  }

  /// The daemon knows no such offer. That says something only if the origin is connected.
  private func askForPeer() {
    let device = options.deviceID
    peers = try? ControlCall(ListPeers.self, ListPeers.Parameters(), path: options.daemon) { [weak self] result in
      let reply = try? result.get()
      let isConnected = reply?.peers.contains { $0.deviceID == device && $0.state == .connected } == true
      self?.handle(.broke(isConnected ? .notOffered : .unreachable))
    }
    if peers == nil { handle(.broke(.unreachable)) }
  }

  // MARK: The user

  private func typed(_ bytes: ArraySlice<UInt8>) {
    guard machine.isConnected, let channel else {
      // Nobody knows what would be there to read it later.
      if bytes.contains(0x03) { return handle(.left) }
      if case .leave = escape.filter(bytes) { handle(.left) }
      return
    }
    switch escape.filter(bytes) {
    case .typed(let bytes):
      channel.send(.data(bytes[...]))
      handle(.typed)
      if channel.isFull { terminal.isReading = false }
    case .leave(let bytes):
      channel.send(.data(bytes[...]))
      handle(.left)
    }
  }

  private func received(_ number: Int32) {
    switch number {
    case SIGWINCH: if machine.isConnected { channel?.send(.size(terminal.size)) }
    case SIGTSTP: stop()
    case SIGCONT: handle(.resumed)
    default:
      signal = number
      handle(.left)
    }
  }

  /// Leaves the terminal to others until this process is continued. The origin draws everything again then.
  private func stop() {
    handle(.stopped)
    resetScreen()
    terminal.flush()
    terminal.isRaw = false
    kill(getpid(), SIGSTOP)
  }

  /// A client of tmux that ends leaves the terminal as it was, but it may have been killed, or be none.
  private func resetScreen() {
    terminal.show(TerminalScreen.modes)
    if !screen.isLeft { terminal.show(TerminalScreen.leave) }
    screen = AlternateScreen()
  }

  private func finish(_ outcome: TerminalConnection.Outcome) {
    if terminal.isRaw { resetScreen() }
    terminal.close()
    timer = nil
    signalQueue = nil
    let result = Result(outcome: outcome, error: error, signal: signal, session: session)
    let handler = onEnd
    onEnd = nil
    handler?(result)
  }
}

extension ProcessEnvironment {
  /// Whether the terminal shows UTF-8, as the locale says.
  fileprivate var isUTF8: Bool {
    let locale = (self["LC_ALL"] ?? self["LC_CTYPE"] ?? self["LANG"] ?? "").uppercased()
    return locale.containsBytes(of: "UTF-8") || locale.containsBytes(of: "UTF8")
  }
}
