// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import JSONCoding

/// The socket of the program that shares a session: beside that of its tmux server, so that everything that knows the
/// session finds it, and only its user can use it.
package enum TerminalSocket {
  /// What the program is asked.
  package enum Request: String, Sendable {
    case status
    /// Make the activity current.
    case share
    /// End sharing.
    case unshare
  }

  package struct Status: Structure {
    package enum State: String, Codable, Sendable {
      /// The daemon has not answered yet.
      case starting
      /// The session is offered, or another machine sees it, or another activity is the user's current one.
      case shared
      case failed
    }

    package let state: State
    package let session: String
    package let sessionID: String
    /// The number of machines that see the session.
    package let machines: Int
    package let resumeTime: Int
    package let isReadOnly: Bool
    /// Why it failed.
    package let message: String?
  }

  /// Returns the path for a session.
  ///
  /// - Parameters:
  ///   - server: The path of the tmux server's socket.
  ///   - session: The session's ID, for example `$3`.
  package static func path(server: String, session: String) -> String { "\(server).baton-\(session.dropFirst())" }

  /// Whether the session in which a program runs is shared.
  ///
  /// - Parameter tmux: The value of $TMUX. Its last part is the session in which the program was started.
  package static func isShared(tmux: String) -> Bool {
    let parts = tmux.split(atScalar: ",", omittingEmptySubsequences: false)
    guard parts.count >= 3, let session = parts.last else { return false }
    let path = path(server: parts.dropLast(2).joined(separator: ","), session: "$\(session)")
    // Most sessions are not shared.
    guard access(path, F_OK) == 0 else { return false }
    do throws(SystemError) {
      let descriptor = try Sockets.connect(path: path)
      defer { Sockets.close(descriptor) }
      // After su, $TMUX may be that of another user.
      return Sockets.peerUser(of: descriptor) == geteuid()
    } catch {
      // A program that was killed leaves its socket, and one that stands still its queue.
      return error.code == EAGAIN
    }
  }

  /// Whether a process, such as a shell, runs in a session that is shared. Then the session is the activity, and not
  /// what the process does.
  package static func isShared(around process: Int32) -> Bool {
    let name = Array("TMUX=".utf8)
    guard let environment = RegularFile("/proc/\(process)/environ", length: environmentLength),
      let entry = environment.bytes.split(separator: 0).first(where: { $0.starts(with: name) })
    else { return false }
    return isShared(tmux: String(decoding: entry.dropFirst(name.count), as: UTF8.self))
  }

  /// The length of an environment up to which $TMUX is looked for, in bytes. Those of people have a few kilobytes.
  private static let environmentLength = 256 * 1024
  private static let replyLength = 4096

  /// Asks the program. Blocks for a moment.
  ///
  /// - Returns: Nil if no program of this user answers.
  package static func ask(_ request: Request, at path: String) -> Status? {
    guard let descriptor = try? Sockets.connect(path: path) else { return nil }
    defer { Sockets.close(descriptor) }
    guard Sockets.peerUser(of: descriptor) == geteuid() else { return nil }
    let line = Array("\(request.rawValue)\n".utf8)
    guard send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else { return nil }
    var reply: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: replyLength)
    while reply.count < replyLength {
      var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&item, 1, 5000) > 0 else { return nil }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count <= 0 { break }
      reply += buffer.prefix(count)
    }
    return (try? JSON(parsing: reply, depth: 2)).flatMap(Status.init(json:))
  }
}

/// Answers on a ``TerminalSocket``.
@Loop
final class TerminalSocketServer {
  private var listener: Listener?
  private var connections: [Int32: Readiness] = [:]
  private let path: String

  /// Nobody asks often.
  private static let connectionLimit = 8

  /// - Throws: `EADDRINUSE` if another program listens there.
  init(_ path: String, answer: @escaping @Loop (TerminalSocket.Request) -> TerminalSocket.Status) throws(SystemError) {
    self.path = path
    // A program that was killed leaves its socket.
    if let other = try? Sockets.connect(path: path) {
      Sockets.close(other)
      throw SystemError("bind", EADDRINUSE)
    }
    _ = unlink(path)
    let descriptor = try Sockets.listen(path: path, mode: 0o600)
    listener = Listener(owning: descriptor) { [weak self] in self?.accept($0, answer) }
  }

  func close() {
    guard listener != nil else { return }
    _ = unlink(path)
    listener?.close()
    listener = nil
    for connection in connections.values { connection.close() }
    connections = [:]
  }

  private func accept(_ descriptor: Int32, _ answer: @escaping @Loop (TerminalSocket.Request) -> TerminalSocket.Status)
  {
    guard Sockets.peerUser(of: descriptor) == geteuid(), connections.count < Self.connectionLimit else {
      return Sockets.close(descriptor)
    }
    let readiness = Readiness(owning: descriptor)
    connections[descriptor] = readiness
    readiness.onReadable = { [weak self] in
      var buffer = [UInt8](repeating: 0, count: 64)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EAGAIN { return }
      let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
      if let line = text.start(beforeBytesOf: "\n"), let request = TerminalSocket.Request(rawValue: String(line)) {
        let reply = answer(request).json.bytes
        _ = send(descriptor, reply, reply.count, Int32(MSG_NOSIGNAL))
      }
      readiness.close()
      self?.connections[descriptor] = nil
    }
    readiness.isReading = true
  }
}
