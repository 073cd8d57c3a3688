// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import JSONCoding
import Varlink
import VarlinkClient

/// What the browser shows about the other machines: their offers, the machines, and the teams.
@Loop
final class BrowserLists {
  private let handler: @Loop (JSON) -> Void
  private var offerList: OfferList?
  private var peersCall: StandingCall<ListPeers>?
  private var teamsCall: StandingCall<ListTeams>?
  /// Nil before they are known.
  private var offers: [ControlOffer]?
  private var peers: [ControlPeer]?
  private var teams: [ControlTeam]?
  private var fault: String?

  /// - Parameter handler: Gets the message for the extension: when everything is known, and at each change.
  init(path: String?, handler: @escaping @Loop (JSON) -> Void) {
    self.handler = handler
    offerList = OfferList(path: path) { [weak self] offers in
      self?.offers = offers
      self?.tell()
    }
    peersCall = StandingCall(ListPeers.self, Nothing(), path: path) { [weak self] event in
      guard let self else { return }
      switch event {
      case .replied(let reply): (self.peers, self.fault) = (reply.peers, nil)
      case .lost: self.peers = []
      case .failed(let error): self.fault = "\(error)"
      }
      self.tell()
    }
    teamsCall = StandingCall(ListTeams.self, Nothing(), mode: .single, path: path) { [weak self] event in
      guard let self else { return }
      // Without them, the rest is told all the same.
      if case .replied(let reply) = event { self.teams = reply.teams } else { self.teams = self.teams ?? [] }
      self.tell()
    }
    peersCall?.begin()
    teamsCall?.begin()
  }

  /// Whether this is offered, and is still what was shown.
  func offers(_ shown: ShownOffer, _ id: ActivityID, _ deviceID: DeviceID) -> Bool {
    offers?.first { $0.id == id && $0.deviceID == deviceID }?.shown == shown
  }

  private func tell() {
    // A list without machines would be a claim that there are none.
    guard fault != nil || (offers != nil && peers != nil && teams != nil) else { return }
    let offers = (offers ?? []).prefix(BrowserLimits.listed).map { offer in
      [
        "id": offer.id.json, "deviceID": offer.deviceID.json,
        "device": .string(offer.device), "shown": offer.shown.json,
        "host": offer.webpageHost.flatMap { WebPage.isHostName($0) ? .string(DisplayedHost.text($0)) : nil } ?? .null,
      ] as JSON
    }
    let devices = (peers ?? []).prefix(BrowserLimits.listed).map { peer in
      [
        "id": peer.deviceID.json, "name": .string(peer.device), "team": .string(peer.team),
        "isConnected": .bool(peer.state == .connected),
      ] as JSON
    }
    let teams = (teams ?? []).map { ["id": .string($0.id.description), "name": .string($0.name)] as JSON }
    handler([
      "type": "lists", "offers": .array(offers), "devices": .array(devices), "teams": .array(teams),
      "fault": fault.map(JSON.string) ?? .null,
    ])
  }
}
