// SPDX-License-Identifier: Apache-2.0

import Activity

/// What a notification server makes of notifications, as its source says. So each server gets what it keeps.
package struct ServerHabits: Equatable, Sendable {
  /// The maximum number of notifications that are shown at the same time. More would hide the desktop.
  static let notifications = 5

  /// How many notifications of one program it keeps. For the next one it destroys the oldest, whatever that asks. Nil:
  /// more than are ever shown.
  package var kept: Int?
  /// Whether those of low priority are in its list. If not, they are popups like others, and then leave no trace.
  package var listsLow = true
  /// Whether a replacement may have another priority.
  package var changesPriority = true
  /// Whether its list has the buttons of those that are `resident`, and of no others.
  package var listsResident = false
  /// Whether its list has no buttons, so that a click there may be meant to read.
  package var clickReads = false
  /// Whether popups end by themselves and nothing of them can be clicked later.
  package var forgets = false
  /// Whether a click only closes a notification, and what it would do is one more button.
  package var showsClick = false
  /// How long a popup lasts. A change waits until it is over.
  package var popupTime = Duration.zero

  /// A server that is not known, which keeps to the specification.
  package static let unknown = ServerHabits()

  /// - Parameters:
  ///   - name: As its `GetServerInformation` has it.
  ///   - version: For people, such as `43.9`.
  package init(name: String, version: String) {
    let release = version.splitScalars { $0 == "." }.first.flatMap { Int($0) } ?? 0
    switch name {
    case "gnome-shell":
      // messageTray.js: MAX_NOTIFICATIONS_PER_SOURCE. Before 46, calendar.js has no actions. Since 48, messageList.js
      // loses a message in its group when its urgency changes.
      kept = release < 48 ? 3 : 10
      clickReads = release < 46
      changesPriority = release < 48
    case "Plasma":
      // notificationsettings.kcfg: LowPriorityPopups, not LowPriorityHistory, PopupTimeout 5000. Globals.qml: one that
      // is resident keeps its actions when its popup expires. abstractnotificationsmodel.cpp: a replacement is as
      // expired as what it replaces, and expires after minutes unless its timeout is 0.
      listsLow = false
      listsResident = true
      popupTime = Duration.seconds(10)
    case "dunst":
      // A popup ends after 10 s, and dbus.c invokes nothing of its history.
      forgets = true
    case "Xfce Notify Daemon":
      // Its log is off. xfce-notify-window.c makes a button of each action with a label.
      forgets = true
      showsClick = true
    default:
      // mako is as the specification says: default-timeout is 0, so its popups stay.
      break
    }
  }

  private init() {}

  /// The actions that the server gets: no button is there twice.
  package func actions(_ actions: [(key: String, label: String)]) -> [(key: String, label: String)] {
    guard showsClick else { return actions }
    return actions.filter { action in
      action.key != NotificationText.clickKey
        || !actions.contains { $0.key != NotificationText.clickKey && $0.label == action.label }
    }
  }

  /// The room for notifications of offers. On a server that destroys the oldest, one place is for those of transfers.
  package var places: Int { min(Self.notifications, kept.map { max(1, $0 - 1) } ?? Self.notifications) }

  /// The room for notifications of transfers.
  package var transferPlaces: Int {
    min(Self.notifications, kept.map { max(1, $0 - places) } ?? Self.notifications)
  }
}

/// How one notification is sent to a server.
package struct NotificationManner: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    case offer
    /// It waits for an answer. A person may have wanted to read it.
    case question(isRead: Bool)
    /// How something ended.
    case outcome
    case progress
  }

  /// As the specification numbers them: low, normal or critical.
  package let urgency: UInt8
  /// In milliseconds; 0 if it never expires, and -1 if the server decides.
  package let timeout: Int32
  package let isResident: Bool
  package let isQuiet: Bool

  /// - Parameter isChange: Whether it takes the place of another one.
  package init(_ kind: Kind, isQuiet: Bool, isChange: Bool, _ habits: ServerHabits) {
    isResident = habits.listsResident && kind != .progress
    self.isQuiet = isQuiet || kind == .progress
    switch kind {
    case .progress: (urgency, timeout) = (0, 0)
    case .question(isRead: true) where habits.clickReads:
      // Only this one is shown with its buttons after a click in the list.
      (urgency, timeout) = (2, 0)
    case .question: (urgency, timeout) = (isQuiet && habits.listsLow ? 0 : 1, 0)
    case .offer, .outcome:
      urgency = isQuiet && habits.listsLow ? 0 : 1
      // A popup that is over immediately is in the list.
      timeout = habits.listsLow || !isQuiet ? -1 : isChange ? 0 : 1
    }
  }
}
