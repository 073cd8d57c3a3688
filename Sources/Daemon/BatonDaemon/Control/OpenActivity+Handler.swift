// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import JSONCoding
import TLS
import VarlinkServer

extension ControlServer {
  func openActivity(_ parameters: OpenActivity.Parameters, _ exchange: Exchange<OpenActivity>) {
    exchange.failing { () throws(Reason) in
      let isLocal = parameters.origin == .local
      // Where the files of another machine are says nothing here.
      var activity = isLocal ? parameters.activity.outward(settings.sharedFolders) : parameters.activity
      // A program of this machine holds it no longer, so nobody can be asked for anything.
      (activity.id, activity.needsSave, activity.supportsContinuationStreams) = (nil, false, false)
      var record = try activity.record(newID: .random())
      guard isLocal || !record.isForThisMachine else { throw .activityTypeInvalid }
      // Such an address would mean a server of this machine.
      if !isLocal, record.hasPageOfThisMachineOnly { record.webpageURL = nil }
      let call = Client.Call.change { [weak self, record] in self?.findProgram(for: record, parameters, exchange) }
      let client = shell.add(Client(user: exchange.user, call) { exchange.fail($0) })
      shell.handle(.activityOpened(record, from: parameters.origin, client: client, user: exchange.user))
    }
  }

  private func findProgram(
    for record: ActivityRecord,
    _ parameters: OpenActivity.Parameters,
    _ exchange: Exchange<OpenActivity>
  ) {
    let opened = Launching.Offer(
      id: record.id,
      activityType: record.activityType,
      peer: nil,
      hasWebPage: record.webpageURL != nil,
      webpageHost: record.webpageURL.flatMap { WebPage($0) }?.hostName,
      isWebPageOfThisMachine: record.hasPageOfThisMachineOnly,
      application: parameters.origin == .local ? parameters.application : nil
    )
    let user = exchange.user
    let token = parameters.activationToken
    let client = launching.open(opened, activationToken: token, user) { [weak shell] reason in
      guard let reason else { return exchange.reply(OpenActivity.Reply()) }
      shell?.handle(.activityDropped(record.id, user: user))
      exchange.fail(reason)
    }
    guard !exchange.isFinished else { return }
    exchange.onClosed = { [weak launching] in launching?.remove(client) }
  }
}
