import Activity
import JSONCoding

/// The type `Counters`: how many times various things have happened since the daemon started. Counters never decrease.
/// Their number is limited, because the list of reasons is. They do not reveal whom or what they count.
package struct Counters: Structure {
  /// The counters without a reason.
  package enum Total: String, CaseIterable, Sendable {
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
    /// How many times Avahi came back.
    case avahiReconnects
    case controlCalls
    /// Calls that were answered with an error.
    case controlFailures
  }

  /// The counters with a reason.
  package enum Cause: String, CaseIterable, Sendable {
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

  package init(_ members: inout Members) throws(InvalidParameter) {
    for total in Total.allCases {
      let number: UInt64 = try members.count(total.rawValue)
      if number > 0 { totals[total] = number }
    }
    for cause in Cause.allCases {
      let numbers = try members.required(cause.rawValue, Self.numbers)
      if !numbers.isEmpty { causes[cause] = numbers }
    }
  }

  /// Counts together, as one reason, all reasons that a newer daemon counts and this program does not know.
  private static func numbers(_ json: JSON) -> [Reason: UInt64]? {
    guard let object = json.object else { return nil }
    var numbers: [Reason: UInt64] = [:]
    for (name, value) in object {
      guard let number = value.uint64 else { return nil }
      numbers[Reason(rawValue: name) ?? .internalFailure, default: 0] &+= number
    }
    return numbers
  }

  package var members: [String: JSON] {
    var members: [String: JSON] = [:]
    for total in Total.allCases { members[total.rawValue] = JSON(self[total]) }
    for cause in Cause.allCases {
      let numbers = self[cause].map { ($0.key.rawValue, JSON($0.value)) }
      members[cause.rawValue] = .object(Dictionary(uniqueKeysWithValues: numbers))
    }
    return members
  }
}
