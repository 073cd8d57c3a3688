// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop

/// A desktop entry, and the command line that it leads to.
enum DesktopEntryFuzzer: Fuzzer {
  static let seeds = [
    """
    [Desktop Entry]
    Type=Application
    Name=Reader
    Name[de_AT]=Leser
    Icon=org.example.Reader
    Exec="/opt/my reader/bin/reader" --page=%u %i --name %c %k %%
    TryExec=reader
    Path=/tmp
    Terminal=false
    X-Baton-ActivityTypes=org.example.reading;org.example.writing;
    X-Baton-TeamID=K7Q2M9XW4T
    X-Baton-Domains=example.org;*.example.net;
    [Desktop Action new]
    Name=New
    """,
    "[Desktop Entry]\r\nType=Application\r\nName=\\sa\\;\r\nExec=a %U\r\nX-Baton-Domains=a.org\r\nHidden=false\r\n",
  ].map { Array($0.utf8) }

  static let words = [
    "[Desktop Entry]\n", "\nType=Application\n", "\nName=", "\nExec=", "\nIcon=", "\nHidden=true", "\nTerminal=",
    "\nX-Baton-ActivityTypes=", "\nX-Baton-TeamID=", "\nX-Baton-Domains=", "[de]", "%u", "%U", "%f", "%F", "%i", "%c",
    "%k",
    "%%", "\\s", "\\\\", "\\\"", "\u{301}", "*.",
  ]

  private static let url = "https://example.org/?a"

  static let length = 4096

  static func run(_ input: [UInt8]) throws {
    let locales = MessageLocale.names("de_AT.UTF-8@euro")
    do throws(MalformedEntry) {
      let file = try DesktopFile(input, locales: locales)
      guard let entry = try DesktopEntry(id: "a", path: "/a.desktop", file) else { return }
      try check(entry)
    } catch {
      hold(!error.description.isEmpty, "An error without a word")
    }
    var builder = CatalogBuilder(locales: locales)
    builder.add(id: "a", path: "/a.desktop", input)
    hold(builder.catalog.activityTypes.count <= Limits.launcherTypes, "Too many types")
  }

  private static func check(_ entry: DesktopEntry) throws(MalformedEntry) {
    hold(!entry.activityTypes.isEmpty || !entry.domains.isEmpty, "It is of no use")
    hold(entry.activityTypes.count <= Limits.applicationTypes, "\(entry.activityTypes.count) types")
    hold(entry.domains.count <= DesktopEntry.domainsPerApplication, "\(entry.domains.count) domains")
    if let line = entry.commandLine(targets: [url]) {
      guard let program = line.first else { fatalError("There is no program") }
      hold(!program.isEmpty && !line.contains { $0.utf8.contains(0) }, "\(line)")
      // Not as a string: an accent may follow it, and become one character with its end.
      same(line.contains { $0.utf8.contains(url.utf8) } || !entry.takesURL, true, "The URL is not in \(line)")
      same(entry.commandLine()?.first, program, "Another program without URL")
    }
    for domain in entry.domains { same(DomainPattern(domain.description), domain) }
  }
}
