// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// Sends a multicast DNS question to this machine itself, on each interface in use. If this machine's own firewall
/// drops it, it is not heard. The name in the question does not exist, so nobody answers.
@Loop
final class MulticastTest {
  /// The time from sending a multicast to this machine itself until it is received.
  private static let multicastTestTime = Duration.milliseconds(500)

  private struct Attempt {
    /// The index of the report that it is for.
    let report: Int
    let socket: MulticastSocket
    let readiness: Readiness
  }

  private var reports: [InterfaceReport]
  private var attempts: [Attempt] = []
  private var timer: Timer?
  private var completion: (@Loop ([InterfaceReport]) -> Void)?

  /// - Parameter completion: Called once with the reports and what was heard, at most `multicastTestTime` later
  ///   and never before this returns. It is not called if this object is released first.
  init(_ reports: [InterfaceReport], completion: @escaping @Loop ([InterfaceReport]) -> Void) {
    self.reports = reports
    self.completion = completion
    timer = Timer { [weak self] in self?.finish() }
    for (index, report) in reports.enumerated() where report.isUsed && report.isUp && report.hasMulticast {
      guard !report.isLoopback else { continue }
      for isIPv6 in [false, true] where report.networks.contains(where: { $0.address.isIPv6 == isIPv6 }) {
        begin(index, isIPv6)
      }
    }
    timer?.set(attempts.isEmpty ? Loop.now : Loop.now + Self.multicastTestTime)
  }

  isolated deinit { close() }

  private func begin(_ index: Int, _ isIPv6: Bool) {
    do throws(SystemError) {
      let socket = try MulticastSocket(interface: reports[index].index, isIPv6: isIPv6)
      let readiness = Readiness(owning: socket.receiver)
      readiness.onReadable = { [weak self, weak readiness] in if let readiness { self?.readable(readiness) } }
      readiness.isReading = true
      attempts.append(Attempt(report: index, socket: socket, readiness: readiness))
    } catch {
      // If the socket could not even be made, nothing is known.
      if error.call == "sendto" { reports[index].multicasts.append(.notSent("\(error)")) }
    }
  }

  private func readable(_ readiness: Readiness) {
    guard let index = attempts.firstIndex(where: { $0.readiness === readiness }) else { return }
    guard attempts[index].socket.hasHeard() else { return }
    let attempt = attempts.remove(at: index)
    attempt.readiness.close()
    reports[attempt.report].multicasts.append(.heard)
    if attempts.isEmpty { finish() }
  }

  private func finish() {
    for attempt in attempts { reports[attempt.report].multicasts.append(.notHeard) }
    let completion = completion
    close()
    completion?(reports)
  }

  private func close() {
    completion = nil
    timer = nil
    for attempt in attempts { attempt.readiness.close() }
    attempts = []
  }
}
