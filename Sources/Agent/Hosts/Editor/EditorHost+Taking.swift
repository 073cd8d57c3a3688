// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import Glibc
import JSONCoding
import Localization
import Varlink
import VarlinkClient

/// One place of another machine on its way into the editor.
@Loop
struct RunningTaking {
  let id: ActivityID
  /// The editor's own name for what it asked for. Nil if the person asked elsewhere.
  let request: String?
  var machine = PositionTaking()
  var call: ControlCall<Continue>?
}

/// An offer that the editor was told about.
struct ListedOffer: Hashable {
  let id: ActivityID
  let deviceID: DeviceID
}

extension EditorHost {
  func take(_ id: ActivityID, _ deviceID: DeviceID?, request: String?) {
    guard takings.count < Self.takingsLimit else {
      return write(.failed(request: request, message: localized("Too many files are being opened. Try again later.")))
    }
    let number = nextNumber()
    takings[number] = RunningTaking(id: id, request: request)
    do throws(ControlError) {
      let shown = deviceID.flatMap { listed[ListedOffer(id: id, deviceID: $0)] }
      let parameters = Continue.Parameters(id: id, deviceID: deviceID, shown: shown)
      takings[number]?.call = try ControlCall(Continue.self, parameters, path: socket, isPatient: true) {
        [weak self] result in
        self?.takings[number]?.call = nil
        switch result {
        case .success(let reply): self?.continued(reply, number)
        case .failure(let error): self?.handle(.failed("\(error)"), of: number)
        }
      }
    } catch {
      handle(.failed("\(error)"), of: number)
    }
  }

  private func continued(_ reply: Continue.Reply, _ number: Int) {
    guard reply.activity.activityType == OpenActivityType.textPosition.rawValue else {
      return handle(.failed(localized("It isn't a file you can edit.")), of: number)
    }
    let position = TextPosition(userInfo: reply.activity.userInfo ?? [:])
    let hasStream = reply.activity.supportsContinuationStreams
    let device = Printable.text(reply.device)
    handle(.continued(position, hasStream: hasStream, device: device), of: number)
  }

  func handle(_ event: PositionTaking.Event, of number: Int) {
    guard var taking = takings[number] else { return }
    let effects = taking.machine.handle(event)
    takings[number] = taking.machine.isDone ? nil : taking
    for effect in effects { perform(effect, taking, number) }
  }

  private func perform(_ effect: PositionTaking.Effect, _ taking: RunningTaking, _ number: Int) {
    switch effect {
    case .find(let document, let canFetch):
      documents.find(document, canFetch: canFetch) { [weak self] finding in self?.handle(.found(finding), of: number) }
    case .choose(let paths, let how): write(.choose(request: String(number), paths: paths, found: how))
    case .fetch(let document):
      documents.fetch(document, of: taking.id) { [weak self] result in
        switch result {
        case .success(let file): self?.handle(.fetched(path: file.path, isChanged: file.isChanged), of: number)
        case .failure(let error): self?.handle(.failed("\(error)"), of: number)
        }
      }
    case .fetchText: fetchText(of: taking.id, number)
    case .hash(let path):
      documents.hash(path) { [weak self] file in
        self?.handle(.hashed(file?.sha256, version: file?.version), of: number)
      }
    case .open(var opening):
      // What was fetched earlier is another machine's text, too.
      if let path = opening.path, DocumentPlaces.current.arrived.contains(path) { opening.isFetched = true }
      write(.open(opening))
    case .fail(let message): write(.failed(request: taking.request, message: message))
    }
  }

  private func fetchText(of id: ActivityID, _ number: Int) {
    guard let file = newFile() else {
      return handle(.failed(localized("There's no directory to put the text in.")), of: number)
    }
    documents.fetchText(of: id, into: file) { [weak self] result in
      switch result {
      case .success(let base): self?.handle(.text(file: file, base: base), of: number)
      case .failure(let error):
        unlink(file)
        self?.handle(.failed("\(error)"), of: number)
      }
    }
  }
}
