// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import Glibc

/// Finds browsers by what their folders contain: where packages and people put programs, and where desktop entries, the
/// system's alternatives, `PATH` and the running programs lead.
extension ProgramFindings {
  /// The maximum numbers of folders and desktop entries that are looked at, and the length of a script (bytes).
  private static let foldersLimit = 4_096
  private static let entriesLimit = 1_024
  private static let scriptLength = 64 * 1024

  /// A slash at the end leaves files out.
  private static let roots = [
    "/usr/lib/*/", "/usr/lib64/*/", "/usr/local/*/", "/usr/local/lib/*/", "/usr/local/share/*/", "/opt/*/", "/opt/*/*/",
    "~/*/", "~/.local/*/", "~/.local/*/*/", "~/.opt/*/", "~/*/*/",
  ]
  private static let alternatives = ["/etc/alternatives/x-www-browser", "/etc/alternatives/gnome-www-browser"]

  var installedBrowsers: [InstalledBrowser] {
    var found: [InstalledBrowser] = []
    func add(_ folder: String) {
      guard let folder = SymbolicLink.resolved(folder), !found.contains(where: { $0.folder == folder }),
        let family = Self.family(folder)
      else { return }
      found.append(InstalledBrowser(product: .of(family, path: installed(folder)), folder: folder))
    }
    for folder in files(Self.roots).prefix(Self.foldersLimit) { add(folder) }
    for program in running.executables { Self.parent(of: program).map(add) }
    let commands = BrowserProduct.all.flatMap(\.programs)
    let inPath = environment["PATH"] == nil ? [] : commands.compactMap { environment.program($0) }
    for program in browserPrograms + files(Self.alternatives) + inPath where !isSnap(program) {
      folders(ofProgram: program).forEach(add)
    }
    // A program whose folder nobody finds.
    for program in inPath where !isSnap(program) && folders(ofProgram: program).isEmpty && !startsSandbox(program) {
      let name = Self.name(of: program)
      guard let product = BrowserProduct.all.first(where: { $0.programs.contains(name) }),
        !found.contains(where: { $0.product == product })
      else { continue }
      found.append(InstalledBrowser(product: product))
    }
    return (found + flatpaks + snaps).sorted {
      ($0.product.name, $0.packaging.rawValue, $0.folder ?? "")
        < ($1.product.name, $1.packaging.rawValue, $1.folder ?? "")
    }
  }

  /// The path as people know it.
  func installed(_ path: String) -> String { path.rest(afterBytesOf: resolvedRoot).map(String.init) ?? path }

  private var resolvedRoot: String { root.isEmpty ? root : SymbolicLink.resolved(root) ?? root }

  private static func family(_ folder: String) -> BrowserProduct.Family? {
    BrowserProduct.family { access("\(folder)/\($0)", F_OK) == 0 }
  }

  private static func parent(of path: String) -> String? {
    path.unicodeScalars.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  private static func name(of path: String) -> String { path.split(atScalar: "/").last.map(String.init) ?? path }

  private func isSnap(_ path: String) -> Bool {
    path.starts(withBytesOf: "\(root)/snap/") || path.starts(withBytesOf: "\(root)/var/lib/snapd/")
  }

  /// The folder of a program's browser: its own, the one with its name, or those which its script names.
  private func folders(ofProgram path: String) -> [String] {
    guard let program = SymbolicLink.resolved(path), let own = Self.parent(of: program) else { return [] }
    if Self.family(own) != nil { return [own] }
    let named = [Self.name(of: path), Self.name(of: program)].flatMap { name in
      ["lib", "lib64", "share"].map { "\(root)/usr/\($0)/\(name)" }
    }
    if let folder = named.first(where: { Self.family($0) != nil }) { return [folder] }
    guard let script = script(program) else { return [] }
    let words = script.splitScalars {
      " \t\n\r\"'=;:()`{}".unicodeScalars.contains($0)
    }
    let paths = words.filter { $0.starts(withBytesOf: "/") }.prefix(64)
    return paths.compactMap { SymbolicLink.resolved(root + $0).flatMap(Self.parent) }.filter { Self.family($0) != nil }
  }

  /// The text of a program that is a script.
  private func script(_ path: String) -> String? {
    guard let bytes = RegularFile(path, length: Self.scriptLength)?.bytes, bytes.starts(with: "#!".utf8) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a program only starts a snap or a flatpak: Ubuntu's packages of browsers contain such a script.
  private func startsSandbox(_ path: String) -> Bool {
    script(path).map { text in ["/snap/bin/", "flatpak run"].contains { text.containsBytes(of: $0) } } ?? false
  }

  // MARK: Desktop entries

  /// The programs of desktop entries for browsers.
  private var browserPrograms: [String] {
    let shares = (environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(atScalar: ":")
      .filter { $0.starts(withBytesOf: "/") }.map { root + $0 }
    let own = environment.directory("XDG_DATA_HOME") ?? home.map { "\($0)/.local/share" }
    return ([own].compactMap(\.self) + shares).flatMap { share in
      Folder.names(in: "\(share)/applications", limit: Self.entriesLimit).sorted().compactMap { name in
        Self.browser("\(share)/applications/\(name)")?.program.flatMap(environment.program)
      }
    }
  }

  /// The name and the program of a desktop entry. Nil if it isn't a browser's.
  private static func browser(_ path: String) -> (name: String, program: String?)? {
    guard path.ends(withBytesOf: ".desktop"), let file = RegularFile(path, length: Limits.desktopEntryLength),
      let entry = try? DesktopFile(file.bytes), let categories = try? entry.list("Categories"),
      categories.contains(where: { $0.hasBytes(of: "WebBrowser") })
    else { return nil }
    let name = (try? entry.string("Name")) ?? nil
    let exec = ((try? entry.string("Exec")) ?? nil).flatMap { try? ExecLine($0) }
    let words = exec?.commandLine(.init(name: "", path: path)) ?? []
    // `env NAME=value program` sets variables for a program.
    let isEnvironment = words.first.map { Self.name(of: $0) == "env" } ?? false
    let program = isEnvironment ? words.dropFirst().first { !$0.unicodeScalars.contains("=") } : words.first
    return (name ?? "", program)
  }

  // MARK: Flatpak and Snap

  /// The folders of Flatpak's installations: the system's, the user's, and those that an administrator has added.
  var flatpakFolders: [String] {
    let added = files(["/etc/flatpak/installations.d/*.conf"]).flatMap { text(of: $0).split(atScalar: "\n") }
      .compactMap { $0.rest(afterBytesOf: "Path=").map { root + $0.trimmed } }
    return ["\(root)/var/lib/flatpak"] + added + [home.map { "\($0)/.local/share/flatpak" }].compactMap(\.self)
  }

  private var flatpaks: [InstalledBrowser] {
    var found: [String: InstalledBrowser] = [:]
    for folder in flatpakFolders {
      for app in Folder.names(in: "\(folder)/app", limit: Self.entriesLimit) {
        guard found[app] == nil, let product = flatpak(app, in: folder) else { continue }
        let own = ["firefox", app].map { "\(folder)/app/\(app)/current/active/files/lib/\($0)" }
        found[app] = InstalledBrowser(
          product: product,
          packaging: .flatpak,
          folder: own.first { access($0, F_OK) == 0 },
          app: app
        )
      }
    }
    for app in running.flatpaks where found[app] == nil {
      guard let product = BrowserProduct.all.first(where: { $0.flatpaks.contains(app) }) else { continue }
      found[app] = InstalledBrowser(product: product, packaging: .flatpak, app: app)
    }
    return Array(found.values)
  }

  private func flatpak(_ app: String, in folder: String) -> BrowserProduct? {
    if let product = BrowserProduct.all.first(where: { $0.flatpaks.contains(app) }) { return product }
    guard Self.browser("\(folder)/exports/share/applications/\(app).desktop") != nil else { return nil }
    let parts = app.split(atScalar: ".").joined(separator: "/")
    let isFirefox = app.lowercased().containsBytes(of: "fox") || app.lowercased().containsBytes(of: "mozilla")
    return .of(isFirefox ? .firefox : .chromium, path: parts)
  }

  private var snaps: [InstalledBrowser] {
    let entries = files(["/var/lib/snapd/desktop/applications/*.desktop"]).prefix(Self.entriesLimit)
    let named = entries.filter { Self.browser($0) != nil }.compactMap {
      Self.name(of: $0).split(atScalar: "_").first.map(String.init)
    }
    let programs = files(["/snap/bin/*", "/var/lib/snapd/snap/bin/*"]).map(Self.name)
    let known = Set(BrowserProduct.all.flatMap(\.snaps)).intersection(programs)
    return known.union(named).map { app in
      let product =
        BrowserProduct.all.first { $0.snaps.contains(app) }
        ?? .of(app.lowercased().containsBytes(of: "fox") ? .firefox : .chromium, path: app)
      return InstalledBrowser(product: product, packaging: .snap, app: app)
    }
  }
}
