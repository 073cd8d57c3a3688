// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import Hosts
import JSONCoding
import Localization
import Varlink
import VarlinkClient

/// What can be pasted: what was copied on this machine, and what the other machines offer.
@Loop
final class ClipboardService {
  /// How long `baton copy` waits for the daemon, which offers what was copied.
  private static let clipboardOfferTime = Duration.seconds(3)

  typealias Pasted = (copy: ControlCopy, type: MediaType, content: CopiedContent)

  /// Called when something else can be pasted than before.
  var onChange: (@Loop () -> Void)?
  /// What the desktop was given last.
  weak var mirrored: MirroredCopy?

  private let socket: String?
  private let lifetime: Duration
  private var table = CopyTable()
  private var own: (number: Int, copy: OwnCopy, isSelection: Bool)?
  /// Told once whether the daemon offers what was copied last.
  private var waiting: (@Loop (Bool) -> Void)?
  private var timer: Timer?
  private let current = CurrentOffers()
  private(set) var offers: [CopyTable.Key: ControlOffer] = [:]
  private var fetches: [Int: CopyFetch] = [:]
  private var streams: [Int: DocumentServer] = [:]
  private var teamCalls: [Int: ControlCall<ListTeams>] = [:]
  private var lastNumber = 0
  /// Nothing is copied while the screen is locked.
  private(set) var isLocked = false

  /// - Parameter lifetime: How long what was copied is offered.
  init(socket: String?, lifetime: Duration = Limits.clipboardTime) {
    (self.socket, self.lifetime) = (socket, lifetime)
    timer = Timer { [weak self] in self?.tellOffered(false) }
  }

  func stop() {
    onChange = nil
    clear()
    current.stop()
    for fetch in fetches.values { fetch.close() }
    (fetches, streams, teamCalls) = ([:], [:], [:])
  }

  private func next() -> Int {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Copying

  /// Offers something in place of what was copied before.
  ///
  /// - Parameters:
  ///   - isSelection: Whether it is the desktop's selection.
  ///   - completion: Called once, with whether the daemon offers it.
  func copy(
    _ info: CopyInfo,
    team: String?,
    isSelection: Bool = false,
    source: @escaping OwnCopy.Source,
    completion: @escaping @Loop (Bool) -> Void
  ) {
    guard !isLocked else { return completion(false) }
    forget()
    let number = next()
    let info = info.after(offered.map(\.activity))
    let copy = OwnCopy(info, team: team, lifetime: lifetime, socket: socket, source: source) { [weak self] in
      self?.handle($0, number)
    }
    own = (number, copy, isSelection)
    table.copied()
    waiting = completion
    timer?.set(Loop.now + Self.clipboardOfferTime)
    copy.offer()
    onChange?()
  }

  /// Withdraws what was copied on this machine, and forgets it. Streams of it break.
  func clear() {
    streams = [:]
    guard own != nil else { return }
    forget()
    onChange?()
  }

  /// Withdraws what was copied if it is the desktop's selection, which is gone.
  func clearSelection() { if own?.isSelection == true { clear() } }

  func screenChanged(isLocked: Bool) {
    self.isLocked = isLocked
    if isLocked { clear() }
  }

  /// Streams that have begun go on.
  private func forget() {
    tellOffered(false)
    own?.copy.close()
    own = nil
    table.cleared()
  }

  private func tellOffered(_ isOffered: Bool) {
    timer?.set(nil)
    let waiting = waiting
    self.waiting = nil
    waiting?(isOffered)
  }

  private func handle(_ event: OwnCopy.Event, _ number: Int) {
    guard let own, own.number == number else { return }
    switch event {
    case .offered(let isOffered): tellOffered(isOffered)
    case .ended:
      forget()
      onChange?()
    case .streamRequested(let token): serve(token, own.copy)
    }
  }

  private func serve(_ token: String, _ copy: OwnCopy) {
    let number = next()
    let (types, source) = (copy.info.types, copy.source)
    let stream = try? DocumentServer(accepting: token, path: socket) { line in
      guard let request = ClipboardRequest(line: line) else { return nil }
      guard types.contains(request.type) else { return .failure(.notAvailable) }
      let content = Awaited<CopiedContent>.value(within: Limits.selectionTime) { completion in
        source(request.type) { completion($0) }
      }
      guard let descriptor = content?.duplicate(), descriptor >= 0 else { return .failure(.notAvailable) }
      return .success(.file(descriptor))
    } onEnd: { [weak self] in
      self?.streams[number] = nil
    }
    streams[number] = stream
  }

  /// Finds the only team that something is offered to.
  ///
  /// - Parameters:
  ///   - choice: All teams, or some of them. What is current is offered to one team or to all, so the first of several
  ///     counts, unless they are all.
  ///   - completion: Called once, with nil for all teams. Never called before this returns.
  func findTeam(_ choice: TeamChoice, completion: @escaping @Loop (Result<String?, ControlFailure>) -> Void) {
    guard case .named(let names) = choice else {
      Task { @Loop in completion(.success(nil)) }
      return
    }
    let number = next()
    do throws(ControlError) {
      teamCalls[number] = try ControlCall(ListTeams.self, Nothing(), path: socket) { [weak self] result in
        self?.teamCalls[number] = nil
        guard let reply = try? result.get() else {
          return completion(.failure(ControlFailure(.daemonUnreachable)))
        }
        let all = reply.teams.map { (id: $0.id.description, name: $0.name) }
        let unusable = reply.unusable.compactMap(\.name)
        let (ids, unclear) = choice.chosen(among: all, beside: unusable)
        if ids.isEmpty {
          let isUnclear = unclear.contains { name in all.contains { $0.name.hasBytes(of: name) } }
          return completion(.failure(ControlFailure(isUnclear ? .teamAmbiguous : .teamNotFound)))
        }
        if ids.count > 1, ids == Set(all.map(\.id)) { return completion(.success(nil)) }
        let first = names.lazy
          .compactMap { TeamChoice.named([$0]).chosen(among: all, beside: unusable).ids.first }.first
        completion(.success(first))
      }
    } catch {
      Task { @Loop in completion(.failure(ControlFailure(.daemonUnreachable))) }
    }
  }

  /// - Parameter completion: Called once, with whether another machine's copy is of one of these teams. Never called
  ///   before this returns.
  func isShared(_ key: CopyTable.Key, by choice: TeamChoice, completion: @escaping @Loop (Bool) -> Void) {
    let number = next()
    let team = offers[key]?.team
    teamCalls[number] = try? ControlCall(ListTeams.self, Nothing(), path: socket) { [weak self] result in
      self?.teamCalls[number] = nil
      let reply = try? result.get()
      let teams = (reply?.teams ?? []).map { (id: $0.id.description, name: $0.name) }
      let ids = choice.chosen(among: teams, beside: (reply?.unusable ?? []).compactMap(\.name)).ids
      completion(team.map(ids.contains) == true)
    }
    if teamCalls[number] == nil { Task { @Loop in completion(false) } }
  }

  // MARK: Pasting

  func offersChanged(_ all: [ControlOffer]) {
    let copies = all.filter { $0.activityType == OwnCopy.type && !$0.isSent && $0.supportsContinuationStreams }
    let keys = copies.map { CopyTable.Key(activity: $0.id, deviceID: $0.deviceID) }
    offers = Dictionary(zip(keys, copies)) { first, _ in first }
    table.offersChanged(to: keys)
    current.change(to: copies)
    onChange?()
  }

  /// Everything that can be pasted, the newest first.
  var all: [CopyTable.Copy] { table.all }

  /// What other machines offer, the newest first.
  var offered: [CopyTable.Key] { all.compactMap { if case .offered(let key) = $0 { key } else { nil } } }

  /// Whether another machine's copy takes the place of what was copied here.
  func isNewer(_ key: CopyTable.Key, _ info: CopyInfo) -> Bool {
    // The other machine does not know of what is only offered to other teams.
    guard let own = own?.copy, own.team == nil || own.team == offers[key]?.team else { return true }
    return CopyInfo.isNewer((key.activity, info), than: (own.id, own.info))
  }

  /// Whether another machine's copy and what was copied here were made before either machine knew of the other's.
  func isConcurrent(_ key: CopyTable.Key, _ info: CopyInfo) -> Bool {
    guard let own = own?.copy else { return false }
    return info.earlier?.contains(own.id) != true && own.info.earlier?.contains(key.activity) != true
  }

  /// Whether the desktop was given this, and another machine still offers it.
  func isMirrored(_ content: CopiedContent) -> Bool { mirrored?.isOffered == true && mirrored?.has(content) == true }

  /// Finds out what another machine has copied, or gets its content.
  ///
  /// - Parameter completion: Called once, but not before this returns.
  func fetch(_ key: CopyTable.Key, _ wanted: CopyFetch.Wanted, completion: @escaping @Loop (CopyFetch.Result) -> Void) {
    let number = next()
    fetches[number] = CopyFetch(key, wanted, socket: socket) { [weak self] result in
      self?.fetches[number] = nil
      completion(result)
    }
  }

  /// - Parameter completion: Called once with what can be pasted, the newest first.
  func list(completion: @escaping @Loop ([ControlCopy]) -> Void) {
    current.get { [weak self] _ in
      guard let self else { return completion([]) }
      self.describe(self.table.all[...], [], completion)
    }
  }

  private func describe(
    _ copies: ArraySlice<CopyTable.Copy>,
    _ described: [ControlCopy],
    _ completion: @escaping @Loop ([ControlCopy]) -> Void
  ) {
    switch copies.first {
    case nil: completion(described)
    case .own:
      describe(copies.dropFirst(), described + [own.map { ControlCopy($0.copy.info) }].compactMap(\.self), completion)
    case .offered(let key):
      fetch(key, .description) { [weak self] result in
        // One that is gone meanwhile is left out.
        let found = (try? result.get()).flatMap { fetched in
          self?.offers[key].map { ControlCopy(fetched.info, of: $0) }
        }
        self?.describe(copies.dropFirst(), described + [found].compactMap(\.self), completion)
      }
    }
  }

  /// Gets the newest content.
  ///
  /// - Parameters:
  ///   - type: Nil for the best one.
  ///   - device: The name of a machine, or a prefix of its ID. Nil for any machine, and for this one.
  ///   - completion: Called once.
  func paste(type: String?, device: String?, completion: @escaping @Loop (Result<Pasted, ControlFailure>) -> Void) {
    current.get { [weak self] _ in
      guard let self else { return }
      guard let device else { return self.paste(self.table.all[...], type, completion) }
      let copies = self.table.all.compactMap { copy -> (copy: CopyTable.Copy, device: DeviceID)? in
        guard case .offered(let key) = copy, let offer = self.offers[key], Self.is(offer, device) else { return nil }
        return (copy, offer.deviceID)
      }
      // Devices can be made until the first digits of their IDs are those of another one.
      guard Set(copies.map(\.device)).count <= 1 else { return completion(.failure(ControlFailure(.deviceAmbiguous))) }
      guard !copies.isEmpty else {
        let message = localized(
          "Nothing from \(Printable.text(device)) can be pasted. Run `baton paste --list` to see what's available."
        )
        return completion(.failure(ControlFailure(.nothingOffered, message: message)))
      }
      self.paste(copies.map(\.copy)[...], type, completion)
    }
  }

  /// Whether a text is the name of the offer's device, or begins its ID.
  private static func `is`(_ offer: ControlOffer, _ text: String) -> Bool {
    offer.device.utf8.elementsEqual(text.utf8)
      || text.utf8.count >= DeviceNames.shortestID && offer.deviceID.text.utf8.starts(with: text.uppercased().utf8)
  }

  private func paste(
    _ copies: ArraySlice<CopyTable.Copy>,
    _ type: String?,
    _ completion: @escaping @Loop (Result<Pasted, ControlFailure>) -> Void
  ) {
    switch copies.first {
    case nil: completion(.failure(ControlFailure(.nothingOffered, message: Self.nothing)))
    case .own: pasteOwn(type, completion)
    case .offered(let key):
      // It may end while the content arrives.
      let offer = offers[key]
      fetch(key, .content(type)) { [weak self] result in
        guard let self else { return }
        switch result {
        case .success(let fetched):
          guard let offer, let type = fetched.type, let content = fetched.content else {
            return self.paste(copies.dropFirst(), type, completion)
          }
          completion(.success((ControlCopy(fetched.info, of: offer), type, content)))
        // It is gone meanwhile, and the one before it is the newest.
        case .failure(let failure) where failure.reason.isAboutGoneActivity:
          self.paste(copies.dropFirst(), type, completion)
        case .failure(let failure): completion(.failure(failure))
        }
      }
    }
  }

  private static var nothing: String { localized("Nothing was copied in the last two minutes.") }

  private func pasteOwn(_ name: String?, _ completion: @escaping @Loop (Result<Pasted, ControlFailure>) -> Void) {
    guard let own = own?.copy else {
      return completion(.failure(ControlFailure(.nothingOffered, message: Self.nothing)))
    }
    guard let type = MediaType.choose(name, from: own.info.types) else {
      return completion(.failure(ControlFailure(.nothingOffered, message: CopyFetch.otherTypes(own.info))))
    }
    let info = own.info
    own.source(type) { content in
      guard let content else { return completion(.failure(ControlFailure(.nothingOffered, message: Self.nothing))) }
      completion(.success((ControlCopy(info), type, content)))
    }
  }
}

extension ControlCopy {
  fileprivate init(_ info: CopyInfo, of offer: ControlOffer) {
    self.init(info, device: offer.device, deviceID: offer.deviceID, team: offer.team)
  }
}

extension Reason {
  fileprivate var isAboutGoneActivity: Bool {
    [.activityNotFound, .activityWithdrawn, .activityExpired, .alreadyContinued].contains(self)
  }
}
