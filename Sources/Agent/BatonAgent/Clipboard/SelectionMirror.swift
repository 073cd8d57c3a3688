// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import Glibc
import Hosts
import Systemd

/// Shares the desktop's selection with the user's other machines: performs what ``Mirror`` decides. Nothing of what is
/// copied is in the log, and not even that something was copied.
@Loop
final class SelectionMirror {
  /// How many requests of local programs wait, while the clipboard has no owner, for what is copied next.
  private static let heldRequests = 64
  /// The first and the longest pause before the clipboard's helper is started again.
  private static let clipboardHelperBackoff = Duration.seconds(1)...Duration.seconds(60)

  private let service: ClipboardService
  private let environment: ProcessEnvironment
  private let log: Log
  private var choice = TeamChoice.none
  private var machine = Mirror()
  private var helper: SelectionHelper?
  private var manager: UserManager?
  private var isReady = false
  private var backoff = Backoff(SelectionMirror.clipboardHelperBackoff)
  private var timer: Timer?
  private var paceTimer: Timer?
  private var lastComplaint: String?
  /// What the helper was asked for, by the request's number.
  private var reading: [Int: @Loop ([UInt8]?) -> Void] = [:]
  private var lastRequest = 0
  /// The number of the newest selection.
  private var lastSelection = 0
  /// What is mirrored now, or was last.
  private var copy: MirroredCopy?
  /// What is offered of the selection, and whether other machines have read it.
  private var source: (selection: Int, names: [MediaType: String]) = (0, [:])
  private var isServed = false
  private var known = KnownContents()
  /// What local programs want of a copy that has just gone. They get the next one, if it comes soon.
  private var held: [(request: Int, name: String)] = []
  private var heldTimer: Timer?

  /// The variable with which tests name another helper.
  private static let pathVariable = "BATON_CLIPBOARD_HELPER"
  private static let displays = ["WAYLAND_DISPLAY", "DISPLAY"]

  init(_ service: ClipboardService, _ environment: ProcessEnvironment, log: Log) {
    (self.service, self.environment, self.log) = (service, environment, log)
    timer = Timer { [weak self] in self?.begin() }
    paceTimer = Timer { [weak self] in self?.handle(.wake) }
    heldTimer = Timer { [weak self] in self?.refuseHeld() }
  }

  /// - Parameter choice: The teams with which it is shared.
  func apply(_ choice: TeamChoice) {
    guard choice != self.choice else { return }
    // Another choice counts for what is copied from now on.
    stop()
    self.choice = choice
    service.clearSelection()
    guard choice != .none else { return }
    service.onChange = { [weak self] in self?.offersChanged() }
    begin()
  }

  func stop() {
    choice = .none
    service.onChange = nil
    timer?.set(nil)
    paceTimer?.set(nil)
    manager = nil
    helper?.close()
    lost()
  }

  // MARK: The helper

  /// Compositors may let programs see the clipboard only while the screen is unlocked.
  func screenUnlocked() {
    guard helper == nil else { return }
    timer?.set(nil)
    backoff.reset()
    begin()
  }

  private func begin() {
    // See `screenUnlocked`.
    guard helper == nil, choice != .none, !service.isLocked else { return }
    if Self.displays.contains(where: { environment[$0] != nil }) { return start(environment.forApplication()) }
    // A desktop may have started after the agent.
    let manager = UserManager()
    self.manager = manager
    manager.environment { [weak self, environment] result in
      // The manager is not released in a call of its own.
      Task { @Loop in
        self?.manager = nil
        let variables = try? result.get()
        self?.start(environment.forApplication(manager: variables))
      }
    }
  }

  private func start(_ environment: ProcessEnvironment) {
    guard helper == nil, choice != .none else { return }
    guard Self.displays.contains(where: { environment[$0] != nil }) else {
      return retry("no desktop is running")
    }
    let path = self.environment[Self.pathVariable] ?? Self.path
    do throws(SystemError) {
      helper = try SelectionHelper(path: path, environment.list) { [weak self] in self?.received($0) }
    } catch {
      retry("\(path) couldn't be started: \(error)")
    }
  }

  /// Beside the program: `/usr/lib/baton/clipboard-helper` for `/usr/bin/baton`.
  private static var path: String {
    guard let prefix = ProgramFile.prefix else {
      // Where the package manager of Swift builds it.
      let folders = ProgramFile.path?.split(atScalar: "/").dropLast() ?? []
      return folders.reduce("") { "\($0)/\($1)" } + "/baton-clipboard"
    }
    return prefix + "/lib/baton/clipboard-helper"
  }

  private func retry(_ trouble: String) {
    if trouble != lastComplaint { log.info("Not sharing the desktop's clipboard: \(trouble)") }
    lastComplaint = trouble
    timer?.set(Loop.now + backoff.next())
  }

  private func received(_ event: SelectionHelper.Event) {
    switch event {
    case .ended:
      let wasReady = isReady
      lost()
      retry(wasReady ? "the desktop session has ended" : "the desktop doesn't let programs see it")
    case .said(.ready):
      isReady = true
      lastComplaint = nil
      backoff.reset()
      log.info("Sharing the desktop's clipboard")
      offersChanged()
    case .said(.unavailable): isReady = false
    case .said(.selected(let number, let names)):
      lastSelection = number
      // While the screen is locked, nothing is offered, whatever it is.
      handle(.selected(number, names: service.isLocked ? [] : names, sinceRead: copy?.sinceRead))
    case .said(.unselected(let number)):
      lastSelection = number
      handle(.unselected)
    case .said(.wanted(let request, let name)): give(request, name)
    case .said(.content(let request, let bytes)): reading.removeValue(forKey: request)?(bytes)
    }
  }

  private func lost() {
    // What waits for its pace is looked at when another helper is ready.
    paceTimer?.set(nil)
    helper = nil
    isReady = false
    lastSelection = 0
    let waiting = reading.values
    reading = [:]
    for body in waiting { body(nil) }
    held = []
    handle(.helperLost)
    copy = nil
  }

  private func read(_ selection: Int, _ name: String, _ completion: @escaping @Loop ([UInt8]?) -> Void) {
    guard let helper else { return completion(nil) }
    lastRequest += 1
    reading[lastRequest] = { bytes in completion(bytes.map { SelectionTypes.content($0, of: name) }) }
    helper.tell(.get(request: lastRequest, selection: selection, name: name))
  }

  // MARK: Decisions

  private func offersChanged() {
    guard isReady else { return }
    handle(.offersChanged(service.offered, newer: service.all.prefix { $0 != .own }.count))
  }

  private func handle(_ event: Mirror.Event) {
    for effect in machine.handle(event, at: Loop.now) { perform(effect) }
    if machine.mirrored == nil { copy?.end() }
  }

  private func perform(_ effect: Mirror.Effect) {
    switch effect {
    case .withdraw: service.clear()
    case .withdrawSelection: service.clearSelection()
    case .measure(let selection, .files(let name)):
      read(selection, name) { [weak self] bytes in
        self?.handle(
          .measured(selection, bytes.map { SelectionTypes.namesFiles($0) ? .files : .new(size: nil) } ?? .unknown)
        )
      }
    case .measure(let selection, .new(let name, let other, let isPutBack)):
      measure(selection, name, other, isPutBack: isPutBack)
    case .publish(let selection, let types, let names, let size): publish(selection, types, names, size)
    case .handOver(let selection, let names): source = (selection, names)
    case .describe(let key, let isCompared): describe(key, isCompared: isCompared)
    case .take(let key, let info):
      let names = SelectionTypes.names(of: info.types)
      copy?.end()
      let copy = MirroredCopy(names) { [weak self] type, completion in self?.fetch(key, type, completion) }
      (self.copy, service.mirrored) = (copy, copy)
      helper?.tell(.offer(selection: lastSelection, names.map(\.name)))
      let held = held
      self.held = []
      for (request, name) in held { give(request, name) }
    case .drop: helper?.tell(.drop)
    case .wake(let instant): paceTimer?.set(instant)
    }
  }

  private func publish(_ selection: Int, _ types: [MediaType], _ names: [MediaType: String], _ size: Int?) {
    let info = CopyInfo(types, size: size, copied: SystemClock().date)
    service.findTeam(choice) { [weak self] result in
      // Something else was copied in the meantime.
      guard let self, self.helper != nil, selection == self.lastSelection else { return }
      guard case .success(let team) = result else { return self.service.clear() }
      (self.source, self.isServed) = ((selection, names), false)
      self.service.copy(info, team: team, isSelection: true) { [weak self] type, completion in
        guard let self else { return completion(nil) }
        self.serve(type, completion)
      } completion: { _ in
      }
    }
  }

  /// Reads the selection for another machine.
  private func serve(_ type: MediaType, _ completion: @escaping @Loop (CopiedContent?) -> Void) {
    guard let name = source.names[type] else { return completion(nil) }
    read(source.selection, name) { [weak self] bytes in
      guard let self, let bytes else { return completion(nil) }
      // Nothing was copied.
      if bytes.isEmpty { self.service.clearSelection() }
      let content = bytes.isEmpty ? nil : CopiedContent.holding(bytes)
      if let content { self.remember(content) }
      self.isServed = true
      completion(content)
    }
  }

  /// Gets what another machine has copied.
  private func fetch(_ key: CopyTable.Key, _ type: MediaType, _ completion: @escaping @Loop (CopiedContent?) -> Void) {
    service.fetch(key, .content(type.description)) { [weak self] result in
      let content = (try? result.get())?.content
      // An empty answer is none.
      guard let content, content.size > 0 else { return completion(nil) }
      self?.remember(content)
      completion(content)
    }
  }

  private func remember(_ content: CopiedContent) {
    known.insert(size: content.size, sha256: content.sha256, at: Loop.now)
  }

  // MARK: Comparing

  private func measure(_ selection: Int, _ name: String, _ other: CopyTable.Key?, isPutBack: Bool) {
    read(selection, name) { [weak self] bytes in
      guard let self else { return }
      guard let bytes else { return self.handle(.measured(selection, .unknown)) }
      guard !bytes.isEmpty else { return self.handle(.measured(selection, .empty)) }
      let hash = ContentHash()
      hash.update(bytes)
      let sha256 = hash.finish()
      let isKnown = self.known.contains(size: bytes.count, sha256: sha256, at: Loop.now)
      let isMirrored = self.copy?.has(size: bytes.count, sha256: sha256) ?? true
      if isPutBack, !isKnown, SelectionTypes.mayBeCut(size: bytes.count, of: name) {
        return self.handle(.measured(selection, .unknown))
      }
      if isKnown || isPutBack && !self.isServed {
        return self.handle(.measured(selection, isMirrored || isPutBack ? .known : .older))
      }
      let type = SelectionTypes.offered([name]).first?.type
      guard let other, let type else { return self.handle(.measured(selection, .new(size: bytes.count))) }
      self.compare(sha256, other, type) { [weak self] isSame in
        self?.handle(.measured(selection, isSame ? .known : .new(size: bytes.count)))
      }
    }
  }

  /// - Parameter completion: Called once, with whether another machine has copied this.
  private func compare(
    _ sha256: String,
    _ key: CopyTable.Key,
    _ type: MediaType,
    completion: @escaping @Loop (Bool) -> Void
  ) {
    let answer = Answer(completion)
    fetch(key, type) { answer.give($0?.sha256 == sha256) }
  }

  private func describe(_ key: CopyTable.Key, isCompared: Bool) {
    service.isShared(key, by: choice) { [weak self] isShared in
      guard let self else { return }
      guard isShared else { return self.handle(.described(key, nil)) }
      self.service.fetch(key, .description) { [weak self] result in
        guard let self else { return }
        guard let info = (try? result.get())?.info, self.isMirrored(key, info) else {
          return self.handle(.described(key, nil))
        }
        guard isCompared, self.service.isConcurrent(key, info), let type = info.types.first,
          let name = self.source.names[type]
        else { return self.handle(.described(key, info)) }
        // Another mirror may have brought the one or the other.
        self.read(self.source.selection, name) { [weak self] bytes in
          guard let self, let bytes else { self?.handle(.described(key, info)); return }
          let hash = ContentHash()
          hash.update(bytes)
          self.compare(hash.finish(), key, type) { [weak self] isSame in
            self?.handle(.described(key, isSame ? nil : info))
          }
        }
      }
    }
  }

  private func isMirrored(_ key: CopyTable.Key, _ info: CopyInfo) -> Bool {
    !SelectionTypes.names(of: info.types).isEmpty && service.isNewer(key, info)
  }

  private func give(_ request: Int, _ name: String) {
    guard let copy, machine.mirrored != nil else { helper?.tell(.refuse(request: request)); return }
    copy.get(name) { [weak self] content in
      guard let self else { return }
      if let content { self.helper?.tell(.give(request: request, content.bytes)); return }
      // Something else is mirrored already, or may be soon.
      if self.copy !== copy { return self.give(request, name) }
      guard self.held.count < Self.heldRequests else { self.helper?.tell(.refuse(request: request)); return }
      if self.held.isEmpty { self.heldTimer?.set(Loop.now + Limits.selectionGap) }
      self.held.append((request, name))
    }
  }

  private func refuseHeld() {
    for (request, _) in held { helper?.tell(.refuse(request: request)) }
    held = []
  }
}
