import Activity
import DesktopEntries
import EventLoop
import Glibc
import Systemd

/// What the domains that installed apps claim say of these apps.
///
/// They are asked when the agent starts, when other apps are installed, and when what they said is too old: never because of
/// a page that another machine hands off. So a domain does not learn when somebody continues what. What one said counts on
/// for some days while it does not answer.
@Loop
final class Associations: AgentPart {
  private let installed: InstalledApplications
  private let environment: ProcessEnvironment
  private let cache: AssociationCache
  private let log: Log
  private var domains: [String] = []
  /// Those that are still to be asked, in order.
  private var queue: [String] = []
  private var request: AssociationRequest?
  /// Those that did not answer.
  private var silent: [String: Silent] = [:]
  private var waiting: [Waiting] = []
  private var timer: Timer?
  private var isStopped = false

  private struct Silent {
    var backoff = Backoff(Limits.associationBackoff)
    /// Not asked before.
    var retry = ContinuousClock.Instant.now
  }

  /// Somebody who wants to know what a domain says that is being asked.
  private struct Waiting {
    let domain: String
    let deadline: ContinuousClock.Instant
    let timer: Timer
    let completion: @Loop (Association?) -> Void
  }

  init(_ environment: ProcessEnvironment, installed: InstalledApplications, log: Log) {
    self.environment = environment
    self.installed = installed
    self.log = log
    cache = AssociationCache(environment)
    timer = Timer { [weak self] in self?.refresh() }
  }

  func start() { applicationsChanged() }

  func stop() {
    isStopped = true
    timer?.set(nil)
    request?.cancel()
    request = nil
    waiting = []
  }

  func applicationsChanged() {
    domains = installed.catalog.domains
    refresh()
  }

  /// What the domain says; nil where it says nothing. Waits for `Limits.associationTime` where it is being asked at the
  /// moment.
  func find(_ domain: String, completion: @escaping @Loop (Association?) -> Void) {
    guard isAsked(domain) else { return completion(known(domain)) }
    let deadline = Loop.now + Limits.associationTime
    let timer = Timer { [weak self] in self?.answer() }
    timer.set(deadline)
    waiting.append(Waiting(domain: domain, deadline: deadline, timer: timer, completion: completion))
  }

  /// Asks for what is not there or too old.
  private func refresh() {
    guard !isStopped else { return }
    silent = silent.filter { domains.contains($0.key) }
    queue = domains.filter { $0 != request?.domain && isDue($0) }
    answer()
    next()
  }

  private func isDue(_ domain: String) -> Bool {
    if let silent = silent[domain], Loop.now < silent.retry { return false }
    return cache.entry(domain)?.isDue(at: Loop.clock.date) ?? true
  }

  private func known(_ domain: String) -> Association? {
    cache.entry(domain).flatMap { $0.counts(at: Loop.clock.date) ? $0.association : nil }
  }

  private func next() {
    guard request == nil, !isStopped else { return }
    guard !queue.isEmpty else { return setTimer() }
    let domain = queue.removeFirst()
    request = AssociationRequest(domain, environment) { [weak self] result in
      guard let self else { return }
      self.request = nil
      switch result {
      case .success(let bytes):
        self.log.info("Got a domain's association", ["domain": domain])
        self.answered(domain, bytes)
      case .failure(let failure):
        self.log.info("A domain gave no association: \(failure.description)", ["domain": domain])
        if failure.isAnswer { self.answered(domain, []) } else { self.remainedSilent(domain) }
      }
      self.answer()
      self.next()
    }
    request?.begin()
  }

  private func answered(_ domain: String, _ bytes: [UInt8]) {
    silent[domain] = nil
    cache.store(bytes, of: domain)
  }

  private func remainedSilent(_ domain: String) {
    var silence = silent[domain] ?? Silent()
    silence.retry = Loop.now + silence.backoff.next()
    silent[domain] = silence
  }

  /// Answers who wait for domains that are not being asked any more, or have waited long enough.
  private func answer() {
    let now = Loop.now
    let ready = waiting.filter { !isAsked($0.domain) || $0.deadline <= now }
    waiting.removeAll { !isAsked($0.domain) || $0.deadline <= now }
    for one in ready { one.completion(known(one.domain)) }
  }

  private func isAsked(_ domain: String) -> Bool { queue.contains(domain) || request?.domain == domain }

  private func setTimer() {
    let (now, date) = (Loop.now, Loop.clock.date)
    let due = domains.map { domain in
      let age = cache.entry(domain).map { $0.isDue(at: date) ? 0 : $0.due - date } ?? 0
      return max(now + .seconds(max(age, 1)), silent[domain]?.retry ?? now)
    }
    timer?.set(due.min())
  }
}
