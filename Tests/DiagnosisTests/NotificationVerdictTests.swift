// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import Testing

@Suite struct NotificationVerdictTests {
  private typealias Notifications = Verdict.Notifications

  private func detail(_ notifications: Notifications) -> String? { Verdict.notifications(notifications)?.detail }

  @Test func withoutADesktopNothingIsMissed() {
    for server in [Notifications.Server.noBus("no such file"), .missing] {
      #expect(Verdict.notifications(Notifications(server, isDesktop: false)) == nil)
      #expect(Verdict.notifications(Notifications(server))?.outcome == .note)
    }
  }

  @Test func aServerThatShowsThemPasses() {
    #expect(detail(Notifications(.running(name: "gnome-shell"))) == "GNOME Shell shows notifications.")
    #expect(detail(Notifications(.running(name: "other"))) == "other shows notifications.")
    #expect(Verdict.notifications(Notifications(.startable))?.outcome == .passed)
    #expect(Verdict.notifications(Notifications(.silent))?.outcome == .note)
  }

  @Test(
    arguments: [.dunst, .gnome, .gnomeForBaton, .plasma, .swaync, .xfce, .mako(modes: ["away"])]
      as [Verdict.Notifications.Mute]
  )
  func whatMutesIsNamedWithWhatEndsIt(mute: Verdict.Notifications.Mute) {
    let finding = Verdict.notifications(Verdict.Notifications(.running(name: "dunst"), mute: mute, others: ["mako"]))
    #expect(finding?.outcome == .note && finding?.detail.contains("could as well") == false)
    #expect(finding?.advice?.hasSuffix("`baton` shows everything that needs your approval.") == true)
  }

  @Test func twoServersAreNamed() {
    let running = RunningPrograms(
      ["dunst", "xfce4-notifyd", "bash"].enumerated().map {
        RunningProgram(process: Int32($0.offset) + 2, parent: 1, name: $0.element)
      }
    )
    #expect(Verdict.otherServers(than: "dunst", program: "dunst", running) == ["xfce4-notifyd"])
    #expect(Verdict.otherServers(than: "renamed", program: "dunst", running) == ["xfce4-notifyd"])
    let others = Verdict.otherServers(than: "gnome-shell", program: "gjs", running)
    #expect(others == ["dunst", "xfce4-notifyd"])
    #expect(
      detail(Notifications(.running(name: "gnome-shell"), others: others))?
        .hasPrefix("GNOME Shell shows notifications, and dunst, xfce4-notifyd could as well.") == true
    )
  }

  @Test func anAgentThatIsToldToShowNoneIsNamed() {
    let finding = Verdict.notifications(Notifications(.running(name: "dunst"), isOff: true))
    #expect(finding?.detail.contains("--no-notifications") == true)
  }
}
