// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Systemd

/// The state of discovery as it is right now, independent of earlier events.
package struct Examination: Equatable, Sendable {
  /// Why Avahi does not answer: `busUnavailable` or `discoveryUnavailable`, and what the system says.
  package struct Failure: Equatable, Sendable {
    package let reason: Reason
    package let detail: String

    package init(_ reason: Reason, _ detail: String) {
      self.reason = reason
      self.detail = detail
    }
  }

  /// Nil if Avahi answers.
  package var failure: Failure?
  package var interfaces: [InterfaceReport]
  /// Whether Avahi tells of so many instances, whoever's they are, that its cache may be full.
  package var isCrowded: Bool
  /// Whether Avahi's configuration lets no program announce anything.
  package var isMuted: Bool

  package init(
    failure: Failure? = nil,
    interfaces: [InterfaceReport],
    isCrowded: Bool = false,
    isMuted: Bool = false
  ) {
    self.failure = failure
    self.interfaces = interfaces
    self.isCrowded = isCrowded
    self.isMuted = isMuted
  }
}

extension AvahiDiscovery {
  private static let avahi = BusQuestion.Target(
    destination: "org.freedesktop.Avahi",
    path: "/",
    interface: "org.freedesktop.Avahi.Server",
    member: "GetState"
  )

  package func examine(completion: @escaping @Loop (Examination) -> Void) {
    var examination = Examination(
      interfaces: InterfaceReport.current(wanted.interfaces),
      isCrowded: isCrowded,
      isMuted: isMuted
    )
    var held: [AnyObject] = []
    var waiting = 2
    // Both tests are kept alive until both are over.
    func ended() {
      waiting -= 1
      guard waiting == 0 else { return }
      held = []
      completion(examination)
    }
    held.append(
      BusQuestion(Self.avahi, time: Limits.discoveryCheckTime) { outcome in
        switch outcome {
        case .answered: break
        case .noBus(let detail): examination.failure = Examination.Failure(.busUnavailable, detail)
        case .failed(let detail): examination.failure = Examination.Failure(.discoveryUnavailable, detail)
        }
        ended()
      }
    )
    held.append(
      MulticastTest(examination.interfaces) { interfaces in
        examination.interfaces = interfaces
        ended()
      }
    )
  }
}
