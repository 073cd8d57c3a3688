// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc

/// Gets tokens for what a person has clicked on: from GNOME (see ``LaunchAnnouncement``), and on X11, where the time of
/// the click is enough.
@Loop
final class LaunchAnnouncer {
  private let environment: ProcessEnvironment
  private var requests: [ActivityID: Request] = [:]

  private struct Request {
    let completion: @Loop (String?) -> Void
    let timer: Timer
    /// Asks for the desktop's variables.
    var manager: UserManager?
    var launch: LaunchAnnouncement?
    var readiness: Readiness?
  }

  /// Until a token is there. People do not wait for more.
  private static let time = Duration.milliseconds(500)
  /// Clicks that wait for a token at once. Any more go on without one.
  private static let maximumRequestCount = 8

  init(_ environment: ProcessEnvironment) { self.environment = environment }

  /// - Parameters:
  ///   - given: What the desktop has given with the click. A time alone is no token on Wayland.
  ///   - completion: Called once with the token to use, perhaps before this returns.
  func getToken(insteadOf given: String?, completion: @escaping @Loop (String?) -> Void) {
    if let given, !given.starts(withBytesOf: "_TIME") { return completion(given) }
    getToken { completion($0 ?? given) }
  }

  private func getToken(completion: @escaping @Loop (String?) -> Void) {
    guard requests.count < Self.maximumRequestCount else { return completion(nil) }
    let id = ActivityID.random()
    let timer = Timer { [weak self] in self?.end(id, nil) }
    requests[id] = Request(completion: completion, timer: timer)
    timer.set(Loop.now + Self.time)
    if announce(id, environment) { return }
    // The desktop may have started after the agent.
    let manager = UserManager()
    requests[id]?.manager = manager
    manager.environment { [weak self] result in
      // The manager is not released in a call of its own.
      Task { @Loop in
        guard let self, self.requests[id] != nil else { return }
        self.requests[id]?.manager = nil
        let variables = try? result.get()
        if !self.announce(id, self.environment.forApplication(manager: variables)) { self.end(id, nil) }
      }
    }
  }

  private static func path(_ environment: ProcessEnvironment) -> String? {
    guard let name = environment["WAYLAND_DISPLAY"] else { return nil }
    if name.starts(withBytesOf: "/") { return name }
    return environment.runtimeDirectory.map { "\($0)/\(name)" }
  }

  /// - Returns: Whether these variables name a desktop.
  private func announce(_ id: ActivityID, _ environment: ProcessEnvironment) -> Bool {
    let launch = LaunchAnnouncement(identifier: id.description, time: Self.now)
    if let path = Self.path(environment) {
      announce(id, launch, path)
    } else {
      // The clock of another machine's screen is another one.
      guard environment["DISPLAY"]?.starts(withBytesOf: ":") == true else { return false }
      end(id, launch.name)
    }
    return true
  }

  private func announce(_ id: ActivityID, _ launch: LaunchAnnouncement, _ path: String) {
    guard let descriptor = try? Sockets.connect(path: path) else { return end(id, nil) }
    let readiness = Readiness(owning: descriptor)
    requests[id]?.launch = launch
    requests[id]?.readiness = readiness
    readiness.onReadable = { [weak self] in self?.readable(id) }
    readiness.isReading = true
    write(launch.beginning, readiness)
  }

  private func readable(_ id: ActivityID) {
    guard let readiness = requests[id]?.readiness else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(readiness.descriptor, &buffer, buffer.count)
    guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) ? () : end(id, nil) }
    guard let (reply, outcome) = requests[id]?.launch?.receive(buffer[..<count]) else { return }
    write(reply, readiness)
    if let outcome { end(id, outcome == .announced ? requests[id]?.launch?.name : nil) }
  }

  /// A socket has room for the few messages. If not, the time runs out.
  private func write(_ bytes: [UInt8], _ readiness: Readiness) {
    _ = bytes.withUnsafeBytes { send(readiness.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  private func end(_ id: ActivityID, _ token: String?) {
    guard let request = requests.removeValue(forKey: id) else { return }
    request.timer.set(nil)
    request.readiness?.close()
    request.completion(token)
  }

  /// The compositor's clock, which starts again after 49 days.
  private static var now: UInt32 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt32(truncatingIfNeeded: time.tv_sec &* 1000 &+ time.tv_nsec / 1_000_000)
  }
}
