// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import EventLoop
import TestSupport
import Testing

@testable import BatonAgent

@Suite(.isolated) struct CurrentOffersTests {
  @Loop
  private final class Scene {
    let offers = CurrentOffers()
    private(set) var answers: [[String]] = []

    func ask() { offers.get { [unowned self] offers in answers.append(offers.compactMap(\.title)) } }
  }

  @Test @Loop func whoAsksFirstWaitsForTheFirstList() throws {
    let scene = Scene()
    scene.ask()
    scene.ask()
    #expect(scene.answers == [])
    scene.offers.change(to: [try ControlOffer.sample("Whale")])
    #expect(scene.answers == [["Whale"], ["Whale"]])
    scene.ask()
    scene.offers.change(to: [])
    scene.ask()
    #expect(scene.answers == [["Whale"], ["Whale"], ["Whale"], []])
  }

  @Test func withoutADaemonWhoAsksWaitsOnce() throws {
    let clock = try ManualClock.install()
    try onLoop {
      let scene = Scene()
      scene.ask()
      clock.advance(by: CurrentOffers.firstOffersTime - .milliseconds(1))
      #expect(scene.answers == [])
      clock.advance(by: .milliseconds(1))
      #expect(scene.answers == [[]])
      scene.ask()
      #expect(scene.answers == [[], []])
    }
  }

  @Test @Loop func whoWaitsIsAnsweredWhenTheAgentStops() throws {
    let scene = Scene()
    scene.ask()
    scene.offers.stop()
    #expect(scene.answers == [[]])
  }
}
