// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Appointments and tasks.
extension CSSearchableItemAttributeSet {
  /// When it begins.
  public var startDate: Date? {
    get { self[attribute: "startDate"] }
    set { self[attribute: "startDate"] = newValue }
  }

  /// When it ends.
  public var endDate: Date? {
    get { self[attribute: "endDate"] }
    set { self[attribute: "endDate"] = newValue }
  }

  /// When it is due.
  public var dueDate: Date? {
    get { self[attribute: "dueDate"] }
    set { self[attribute: "dueDate"] = newValue }
  }

  /// When it was completed.
  public var completionDate: Date? {
    get { self[attribute: "completionDate"] }
    set { self[attribute: "completionDate"] = newValue }
  }

  /// Whether it takes the whole day.
  public var allDay: NSNumber? {
    get { self[attribute: "allDay"] }
    set { self[attribute: "allDay"] = newValue }
  }

  /// Important dates.
  public var importantDates: [Date]? {
    get { self[attribute: "importantDates"] }
    set { self[attribute: "importantDates"] = newValue }
  }

  /// The calendar that it is in.
  public var calendarIdentifier: String? {
    get { self[attribute: "calendarIdentifier"] }
    set { self[attribute: "calendarIdentifier"] = newValue }
  }

  /// The identifier of the event.
  public var eventIdentifier: String? {
    get { self[attribute: "eventIdentifier"] }
    set { self[attribute: "eventIdentifier"] = newValue }
  }
}
