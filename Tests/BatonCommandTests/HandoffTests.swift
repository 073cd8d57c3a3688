// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import TestSupport
import Testing
import VarlinkServer

/// `advertise` and `continue` against a fake daemon.
@Suite struct HandoffTests {
  let id = ActivityID(randomBytes: (1 << 32, 0))

  @Test @Loop func advertiseGivesWhatItsOptionsSay() async throws {
    let daemon = try FakeDaemon()
    let seen = Record<BecomeCurrent.Parameters>()
    daemon.on(BecomeCurrent.self) { parameters, exchange in
      seen.append(parameters)
      exchange.replyContinuing(BecomeCurrent.Reply(id: id, event: .current))
      exchange.replyContinuing(BecomeCurrent.Reply(id: id, event: .continued, device: "desk\u{202E}top"))
      exchange.stayOpen()
    }
    let result = try await baton(
      "offer",
      "--type",
      "org.example.reading",
      "--title",
      "Notes",
      "--info",
      "a=1",
      "--info-json",
      #"{"page":7}"#,
      "--url",
      "https://example.org/",
      "--team",
      "T",
      "--expires",
      "1h",
      socket: daemon.path
    )
    #expect(result.status == 0)
    #expect(result.lines == ["Offered: \"Notes\" (org.example.reading) 00000001", "Continued on desk\\u{202e}top."])
    let parameters = try #require(seen.values.first)
    #expect(parameters.team == "T")
    #expect(parameters.activity.userInfo == ["a": "1", "page": 7])
    #expect(parameters.activity.webpageURL == "https://example.org/")
    #expect(!parameters.activity.supportsContinuationStreams)
    let expires = try #require(parameters.activity.expirationDate) - Date().timeIntervalSince1970
    #expect((3500...3600).contains(expires))
  }

  @Test @Loop func advertiseTellsEventsInJSON() async throws {
    let daemon = try FakeDaemon()
    daemon.on(BecomeCurrent.self) { _, exchange in
      exchange.replyContinuing(BecomeCurrent.Reply(id: id, event: .current))
      exchange.reply(BecomeCurrent.Reply(id: id, event: .resigned, reason: .activityExpired))
    }
    let result = try await baton("offer", "--type", "a.b", "--json", socket: daemon.path)
    #expect(result.status == 4)
    #expect(
      result.lines == [
        #"{"event":"current","id":"\#(id)"}"#, #"{"event":"resigned","id":"\#(id)","reason":"activityExpired"}"#,
      ]
    )
  }

  @Test @Loop func advertiseSendsToOneMachine() async throws {
    let daemon = try FakeDaemon()
    let seen = Record<SendActivity.Parameters>()
    let desktop = try #require(DeviceID(text: "1234" + String(repeating: "0", count: 48)))
    let team = try sampleTeam()
    daemon.on(ListTeams.self) { _, exchange in exchange.reply(ListTeams.Reply(teams: [team])) }
    daemon.on(ListPeers.self) { _, exchange in
      let peer = ControlPeer(device: "desktop", deviceID: desktop, team: team.id.description, state: .connected)
      exchange.reply(ListPeers.Reply(peers: [peer]))
    }
    daemon.on(ListDevices.self) { _, exchange in
      func device(_ name: String, _ id: DeviceID, revoked: Double? = nil) -> ControlDevice {
        ControlDevice(name: name, deviceID: id, serial: "07", admitted: 1, revoked: revoked)
      }
      let away = DeviceID(text: "1235" + String(repeating: "0", count: 48)) ?? desktop
      let old = DeviceID(text: "1237" + String(repeating: "0", count: 48)) ?? desktop
      let lost = DeviceID(text: "1236" + String(repeating: "0", count: 48)) ?? desktop
      exchange.reply(
        ListDevices.Reply(
          devices: [
            device("desktop", old), device("desk", desktop), device("tablet", away), device("lost", lost, revoked: 2),
            device("own", team.deviceID),
          ]
        )
      )
    }
    daemon.on(SendActivity.self) { parameters, exchange in
      seen.append(parameters)
      exchange.replyContinuing(SendActivity.Reply(id: id, event: .sent))
      exchange.reply(SendActivity.Reply(id: id, event: .continued, device: "desktop"))
    }
    func advertise(to device: String, _ options: String...) async throws -> BatonProcess.Result {
      let arguments = ["offer", "--type", "a.b", "--to", device] + options
      return await (try BatonProcess(arguments, socket: daemon.path)).finish()
    }
    for device in ["desktop", "1234", desktop.text.lowercased()] {
      let result = try await advertise(to: device)
      #expect(result.status == 0)
      #expect(result.lines == ["Sent to desktop: a.b 00000001", "Continued on desktop."])
    }
    let away = try await advertise(to: "tablet")
    #expect(away.lines[1] == "tablet is offline. The offer is queued.")
    #expect(seen.values.map { String($0.deviceID.text.prefix(4)) } == ["1234", "1234", "1234", "1235"])
    #expect(seen.values.allSatisfy { $0.team == team.id.description && $0.activity.activityType == "a.b" })
    let json = try await advertise(to: "desktop", "--json")
    #expect(json.lines.first == #"{"event":"sent","id":"\#(id)"}"#)
    for device in ["lost", "own", "nobody", "123", "desk\u{301}top"] {
      #expect(try await advertise(to: device).status == 4, "\(device)")
    }
    #expect(try await advertise(to: "desktop", "--team", "Other").status == 8)
    #expect(seen.values.count == 5)
  }

  @Test @Loop func advertiseListsTheMachinesThatMatch() async throws {
    let daemon = try FakeDaemon()
    let team = try sampleTeam()
    daemon.on(ListTeams.self) { _, exchange in
      let member = ControlTeam(id: team.id, name: "Demo", administrator: false, deviceID: team.deviceID, expires: 4e9)
      exchange.reply(ListTeams.Reply(teams: [member]))
    }
    let ids = ["12345", "12346"].map { $0 + String(repeating: "0", count: 47) }
    daemon.on(ListPeers.self) { _, exchange in
      let peers = ids.compactMap(DeviceID.init(text:)).map {
        ControlPeer(device: "desk\u{1B}top", deviceID: $0, team: team.id.description, state: .unreachable)
      }
      exchange.reply(ListPeers.Reply(peers: peers))
    }
    for device in ["desk\u{1B}top", "1234"] {
      let result = try await baton("offer", "--type", "a.b", "--to", device, socket: daemon.path)
      #expect(result.status == 8)
      for id in ids { #expect(result.errors.contains("\n  \(id)  desk\\u{1b}top")) }
    }
  }

  @Test @Loop func openAsksTheDaemonForAnApp() async throws {
    let daemon = try FakeDaemon()
    let offer = try sampleOffer()
    let seen = Record<OpenOffer.Parameters>()
    daemon.on(ListOffers.self) { _, exchange in exchange.reply(ListOffers.Reply(offers: [offer])) }
    daemon.on(OpenOffer.self) { parameters, exchange in
      seen.append(parameters)
      exchange.reply(OpenOffer.Reply())
    }
    let result = try await baton("open", "--json", socket: daemon.path)
    #expect(result.status == 0)
    #expect(result.lines == [#"{"activityType":"\#(offer.activityType)","id":"\#(offer.id)"}"#])
    #expect(seen.values == [OpenOffer.Parameters(id: offer.id, deviceID: offer.deviceID, shown: offer.shown)])
  }

  @Test @Loop func interruptingWithdraws() async throws {
    let daemon = try FakeDaemon()
    let (gone, goneContinuation) = AsyncStream<Void>.makeStream()
    let (current, currentContinuation) = AsyncStream<Void>.makeStream()
    daemon.on(BecomeCurrent.self) { _, exchange in
      exchange.replyContinuing(BecomeCurrent.Reply(id: id, event: .current))
      exchange.stayOpen { goneContinuation.finish() }
      currentContinuation.finish()
    }
    let process = try BatonProcess(["offer", "--type", "a.b"], socket: daemon.path)
    for await _ in current {}
    process.interrupt()
    for await _ in gone {}
    #expect(await process.finish().status == 128 + SIGINT)
  }

  @Test(arguments: [true, false]) @Loop
  func aPersonSeesThatTheOtherMachineIsAwaited(isContinued: Bool) async throws {
    let daemon = try FakeDaemon()
    let offer = try sampleOffer()
    daemon.offer([offer])
    var answer: () -> Void = {}
    daemon.on(Continue.self) { parameters, exchange in
      let activity = ControlActivity(id: parameters.id, activityType: offer.activityType)
      answer = { exchange.reply(Continue.Reply(activity: activity, device: offer.device, origin: .unknown)) }
    }
    daemon.on(OpenOffer.self) { _, exchange in answer = { exchange.reply(OpenOffer.Reply()) } }
    let terminal = try Terminal()
    let process = try BatonProcess(
      [isContinued ? "continue" : "open"],
      socket: daemon.path,
      terminal: try terminal.otherEnd()
    )
    let line = await terminal.line()
    let device = "Waiting for \(offer.device). Its app may still be saving…"
    #expect(line == (isContinued ? device : "Waiting for an app to start…"))
    // It answers only now.
    answer()
    #expect(await process.finish().status == 0)
  }

  @Test @Loop func continueTakesTheNewest() async throws {
    let daemon = try FakeDaemon()
    let seen = Record<ActivityID>()
    daemon.offer([try sampleOffer(2), try sampleOffer(1)])
    daemon.on(Continue.self) { parameters, exchange in
      seen.append(parameters.id)
      var activity = ControlActivity(id: parameters.id, activityType: "org.example.files")
      activity.title = "Notes"
      activity.webpageURL = "https://example.org/"
      activity.userInfo = ["path": "/tmp/\u{1B}", "page": 7]
      exchange.reply(Continue.Reply(activity: activity, device: "laptop", origin: .unknown))
    }
    let ambiguous = try await baton("continue", socket: daemon.path)
    #expect(ambiguous.status == 4)
    #expect(seen.values == [])
    let people = try await baton("continue", "--latest", socket: daemon.path)
    #expect(people.status == 0)
    #expect(
      people.text == """
        Continued "Notes" (org.example.files) from laptop.
            page  https://example.org/
            page  7
            path  /tmp/\\u{1b}

        """
    )
    let json = try await baton("continue", "00000001", "--json", socket: daemon.path)
    #expect(json.text.hasPrefix(#"{"activity":{"activityType":"org.example.files","id":"00000001-"#))
    #expect(seen.values == [try sampleOffer(2).id, try sampleOffer(1).id])
  }

  /// An app that was started for an activity of this machine has its ID.
  @Test @Loop func continueTakesTheWholeIDOfWhatIsNotListed() async throws {
    let daemon = try FakeDaemon()
    let seen = Record<Continue.Parameters>()
    daemon.offer([try sampleOffer(1)])
    daemon.on(Continue.self) { parameters, exchange in
      seen.append(parameters)
      guard seen.values.count == 1 else {
        return exchange.fail(ControlFailure.name, ControlFailure(.alreadyContinued).members)
      }
      let activity = ControlActivity(id: parameters.id, activityType: "a.b")
      exchange.reply(Continue.Reply(activity: activity, device: "desktop", origin: .unknown))
    }
    let id = try sampleOffer(2).id
    #expect(try await baton("continue", id.description, socket: daemon.path).status == 0)
    #expect(seen.values == [Continue.Parameters(id: id)])
    for arguments in [[String(id.description.prefix(8))], [id.description, "--from", "laptop"]] {
      let result = try await BatonProcess(["continue"] + arguments, socket: daemon.path).finish()
      #expect(result.status == 4)
    }
    #expect(seen.values.count == 1)
    // It is not there a second time.
    let again = try await baton("continue", id.description, socket: daemon.path)
    #expect(again.status == 4 && seen.values.count == 2)
  }

  @Test @Loop func continueWaits() async throws {
    let daemon = try FakeDaemon()
    let offer = try sampleOffer()
    daemon.on(ListOffers.self) { _, exchange in
      exchange.replyContinuing(ListOffers.Reply(offers: []))
      exchange.reply(ListOffers.Reply(offers: [offer]))
    }
    daemon.reply(
      to: Continue.self,
      Continue.Reply(activity: ControlActivity(activityType: "a.b"), device: "laptop", origin: .unknown)
    )
    #expect(try await baton("continue", "--wait", "20s", socket: daemon.path).status == 0)
    #expect(try await baton("continue", socket: daemon.path).status == 4)
  }

  /// What a machine offered before it was restarted is listed for a moment, and is gone.
  @Test @Loop func continueWaitsBeyondAnOfferThatIsGone() async throws {
    let daemon = try FakeDaemon()
    let gone = try sampleOffer(1), offer = try sampleOffer(2)
    let lists = Record<Exchange<ListOffers>>()
    daemon.on(ListOffers.self) { _, exchange in
      exchange.replyContinuing(ListOffers.Reply(offers: [gone]))
      lists.append(exchange)
    }
    daemon.on(Continue.self) { parameters, exchange in
      guard parameters.id == offer.id else {
        exchange.fail(ControlFailure.name, ControlFailure(.activityNotFound).members)
        for list in lists.values { list.reply(ListOffers.Reply(offers: [offer])) }
        return
      }
      exchange.reply(Continue.Reply(activity: ControlActivity(activityType: "a.b"), device: "laptop", origin: .unknown))
    }
    #expect(try await baton("continue", "--latest", "--wait", "20s", socket: daemon.path).status == 0)
  }

  @Test @Loop func continueAsksAgainForAnOfferThatStays() async throws {
    let daemon = try FakeDaemon()
    let offer = try sampleOffer()
    daemon.on(ListOffers.self) { _, exchange in
      exchange.replyContinuing(ListOffers.Reply(offers: [offer]))
      exchange.stayOpen()
    }
    let seen = Record<Continue.Parameters>()
    daemon.on(Continue.self) { parameters, exchange in
      seen.append(parameters)
      guard seen.values.count == 2 else {
        return exchange.fail(ControlFailure.name, ControlFailure(.activityNotFound).members)
      }
      exchange.reply(Continue.Reply(activity: ControlActivity(activityType: "a.b"), device: "laptop", origin: .unknown))
    }
    #expect(try await baton("continue", "--wait", "20s", socket: daemon.path).status == 0)
    #expect(seen.values.count == 2)
    let result = try await baton("continue", "--wait", "0.1", "--json", socket: daemon.path)
    #expect(result.status == 4)
    #expect(result.errors.contains(#""reason":"nothingOffered""#))
  }

  @Test @Loop func waitingEnds() async throws {
    let daemon = try FakeDaemon()
    daemon.on(ListOffers.self) { _, exchange in
      exchange.replyContinuing(ListOffers.Reply(offers: []))
      exchange.stayOpen()
    }
    let result = try await baton("continue", "--wait", "0.1", "--json", socket: daemon.path)
    #expect(result.status == 4)
    #expect(result.errors.contains(#""reason":"nothingOffered""#))
  }
}
