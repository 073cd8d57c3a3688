// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Desktop

/// What each server keeps, as its source says (see `ServerHabits`), and what it is sent.
struct ServerHabitsTests {
  private static let gnome43 = ServerHabits(name: "gnome-shell", version: "43.9")
  private static let gnome48 = ServerHabits(name: "gnome-shell", version: "48.4")
  private static let plasma = ServerHabits(name: "Plasma", version: "5.27.5")
  private static let dunst = ServerHabits(name: "dunst", version: "1.9.0")
  private static let mako = ServerHabits(name: "mako", version: "0.0.0")
  private static let xfce = ServerHabits(name: "Xfce Notify Daemon", version: "0.7.3")

  struct Row: Sendable, CustomTestStringConvertible {
    let server: String
    let habits: ServerHabits
    var kept: Int?
    var listsLow = true
    var changesPriority = true
    var listsResident = false
    var clickReads = false
    var forgets = false
    var showsClick = false

    var testDescription: String { server }
  }

  @Test(arguments: [
    Row(server: "GNOME 43", habits: gnome43, kept: 3, clickReads: true),
    Row(server: "GNOME 45", habits: ServerHabits(name: "gnome-shell", version: "45.5"), kept: 3, clickReads: true),
    Row(server: "GNOME 47", habits: ServerHabits(name: "gnome-shell", version: "47.0"), kept: 3),
    Row(server: "GNOME 48", habits: gnome48, kept: 10, changesPriority: false),
    Row(server: "Plasma", habits: plasma, listsLow: false, listsResident: true),
    Row(server: "dunst", habits: dunst, forgets: true),
    Row(server: "mako", habits: mako),
    Row(server: "xfce4-notifyd", habits: xfce, forgets: true, showsClick: true),
    Row(server: "another", habits: ServerHabits(name: "another", version: "x")),
  ])
  func aServerIsKnown(row: Row) {
    let habits = row.habits
    #expect(habits.kept == row.kept)
    #expect(habits.listsLow == row.listsLow && habits.changesPriority == row.changesPriority)
    #expect(habits.listsResident == row.listsResident && habits.clickReads == row.clickReads)
    #expect(habits.forgets == row.forgets && habits.showsClick == row.showsClick)
  }

  @Test func noButtonIsThereTwice() {
    let content = NotificationContent(Machine.offer(1))
    let text = NotificationText(content, capabilities: ["actions", "body"], Self.xfce)
    #expect(Self.xfce.actions(text.actions).map(\.key) == ["continue", "mute"])
    #expect(Self.mako.actions(text.actions).map(\.key) == ["default", "continue", "mute"])
    // A click does something that no button does.
    #expect(Self.xfce.actions([(key: "default", label: "Close")]).map(\.key) == ["default"])
  }

  @Test func noServerGetsMoreThanItKeeps() {
    for habits in [Self.gnome43, Self.gnome48] {
      #expect(habits.places + habits.transferPlaces <= habits.kept ?? 0)
      #expect(habits.places >= 1 && habits.transferPlaces >= 1)
    }
    #expect(Self.plasma.places == ServerHabits.notifications && Self.dunst.transferPlaces == ServerHabits.notifications)
  }

  private static func manner(
    _ kind: NotificationManner.Kind,
    _ habits: ServerHabits,
    isQuiet: Bool = false,
    isChange: Bool = false
  ) -> NotificationManner {
    NotificationManner(kind, isQuiet: isQuiet, isChange: isChange, habits)
  }

  @Test(arguments: [gnome43, gnome48, plasma, dunst, mako, xfce])
  func aQuestionIsLoudAndStays(habits: ServerHabits) {
    let manner = Self.manner(.question(isRead: false), habits)
    #expect(manner.urgency == 1 && manner.timeout == 0 && !manner.isQuiet)
    // Also if it comes back quietly.
    #expect(Self.manner(.question(isRead: false), habits, isQuiet: true).timeout == 0)
  }

  @Test func whatAPersonReadsHasItsButtons() {
    #expect(Self.manner(.question(isRead: true), Self.gnome43).urgency == 2)
    #expect(Self.manner(.question(isRead: true), Self.gnome48).urgency == 1)
  }

  @Test func whatIsQuietLeavesATrace() {
    for habits in [Self.gnome43, Self.gnome48, Self.dunst, Self.mako, Self.xfce] {
      let manner = Self.manner(.offer, habits, isQuiet: true)
      #expect(manner.urgency == 0 && manner.timeout == -1 && manner.isQuiet)
    }
    // In Plasma, a popup of normal priority that is over immediately stays in the list.
    let new = Self.manner(.offer, Self.plasma, isQuiet: true)
    #expect(new.urgency == 1 && new.timeout == 1 && new.isResident)
    // A change of what is in the list must not expire there.
    #expect(Self.manner(.offer, Self.plasma, isQuiet: true, isChange: true).timeout == 0)
  }

  @Test func buttonsSurviveInTheListOfPlasma() {
    #expect(Self.manner(.offer, Self.plasma).isResident && Self.manner(.outcome, Self.plasma).isResident)
    #expect(!Self.manner(.offer, Self.gnome48).isResident && !Self.manner(.progress, Self.plasma).isResident)
    #expect(Self.manner(.offer, Self.plasma).timeout == -1)
  }

  @Test(arguments: [gnome43, gnome48, plasma, dunst, mako, xfce])
  func progressDisturbsNobody(habits: ServerHabits) {
    let manner = Self.manner(.progress, habits)
    #expect(manner.urgency == 0 && manner.timeout == 0 && manner.isQuiet)
  }
}
