// SPDX-License-Identifier: Apache-2.0

import Desktop
import Testing

struct PlayerTaskTests {
  private let url = "file:///home/ada/a.ogg"
  private let now = ContinuousClock.now

  private func state(
    at position: Int,
    _ status: PlayerState.Status = .playing,
    url: String? = nil,
    canSeek: Bool = true
  ) -> PlayerState {
    PlayerState(
      status: status,
      track: music,
      position: position,
      canSeek: canSeek,
      url: url ?? self.url,
      trackID: "/track/1"
    )
  }

  private func started() -> PlayerTask {
    var task = PlayerTask(url, position: 60_000, players: ["mpv", "vlc"])
    #expect(task.handle(.ready(running: [:]), at: now) == [.start(0)])
    #expect(task.handle(.started(isStarted: true), at: now) == [.wake(now + PlayerTask.playerStartTime)])
    return task
  }

  @Test func aPlayerIsStartedAndMoved() {
    var task = started()
    // Another track, and one that is still loaded.
    #expect(task.handle(.changed("m", state(at: 0, url: "file:///b.ogg")), at: now) == [])
    #expect(task.handle(.changed("m", state(at: 0, canSeek: false)), at: now) == [])
    #expect(task.handle(.changed("m", state(at: 100)), at: now).first == .move("m", track: "/track/1"))
    #expect(task.handle(.changed("m", state(at: 60_100)), at: now).contains(.finish(.moved("m"))) == false)
    // It goes on from there.
    let later = now + PlayerTask.playerMoveInterval
    #expect(task.handle(.wake, at: later).first == .ask("m"))
    #expect(task.handle(.changed("m", state(at: 60_400)), at: later) == [.finish(.moved("m"))])
    #expect(task.handle(.changed("m", state(at: 0)), at: later) == [])
  }

  @Test func aPlayerThatDropsItIsToldAgain() {
    var task = started()
    _ = task.handle(.changed("m", state(at: 0)), at: now)
    #expect(task.handle(.changed("m", state(at: 50)), at: now).contains(.move("m", track: "/track/1")) == false)
    let later = now + PlayerTask.playerMoveInterval
    #expect(task.handle(.wake, at: later).first == .ask("m"))
    #expect(task.handle(.changed("m", state(at: 300)), at: later).first == .move("m", track: "/track/1"))
    let end = now + PlayerTask.playerSeekTime
    #expect(task.handle(.wake, at: end) == [.finish(.notMoved("m"))])
  }

  @Test func aPlayerThatGoesBackToTheStartIsToldAgain() {
    var task = started()
    _ = task.handle(.changed("m", state(at: 0)), at: now)
    _ = task.handle(.changed("m", state(at: 60_000)), at: now)
    var later = now + PlayerTask.playerMoveInterval
    // It stands there while it loads.
    #expect(task.handle(.changed("m", state(at: 60_000)), at: later) == [.wake(later + PlayerTask.playerMoveInterval)])
    later += PlayerTask.playerMoveInterval
    #expect(task.handle(.changed("m", state(at: 0)), at: later).first == .move("m", track: "/track/1"))
    _ = task.handle(.changed("m", state(at: 60_000)), at: later)
    later += PlayerTask.playerMoveInterval
    #expect(task.handle(.changed("m", state(at: 60_300)), at: later) == [.finish(.moved("m"))])
  }

  @Test func aRunningPlayerIsToldToOpenIt() {
    var task = PlayerTask(url, position: 0, players: ["mpv", "vlc"])
    #expect(task.handle(.ready(running: ["mpv": "m", "vlc": "v"]), at: now) == [.openIn("m")])
    #expect(task.handle(.opened(isDone: true), at: now).contains(.ask("m")))
    #expect(task.handle(.changed("m", state(at: 0, .paused)), at: now) == [.play("m"), .finish(.moved("m"))])
  }

  @Test func oneThatRefusesIsStarted() {
    var task = PlayerTask(url, position: 0, players: ["mpv"])
    _ = task.handle(.ready(running: ["mpv": "m"]), at: now)
    #expect(task.handle(.opened(isDone: false), at: now) == [.start(0)])
  }

  @Test func theNextPlayerIsTriedAndThenNone() {
    var task = PlayerTask(url, position: 0, players: ["mpv", "vlc"])
    _ = task.handle(.ready(running: [:]), at: now)
    #expect(task.handle(.started(isStarted: false), at: now) == [.start(1)])
    #expect(task.handle(.started(isStarted: true), at: now) == [.wake(now + PlayerTask.playerStartTime)])
    // It ended with an error.
    #expect(task.handle(.started(isStarted: false), at: now) == [.finish(.failed)])
    var none = PlayerTask(url, position: 0, players: [])
    #expect(none.handle(.ready(running: [:]), at: now) == [.finish(.failed)])
  }

  @Test func aPlayerThatSaysNothingWasOpened() {
    var task = started()
    #expect(task.handle(.wake, at: now + .seconds(1)) == [.wake(now + PlayerTask.playerStartTime)])
    #expect(task.handle(.wake, at: now + PlayerTask.playerStartTime) == [.finish(.notControlled)])
  }

  @Test func aPlayerThatLeavesHasNotOpenedIt() {
    var task = started()
    _ = task.handle(.changed("m", state(at: 0)), at: now)
    #expect(task.handle(.left("other"), at: now) == [])
    #expect(task.handle(.left("m"), at: now) == [.finish(.failed)])
  }
}
