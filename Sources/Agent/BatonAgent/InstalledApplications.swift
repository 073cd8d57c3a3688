// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc
import Systemd

/// The desktop entries of the user and of the machine. They are read again when they change.
///
/// They are searched in `$XDG_DATA_HOME/applications`, then in `applications` of each of `$XDG_DATA_DIRS` (XDG Base
/// Directory Specification). Some hundred small files are read on the loop; their number and length are limited.
@Loop
package final class InstalledApplications: AgentPart {
  /// The first and the longest pause after the kernel provided no watch for the folders of desktop entries. The
  /// entries are read again each time.
  nonisolated static let folderWatchBackoff = Duration.seconds(1)...Duration.seconds(60)
  /// The time from a change of a desktop entry until all entries are read again. A package installs several files.
  nonisolated static let applicationsQuietTime = Duration.milliseconds(200)

  package private(set) var catalog = ApplicationCatalog()
  /// Called when the catalogue has changed.
  package var onChange: (@Loop () -> Void)?

  private let directories: [String]
  private let locales: [String]
  private let log: Log
  private let makeWatch: @Loop () throws(SystemError) -> FolderWatch
  private var watch: FolderWatch?
  /// Whether the kernel does not report changes.
  private var isBlind = false
  private var backoff = Backoff(InstalledApplications.folderWatchBackoff)
  private var timer: Timer?
  /// The complaints about unusable entries that were logged. Each is logged once.
  private var complaints: Set<String> = []

  package convenience init(_ environment: ProcessEnvironment, log: Log) {
    self.init(environment, log: log) { () throws(SystemError) in try FolderWatch() }
  }

  init(
    _ environment: ProcessEnvironment,
    log: Log,
    makeWatch: @escaping @Loop () throws(SystemError) -> FolderWatch
  ) {
    self.makeWatch = makeWatch
    directories = Self.directories(environment)
    locales = MessageLocale.names(environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"] ?? "C")
    self.log = log
    timer = Timer { [weak self] in self?.changed() }
  }

  package nonisolated static func directories(_ environment: ProcessEnvironment) -> [String] {
    let home = environment.directory("XDG_DATA_HOME") ?? environment.directory("HOME").map { "\($0)/.local/share" }
    let others = (environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(atScalar: ":").map(String.init)
    var known: Set<String> = []
    return ([home].compactMap(\.self) + others).filter { $0.starts(withBytesOf: "/") && known.insert($0).inserted }
      .map { ($0.start(beforeBytesOf: "/") ?? $0[...]) + "/applications" }
  }

  package func start() { read() }

  package func stop() {
    onChange = nil
    timer?.set(nil)
    watch = nil
  }

  package func applicationsChanged() {}

  /// Reads changes that are already known, without waiting for more.
  package func catchUp() {
    guard timer?.deadline != nil else { return }
    timer?.set(nil)
    changed()
  }

  /// Finds the installed apps with a name, the preferred one first. They need none of Baton's keys, so the entries are
  /// read again.
  package func applications(called name: String) -> [DesktopEntry] {
    var folders = ApplicationFolders(CatalogBuilder(locales: locales, wanted: name), nil)
    for directory in directories { folders.read(directory) }
    return folders.builder.catalog.applications(called: name)
  }

  /// Finds the installed apps that play media of a type, the preferred one first.
  func applications(playing mediaType: String) -> [DesktopEntry] {
    var folders = ApplicationFolders(CatalogBuilder(locales: locales, mediaType: mediaType), nil)
    for directory in directories { folders.read(directory) }
    return folders.builder.catalog.applications
  }

  private func changed() {
    let before = catalog
    read()
    if catalog != before { onChange?() }
  }

  /// Watches before it reads, so that it does not miss changes in between.
  private func read() {
    // Release the old one first, because there may not be another one.
    watch = nil
    var trouble: SystemError?
    do throws(SystemError) { watch = try makeWatch() } catch { trouble = error }
    watch?.onChange = { [weak self] in self?.timer?.set(Loop.now + Self.applicationsQuietTime) }
    var folders = ApplicationFolders(CatalogBuilder(locales: locales), watch)
    for directory in directories { folders.read(directory) }
    catalog = folders.builder.catalog
    tell(
      folders.builder.complaints.map { "Ignoring a desktop entry: \($0)" } + catalog.leftOut.map(\.description)
    )
    tell(trouble ?? watch?.trouble)
    log.debug("Read the desktop entries", ["apps": "\(catalog.applications.count)"])
  }

  private func tell(_ complaints: [String]) {
    for complaint in complaints where !self.complaints.contains(complaint) { log.warning(complaint) }
    self.complaints = Set(complaints)
  }

  /// If the kernel does not report changes, the entries are read periodically until it does.
  private func tell(_ trouble: SystemError?) {
    if let trouble {
      if !isBlind { log.warning("Changes to desktop entries will be noticed late: \(trouble.description)") }
      timer?.set(Loop.now + backoff.next())
    } else {
      if isBlind { log.notice("Changes to desktop entries are noticed immediately again") }
      backoff.reset()
    }
    isBlind = trouble != nil
  }
}
