// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The type `Counters`: how many times various things have happened since the daemon started. Counters never decrease.
/// Their number is limited, because the list of reasons is. They do not reveal whom or what they count.
package struct Counters: Structure {
  /// The counters without a reason.
  package enum Total: String, CaseIterable, CodingKey {
    case sessionsBegun
    case offersSent
    case offersReceived
    /// Activities of this machine that another one continued.
    case activitiesHandedOver
    /// Activities of other machines that were continued here.
    case activitiesContinued
    case streamsBegun
    /// Streams that were whole in both directions.
    case streamsCompleted
    /// Streams that continued over another session.
    case streamsResumed
    case streamBytesSent
    case streamBytesReceived
    case advertsPublished
    /// How many times a rendezvous server has accepted this machine, and how many times a connection to one has failed
    /// or ended.
    case rendezvousSessions
    case rendezvousFailures
    /// Sessions that began through a relay.
    case relayedSessions
    /// How many times Avahi came back.
    case avahiReconnects
    case controlCalls
    /// Calls that were answered with an error.
    case controlFailures
  }

  /// The counters with a reason.
  package enum Cause: String, CaseIterable, CodingKey {
    case sessionsEnded
    case connectionsRefused
    case dialsFailed
    /// Fetches by other machines that received no activity.
    case handOversRefused
    /// Activities of other machines that were requested here and did not arrive.
    case continuationsFailed
    case streamsBroken
  }

  private var totals: [Total: UInt64] = [:]
  private var causes: [Cause: [Reason: UInt64]] = [:]

  package init() {}

  package subscript(total: Total) -> UInt64 { totals[total] ?? 0 }

  /// How many times each reason occurred. Reasons that did not occur are absent.
  package subscript(cause: Cause) -> [Reason: UInt64] { causes[cause] ?? [:] }

  package mutating func count(_ total: Total, by number: UInt64 = 1) {
    totals[total, default: 0] &+= number
  }

  package mutating func count(_ cause: Cause, _ reason: Reason) {
    causes[cause, default: [:]][reason, default: 0] &+= 1
  }

  /// Adds the counts of other counters.
  package mutating func add(_ other: Counters) {
    totals.merge(other.totals) { $0 &+ $1 }
    causes.merge(other.causes) { $0.merging($1) { $0 &+ $1 } }
  }

  // MARK: Coding

  package init(from decoder: any Decoder) throws {
    let totals = try decoder.container(keyedBy: Total.self)
    for total in Total.allCases {
      let number = try totals.decode(UInt64.self, forKey: total)
      if number > 0 { self.totals[total] = number }
    }
    let causes = try decoder.container(keyedBy: Cause.self)
    for cause in Cause.allCases {
      // All reasons that a newer daemon counts and this program does not know are counted together, as one reason.
      for (name, number) in try causes.decode([String: UInt64].self, forKey: cause) {
        self.causes[cause, default: [:]][Reason(rawValue: name) ?? .internalFailure, default: 0] &+= number
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var totals = encoder.container(keyedBy: Total.self)
    for total in Total.allCases { try totals.encode(self[total], forKey: total) }
    var causes = encoder.container(keyedBy: Cause.self)
    for cause in Cause.allCases {
      let numbers = self[cause].map { ($0.key.rawValue, $0.value) }
      try causes.encode(Dictionary(uniqueKeysWithValues: numbers), forKey: cause)
    }
  }
}
