// SPDX-License-Identifier: Apache-2.0

import Activity
import Discovery
import Systemd
import Testing

@testable import BatonDaemon

struct ConfigurationTests {
  private func read(_ texts: String...) -> ConfigurationReader {
    var reader = ConfigurationReader()
    for (index, text) in texts.enumerated() { reader.read(text, path: index == 0 ? "batond.conf" : "\(index).conf") }
    return reader
  }

  /// Reads texts that must have no faults.
  private func good(_ text: String) throws -> Configuration {
    let reader = read(text)
    try #require(reader.faults.isEmpty, "\(reader.faults)")
    return reader.configuration
  }

  private func faults(_ text: String) -> [String] { read(text).faults.map(\.description) }

  @Test func anEmptyFileIsTheDefaults() throws {
    let text =
      "\n# Name=x\n ; Port=1\n[Device]\nName=\n[Network]\nPort=\nDiscovery=\n[Log]\nLevel=\n[shared-folders]\nX=\n"
    #expect(try good(text) == Configuration())
  }

  @Test func linesMayEndAsOnOtherSystems() throws {
    #expect(try good("[Device]\r\nName=a\r\n[Network]\r\nPort=1\r\n").port == 1)
    #expect(faults("[Device]\r\n\r\nNome=a").first?.hasPrefix("batond.conf:3: ") == true)
  }

  @Test func aMarkHidesNoSign() throws {
    #expect(try good("[Device]\nName=\u{301}a").name?.utf8.elementsEqual("\u{301}a".utf8) == true)
    #expect(try good("#\u{301}[Device]\n;\u{200D}x\n") == Configuration())
    #expect(faults("[\u{301}Device]\nName=a").count == 1)
  }

  @Test func foldersAreShared() throws {
    let shared = try good("[Device]\nName=a\n[shared-folders]\nNotes = /srv/my notes \n#X=/x\nA.b_c-9=/a=b\n")
      .sharedFolders
    #expect(shared.inward("baton-folder:/Notes/x") == "file:///srv/my%20notes/x")
    #expect(shared.inward("baton-folder:/A.b_c-9/x") == "file:///a=b/x")
    #expect(shared.inward("baton-folder:/X/x") == "baton-folder:/X/x")
  }

  @Test func interfacesAreNamedByPatterns() throws {
    let policy = try good("[Network]\nInterfaces= eth* \twlan0\nExcludeInterfaces=eth9\n").interfaces
    #expect(policy == InterfacePolicy(interfaces: ["eth*", "wlan0"], excluded: ["eth9"]))
    #expect(try good("[Network]\nInterfaces=a\nInterfaces=\n").interfaces == InterfacePolicy())
    let patterns = Array(repeating: "a", count: ConfigurationKey.interfacePatterns).joined(separator: " ")
    #expect(
      try good("[Network]\nInterfaces=\(patterns)\n").interfaces.interfaces.count == ConfigurationKey.interfacePatterns
    )
    #expect(
      faults("[Network]\nExcludeInterfaces=\(patterns) b\n") == [
        "batond.conf:2: there are more than 64 interface patterns"
      ]
    )
  }

  @Test func oneSourceIsKnown() throws {
    #expect(try good("").source == nil)
    #expect(try good("[Network]\nSource=tailscale\n").source == .tailscale)
    #expect(try good("[Network]\nSource=tailscale\nSource=\n").source == nil)
    #expect(
      faults("[Network]\nSource=Tail") == ["batond.conf:2: the source must be tailscale or empty, not \"Tail\""]
    )
  }

  @Test func lockedScreensWithholdUnlessToldOtherwise() throws {
    #expect(try good("").withholdsWhenLocked)
    #expect(try !good("[Privacy]\nWithholdWhenLocked=no\n").withholdsWhenLocked)
    #expect(try good("[Privacy]\nWithholdWhenLocked=no\nWithholdWhenLocked=\n").withholdsWhenLocked)
    #expect(faults("[Privacy]\nWithholdWhenLocked=x") == ["batond.conf:2: expected yes or no, not \"x\""])
  }

  @Test(arguments: [
    ("[Network]\nPort=65536", 2, "a port must be a number from 0 to 65535, not \"65536\""),
    ("[Network]\nPort=-1", 2, "a port must be a number from 0 to 65535"),
    ("[Network]\nPort=80 # http", 2, "a port must be a number from 0 to 65535"),
    (
      "[Device]\nName=\(String(repeating: "n", count: Limits.deviceNameLength + 1))", 2,
      "a name must be at most 63 bytes long"
    ),
    ("[Device]\nName=a\u{1B}b", 2, "a name can't contain control characters"),
    ("[Device]\nName=a\u{FEFF}b\tc", 2, "a name can't contain control characters"),
    ("[Log]\nLevel=loud", 2, "a log level must be one of error, warning, notice, info, debug, not \"loud\""),
    ("[shared-folders]\n\nNotes=srv/notes", 3, "a folder's path must be absolute"),
    ("[shared-folders]\nNotes=~/notes", 2, "a folder's path must be absolute"),
    ("[shared-folders]\nNotes=/srv/../notes", 2, "a folder's path must be absolute"),
    ("[shared-folders]\nMy Notes=/srv/notes", 2, "a folder's name must have 1 to 63 letters"),
    ("[shared-folders]\n=/srv/notes", 2, "a folder's name must have 1 to 63 letters"),
    ("[shared-folders]\nA=/a\n[Log]\n[shared-folders]\nA=/b", 5, "the folder \"A\" is listed twice in this file"),
    ("[shared-folders]\n" + (0...16).map { "f\($0)=/srv\n" }.joined(), 18, "at most 16 folders can be shared"),
    ("[shared-folders]\nNotes", 2, "a line must be [Section] or Key=Value, not \"Notes\""),
    ("[Log\nLevel=info", 1, "a line must be [Section] or Key=Value"),
    ("Name=a", 1, "\"Name\" isn't in a section"),
  ])
  func aFaultIsNamedWithItsLine(text: String, line: Int, message: String) throws {
    let fault = try #require(read(text).faults.first)
    #expect(fault.description.hasPrefix("batond.conf:\(line): \(message)"), "\(fault)")
    #expect(fault.kind == .wrong)
  }

  @Test(arguments: [
    ("[Device]\nNome=a\nName=b", 2, "unknown key \"Nome\" in section [Device]; the keys are Name"),
    ("[Device]\nName.x=a\nName=b", 2, "unknown key \"Name.x\""),
    (
      "[Shared-Folders]\nNotes=srv\n[Device]\nName=b", 1,
      "unknown section \"[Shared-Folders]\"; did you mean [shared-folders]?"
    ),
    ("[shared-folders.Notes]\nx=/srv\ny=/srv\n[Device]\nName=b", 1, "unknown section \"[shared-folders.Notes]\""),
    ("[]\nx=/srv\n[Device]\nName=b", 1, "unknown section \"[]\""),
  ])
  func whatIsUnknownIsNamedAndLeftOut(text: String, line: Int, message: String) throws {
    let reader = read(text)
    #expect(reader.faults.count == 1)
    let fault = try #require(reader.faults.first)
    #expect(fault.description.hasPrefix("batond.conf:\(line): \(message)"), "\(fault)")
    #expect(reader.errors.isEmpty)
    #expect(reader.configuration.name == "b")
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\0"]) func linesEndAsForSystemd(end: String) {
    let lines = ["\u{FEFF}# a comment", "[Device]", "Name=b", "", "[Log]", "Level=loud"]
    for text in [lines.joined(separator: end), (lines + [""]).joined(separator: end)] {
      let reader = read(text)
      #expect(reader.configuration.name == "b")
      #expect(reader.faults.map(\.place) == ["batond.conf:6"])
    }
  }

  /// Found by fuzzing.
  @Test func aFaultIsOneLineOfPlainText() {
    let text = "[shared-folders]\nA=x\u{1B}[31m\nB\u{7}=/b\nB\u{7}=/c\n"
    #expect(read(text).faults.count == 3)
    for fault in faults(text) {
      #expect(!fault.unicodeScalars.contains { $0.value < 0x20 }, "\(fault.debugDescription)")
    }
  }

  @Test func allFaultsAreNamed() {
    #expect(
      faults("[Network]\nPort=x\nPrt=1\n[Logs]\nLevel=\n[Log]\nLevel=x\nDevice\n").map { $0.split(separator: ":")[1] }
        == ["2", "3", "4", "7", "8"]
    )
  }

  @Test func tooManyFaultsAreTheLast() {
    let limit = Limits.configurationFaults
    let below = read("[Log]\n" + String(repeating: "X=\n", count: limit - 1))
    #expect(below.faults.count == limit - 1 && below.errors.isEmpty)
    let above = read("[Log]\n" + String(repeating: "X=\n", count: limit + 1) + "Level=debug")
    #expect(above.faults.count == limit + 1 && above.errors.count == 1)
    #expect(above.configuration.logLevel == .info)
  }

  @Test func aSizeHasAUnit() throws {
    #expect(try good("").streamMemory == 256 << 20)
    #expect(try good("[Memory]\nStreams=1G\n").streamMemory == 1 << 30)
    #expect(try good("[Memory]\nStreams=8192K\n").streamMemory == 8 << 20)
    #expect(try good("[Memory]\nStreams=1G\nStreams=\n").streamMemory == 256 << 20)
    #expect(try good("[Memory]\nStreams=4194305\n").streamMemory == 4_194_305)
    for size in ["1", "4095K", "65G", "99999999999G", "-1G", "1T", "M", "1 G", "0x10M"] {
      #expect(faults("[Memory]\nStreams=\(size)\n").count == 1, "\(size)")
    }
    #expect(
      faults("[Memory]\nStreams=1M\n").first?.hasSuffix("the size must be between 4M and 64G, not \"1M\"") == true
    )
  }

  @Test(arguments: ["Sessions=128M", "Programs=", "Sessions=7 elephants"])
  func aRemovedKeyIsNamedAndChangesNothing(_ line: String) {
    let reader = read("[Memory]\n\(line)\nStreams=1G\n")
    let key = line.prefix { $0 != "=" }
    #expect(reader.errors.isEmpty && reader.configuration.streamMemory == 1 << 30)
    #expect(
      reader.faults.map(\.description)
        == ["batond.conf:2: the key \"\(key)\" is no longer used; you can delete the line"]
    )
  }

  @Test func aLaterFilePrevails() {
    let reader = read(
      "[Device]\nName=a\n[Network]\nPort=1\n[shared-folders]\nA=/a\nB=/b\n",
      "[Network]\nPort=2\n[shared-folders]\nA=/c\nB=\n",
      "[Network]\nPort=\n"
    )
    #expect(reader.faults.isEmpty)
    #expect(reader.configuration.name == "a")
    #expect(reader.configuration.port == Configuration.defaultPort)
    #expect(reader.configuration.sharedFolders.all.map(\.name) == ["A"])
    #expect(reader.configuration.sharedFolders.all.map(\.path) == ["/c"])
  }

  @Test func whatIsInEffectIsAFileThatSaysTheSame() throws {
    let reader = read(
      "[Device]\nName=laptop\n[shared-folders]\nNotes=/srv/my notes\n",
      "[Network]\nInterfaces=eth* wlan0\n[Log]\nLevel=debug\n"
    )
    #expect(
      reader.text == """
        # In effect, from these files:
        #   batond.conf
        #   1.conf

        [Device]
        # batond.conf:2
        Name=laptop

        [Network]
        #Port=22866
        #Discovery=yes
        # 1.conf:2
        Interfaces=eth* wlan0
        #ExcludeInterfaces=
        #Rendezvous=yes
        #Relays=yes
        #Source=

        [Privacy]
        #WithholdWhenLocked=yes

        [shared-folders]
        # batond.conf:4
        Notes=/srv/my notes

        [Memory]
        #Streams=256M

        [Log]
        # 1.conf:4
        Level=debug
        """
    )
    #expect(try good(reader.text) == reader.configuration)
  }

  /// Found by fuzzing.
  @Test func aFolderWhoseNameEndsInABlankIsPrintedSoThatItIsRead() throws {
    let reader = read("[shared-folders]\nA=/srv/a /\n")
    #expect(reader.configuration.sharedFolders.all.map(\.path) == ["/srv/a "])
    #expect(try good(reader.text) == reader.configuration)
  }

  @Test func aReloadAppliesAllButThePort() throws {
    let new = try good("[Device]\nName=a\n[Network]\nPort=1\nDiscovery=no\nInterfaces=a\n[shared-folders]\nA=/a\n")
    let changes = ConfigurationChange.all(from: Configuration(), to: new, canTurnDiscoveryOn: true)
    #expect(
      changes.map(\.key)
        == ["Device.Name", "Network.Port", "Network.Discovery", "Network.Interfaces", "shared-folders"]
    )
    #expect(changes.filter { !$0.isApplied }.map(\.key) == ["Network.Port"])
    #expect(ConfigurationChange.all(from: new, to: new, canTurnDiscoveryOn: true).isEmpty)
  }
}
