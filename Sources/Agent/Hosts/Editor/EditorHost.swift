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

/// What speaks for one editor, whose child process it is: `baton editor-host`.
///
/// The editor says where the person is. The host makes that the current activity, and tells the editor which places of
/// other machines to open.
@Loop
package final class EditorHost {
  /// The name under which apps open a text position in an editor.
  package static let application = "io.baton.editor"

  let socket: String?
  let documents: EditorDocuments
  let write: @Loop (EditorReply) -> Void
  private var held: HeldPosition?
  private var privacy = FilePrivacy.current
  /// Who waits for the editor to say where the person is.
  private var located: [@Loop () -> Void] = []
  private var locateTimer: Timer?
  private var lists: [String: ControlCall<ListOffers>] = [:]
  private var registration: StandingCall<RegisterApplication>?
  private var saves: [String: Save] = [:]
  var takings: [Int: RunningTaking] = [:]
  private var number = 0
  private var directory: PrivateDirectory?
  private var renewal: ProgramRenewal?
  /// Called when nothing is lost if another program takes this one's place. Its arguments are that program, and whether
  /// ``askForPlace()`` is the first thing to do for it. If it returns, it's called again later.
  package var onReplaced: (@Loop (RunningFile, Bool) -> Void)?

  private struct Save {
    let file: String
    let timer: Timer
    let completion: @Loop (Result<[UInt8], DocumentRefusal>) -> Void
  }

  /// How long the editor may take to write its text.
  private static let saveTime = Duration.seconds(20)
  /// How long the editor may take to say where the person is. Then the last place counts that it has said.
  private static let locateTime = Duration.milliseconds(700)
  /// The maximum number of places that are opened, and of texts that are saved, at the same time.
  static let takingsLimit = 8
  private static let savesLimit = 8
  private static let listsLimit = 8
  /// What the editor was told of each offer. The person picks one of these.
  var listed = RecentTable<ListedOffer, ShownOffer>(limit: 4 * EditorHost.offersLimit)
  /// The maximum number of offers that the editor is told.
  private static let offersLimit = 64

  package init(
    socket: String?,
    documents: EditorDocuments,
    write: @escaping @Loop (EditorReply) -> Void
  ) {
    (self.socket, self.documents, self.write) = (socket, documents, write)
    held = HeldPosition(socket: socket, documents: documents) { [weak self] position, completion in
      guard let self else { return completion(.failure(.notAvailable)) }
      self.save(position, completion)
    }
    held?.onEvent = { [weak self] event in
      if case .refused(let failure) = event { self?.write(.message(failure.localizedMessage)) }
    }
    held?.onSave = { [weak self] completion in
      guard let self else { return completion() }
      self.locate(completion)
    }
    locateTimer = Timer { [weak self] in self?.tellLocated() }
    let type = OpenActivityType.textPosition.rawValue
    registration = StandingCall(
      RegisterApplication.self,
      RegisterApplication.Parameters(activityTypes: [type], application: Self.application),
      path: socket
    ) { [weak self] event in
      guard case .replied(let reply) = event else { return }
      if reply.event == .registered { self?.renewal?.check() }
      guard reply.event == .continueRequested, let id = reply.id else { return }
      self?.take(id, reply.deviceID, request: nil)
    }
    renewal = ProgramRenewal { [weak self] in
      self?.isIdle ?? false
    } renew: { [weak self] file in
      self?.renew(file)
    }
    registration?.begin()
  }

  private var isIdle: Bool {
    takings.isEmpty && saves.isEmpty && lists.isEmpty && located.isEmpty && documents.isIdle
      && directory?.isEmpty ?? true
  }

  private func renew(_ file: RunningFile) {
    directory?.remove()
    directory = nil
    onReplaced?(file, held?.isHeld ?? false)
  }

  /// Makes the editor say where the person is.
  package func askForPlace() { write(.locate) }

  /// Withdraws the activity, and removes texts that the editor has not read.
  package func stop() {
    held = nil
    registration?.cancel()
    takings = [:]
    directory?.remove()
  }

  package func received(_ message: EditorMessage) {
    switch message {
    case .current(let position):
      show(position)
      tellLocated()
    case .resign:
      held?.withdraw()
      tellLocated()
    case .saved(let request, let file): saved(request, file)
    case .list(let request): list(request)
    case .resume(let request, let id, let deviceID): take(id, deviceID, request: request)
    case .chosen(let request, let path):
      guard let number = Int(request) else { return }
      handle(.chosen(path), of: number)
    }
  }

  private func show(_ position: EditorPosition) {
    if let path = position.path, privacy.isPrivate(path) {
      // What was offered last stays, unless it is this text.
      held?.withdraw(buffer: position.buffer)
    } else if held?.show(position) == true, let registration {
      // The daemon asks the program that registered last.
      registration.replace(registration.parameters)
    }
  }

  private func locate(_ completion: @escaping @Loop () -> Void) {
    located.append(completion)
    write(.locate)
    locateTimer?.set(Loop.now + Self.locateTime)
  }

  private func tellLocated() {
    locateTimer?.set(nil)
    let located = located
    self.located = []
    for completion in located { completion() }
  }

  private func list(_ request: String) {
    guard lists.count < Self.listsLimit else {
      return write(
        .failed(request: request, message: localized("The editor is sending too many requests. Try again later."))
      )
    }
    let parameters = ListOffers.Parameters(activityType: OpenActivityType.textPosition.rawValue)
    do throws(ControlError) {
      lists[request] = try ControlCall(ListOffers.self, parameters, path: socket) { [weak self] result in
        self?.lists[request] = nil
        switch result {
        case .success(let reply): self?.tell(reply.offers.prefix(Self.offersLimit), request)
        case .failure(let error): self?.write(.failed(request: request, message: "\(error)"))
        }
      }
    } catch {
      write(.failed(request: request, message: "\(error)"))
    }
  }

  private func tell(_ offers: ArraySlice<ControlOffer>, _ request: String) {
    for offer in offers { listed[ListedOffer(id: offer.id, deviceID: offer.deviceID)] = offer.shown }
    write(.offers(request: request, offers.map(EditorReply.Offer.init)))
  }

  // MARK: The text that is not saved

  private func save(
    _ position: EditorPosition,
    _ completion: @escaping @Loop (Result<[UInt8], DocumentRefusal>) -> Void
  ) {
    guard saves.count < Self.savesLimit, let file = newFile() else { return completion(.failure(.notAvailable)) }
    number &+= 1
    let request = String(number)
    let timer = Timer { [weak self] in self?.saved(request, nil) }
    timer.set(Loop.now + Self.saveTime)
    saves[request] = Save(file: file, timer: timer, completion: completion)
    write(.save(request: request, file: file, buffer: position.buffer))
  }

  private func saved(_ request: String, _ file: String?) {
    guard let save = saves.removeValue(forKey: request) else { return }
    defer { unlink(save.file) }
    save.completion(file == save.file ? Self.content(save.file) : .failure(.notAvailable))
  }

  private static func content(_ path: String) -> Result<[UInt8], DocumentRefusal> {
    let limit = EditorDocuments.largestText
    guard let file = RegularFile(path, length: limit + 1, followsLinks: false) else { return .failure(.notAvailable) }
    return file.bytes.count > limit ? .failure(.tooLarge) : .success(file.bytes)
  }

  func newFile() -> String? { (try? texts())?.flatMap { try? $0.newFile() } }

  /// The directory for texts, which is made when it is needed.
  private func texts() throws(SystemError) -> PrivateDirectory? {
    if directory == nil { directory = try PrivateDirectory() }
    return directory
  }

  func nextNumber() -> Int {
    number &+= 1
    return number
  }
}

extension EditorReply.Offer {
  init(_ offer: ControlOffer) {
    let title = offer.title.flatMap(VisibleText.line) ?? "Untitled"
    self.init(id: offer.id, deviceID: offer.deviceID, title: title, device: Printable.text(offer.device))
  }
}
