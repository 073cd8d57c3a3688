// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import Glibc

/// Finds browsers by what their folders contain: where packages and people put programs, and where desktop entries, the
/// system's alternatives, `PATH` and the running programs lead. None of them is started.
extension ProgramFindings {
  /// The maximum number of desktop entries, and the length of a script (bytes).
  private static let entriesLimit = 1_024
  private static let scriptLength = 64 * 1024
  private static let wordsLimit = 64

  /// Where to look, and how deep. `~` is the home folder.
  private static let roots = [
    ("/usr/lib", 1), ("/usr/lib64", 1), ("/usr/share", 1), ("/usr/local", 1), ("/usr/local/lib", 1),
    ("/usr/local/share", 1), ("/opt", 2), ("~", 2), ("~/.local", 2), ("~/.opt", 1), ("~/.tarball-installations", 1),
  ]
  /// Where people put programs that are one file.
  private static let images = [
    "~/*.[Aa]pp[Ii]mage", "~/Applications/*.[Aa]pp[Ii]mage", "~/Downloads/*.[Aa]pp[Ii]mage", "~/bin/*.[Aa]pp[Ii]mage",
    "~/.local/bin/*.[Aa]pp[Ii]mage", "/opt/*.[Aa]pp[Ii]mage",
  ]
  private static let alternatives = ["/etc/alternatives/x-www-browser", "/etc/alternatives/gnome-www-browser"]

  var installedBrowsers: [InstalledBrowser] {
    let folders = BrowserFolders(mounts: "\(root)/proc/self/mountinfo")
    var found: [InstalledBrowser] = []
    func add(_ path: String) {
      guard let family = Self.family(path), let folder = SymbolicLink.resolved(path),
        !found.contains(where: { $0.folder == folder })
      else { return }
      let product = BrowserProduct.of(family, path: fromHome(folder) ?? installed(folder))
      found.append(InstalledBrowser(product: product, folder: folder))
    }
    for (base, depth) in Self.roots {
      let base = base.rest(afterBytesOf: "~").map { rest in home.map { $0 + rest } } ?? root + base
      if let base { folders.below(base, depth: depth).forEach(add) }
    }
    for program in running.executables { Self.parent(of: program).map(add) }
    let commands = BrowserProduct.all.flatMap(\.programs)
    let inPath = environment["PATH"] == nil ? [] : commands.compactMap { environment.program($0) }
    let listed = browserPrograms
    for program in listed + files(Self.alternatives) + inPath where !isSnap(program) {
      self.folders(ofProgram: program).forEach(add)
    }
    // A program whose folder nobody finds.
    for program in inPath where !isSnap(program) && self.folders(ofProgram: program).isEmpty && !startsSandbox(program)
    {
      let name = Self.name(of: program)
      guard let product = BrowserProduct.all.first(where: { $0.programs.contains(name) }),
        !found.contains(where: { $0.product == product })
      else { continue }
      found.append(InstalledBrowser(product: product))
    }
    addImages(listed + files(Self.images).prefix(Self.entriesLimit), to: &found)
    return (found + flatpaks + snaps).sorted {
      ($0.product.name, $0.packaging.rawValue, $0.folder ?? $0.file ?? "")
        < ($1.product.name, $1.packaging.rawValue, $1.folder ?? $1.file ?? "")
    }
  }

  /// Adds the programs among these paths that are one file.
  private func addImages(_ paths: [String], to found: inout [InstalledBrowser]) {
    for path in paths.compactMap(SymbolicLink.resolved) {
      guard path.lowercased().ends(withBytesOf: ".appimage"), access(path, X_OK) == 0,
        let product = BrowserProduct.named(Self.name(of: path)), !found.contains(where: { $0.file == path })
      else { continue }
      // While it runs, its content is mounted.
      let mounted = found.firstIndex { browser in
        browser.file == nil && browser.product == product && browser.folder?.containsBytes(of: "/.mount_") ?? false
      }
      if let mounted {
        found[mounted].file = path
      } else {
        found.append(InstalledBrowser(product: product, file: path))
      }
    }
  }

  /// The path as people know it.
  func installed(_ path: String) -> String { path.rest(afterBytesOf: resolvedRoot).map(String.init) ?? path }

  private var resolvedRoot: String { root.isEmpty ? root : SymbolicLink.resolved(root) ?? root }

  private static func family(_ folder: String) -> BrowserProduct.Family? {
    BrowserProduct.family(
      { access("\(folder)/\($0)", F_OK) == 0 },
      names: { Folder.names(in: folder, limit: entriesLimit) }
    )
  }

  private static func parent(of path: String) -> String? {
    path.unicodeScalars.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  private static func name(of path: String) -> String { path.split(atScalar: "/").last.map(String.init) ?? path }

  private func isSnap(_ path: String) -> Bool {
    path.starts(withBytesOf: "\(root)/snap/") || path.starts(withBytesOf: "\(root)/var/lib/snapd/")
  }

  /// The folder of a program's browser: its own, the one with its name, those that its script names, or one beside its
  /// `bin`, as in profiles of Nix.
  private func folders(ofProgram path: String) -> [String] {
    guard let program = SymbolicLink.resolved(path), let own = Self.parent(of: program) else { return [] }
    if Self.family(own) != nil { return [own] }
    let named = [Self.name(of: path), Self.name(of: program)].flatMap { name in
      ["lib", "lib64", "share"].map { "\(root)/usr/\($0)/\(name)" }
    }
    if let folder = named.first(where: { Self.family($0) != nil }) { return [folder] }
    let script = script(program).map(Self.paths) ?? []
    let fromScript = script.compactMap { SymbolicLink.resolved(root + $0).flatMap(Self.parent) }
      .filter { Self.family($0) != nil }
    return fromScript.isEmpty ? beside(own) : fromScript
  }

  /// The folders beside a program's, if everything of one package is there and nothing else: `/nix/store/…/bin`.
  private func beside(_ own: String) -> [String] {
    guard own.ends(withBytesOf: "/bin"), let prefix = Self.parent(of: own), prefix.containsBytes(of: "/store/") else {
      return []
    }
    let folders = BrowserFolders(mounts: "\(root)/proc/self/mountinfo")
    return [("lib", 1), ("lib64", 1), ("libexec", 1), ("share", 2), ("opt", 2)]
      .flatMap { folders.below("\(prefix)/\($0.0)", depth: $0.1) }.filter { Self.family($0) != nil }
  }

  /// The absolute paths in a script, as words and in quotes.
  private static func paths(_ script: String) -> [String] {
    let words = script.splitScalars { " \t\n\r\"'=;:()`{}".unicodeScalars.contains($0) }
    let quoted = script.splitScalars { "\n\"'".unicodeScalars.contains($0) }
    return
      (words.filter { $0.starts(withBytesOf: "/") }.prefix(wordsLimit)
      + quoted.filter { $0.starts(withBytesOf: "/") && $0.unicodeScalars.contains(" ") }.prefix(wordsLimit)).map(
        String.init
      )
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
        browser("\(share)/applications/\(name)")?.program.flatMap(environment.program)
      }
    }
  }

  /// The name and the program of a desktop entry. Nil if it isn't a browser's.
  func browser(_ path: String) -> (name: String, program: String?)? {
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
}
