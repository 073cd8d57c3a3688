// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import Foundation
import Testing

struct AgentSettingsTests {
  private func read(_ text: String) -> (settings: AgentSettings, faults: [String]) {
    var settings = AgentSettings()
    let faults = settings.read(text)
    return (settings, faults)
  }

  private let device = DeviceID(bytes: Array(repeating: 7, count: DeviceID.byteCount))

  @Test func theExampleIsTheDefaultsAndShowsEachKey() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Config/agent.conf")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(read(text).settings == AgentSettings())
    // What it shows as the defaults is that.
    let shown = text.split(separator: "\n").map { $0.hasPrefix("#") && !$0.contains(" ") ? $0.dropFirst() : $0 }
    let (settings, faults) = read(shown.joined(separator: "\n"))
    #expect(faults.isEmpty)
    #expect(settings == AgentSettings())
    let keys = SearchSettings.keys + FileSettings.keys + ClipboardSettings.keys + PlaybackSettings.keys
    #expect(
      shown.filter { $0.contains("=") && !$0.hasPrefix("#") }.map { $0.prefix { $0 != "=" } } == keys.map { $0[...] }
    )
  }

  @Test func aMarkHidesNoSign() {
    let (settings, faults) = read("#\u{301}\n[Files]\r\nFolder=/\u{301}x\n;\u{200D}\n")
    #expect(faults == [])
    #expect(settings.files.folder.utf8.elementsEqual("/\u{301}x".utf8))
    #expect(settings.files.folder(home: "/home/ada") == settings.files.folder)
    #expect(read("[Files]\nFolder=~/\u{301}x").settings.files.folder(home: "/h").utf8.elementsEqual("/h/\u{301}x".utf8))
    #expect(read("[Files]\nKeepFree=1\u{600}K").faults.count == 1)
  }

  @Test func nothingIsAcceptedOrSharedWithoutASetting() {
    let settings = AgentSettings()
    #expect(settings.files.acceptance == .ask)
    #expect(settings.clipboard.teams == .none)
    #expect(settings.search.teams == .none)
  }

  @Test func aMachineThatIsRefusedIsNotAccepted() throws {
    let device = try #require(device)
    let other = try #require(DeviceID(bytes: Array(repeating: 8, count: DeviceID.byteCount)))
    let both = "AcceptFrom=\(device.text.lowercased()), \(other.text),\nRefuseFrom=\(other.text)"
    let (settings, faults) = read("[Files]\nAccept=never\n\(both)")
    #expect(faults.isEmpty)
    #expect(settings.files.acceptance(of: device) == .always)
    #expect(settings.files.acceptance(of: other) == .never)
    #expect(FileSettings().acceptance(of: device) == .ask)
  }

  @Test(arguments: [
    ("1", 1), ("3K", 3072), ("2M", 2 << 20), ("5G", 5 << 30), ("1T", 1 << 40), ("none", nil), ("", nil),
  ])
  func sizesHaveUnits(text: String, size: Int?) {
    let (settings, faults) = read("[Files]\nMaximumSize=\(text)")
    #expect(faults.isEmpty)
    #expect(settings.files.maximumSize == size)
  }

  @Test func aFolderIsAbsoluteOrInTheHomeDirectory() {
    #expect(FileSettings().folder(home: "/home/ada") == "/home/ada/Handoff")
    #expect(read("[Files]\nFolder=/srv/in box").settings.files.folder(home: "/home/ada") == "/srv/in box")
    #expect(read("[Files]\nFolder=~").settings.files.folder(home: "/home/ada") == "/home/ada")
  }

  @Test(arguments: [
    "Accept=yes", "AcceptFrom=desktop", "AcceptFrom=ABCDEFGHIJ", "RefuseFrom=x,y", "Folder=inbox", "Folder=~ada",
    "MaximumSize=-1", "MaximumSize=1.5G", "KeepFree=9999999999T", "Quota=1GB",
  ])
  func aFaultIsNamedAndChangesNothing(line: String) throws {
    let (settings, faults) = read("[Files]\n\(line)")
    #expect(settings == AgentSettings())
    #expect(try #require(faults.first).hasPrefix("line 2: "))
  }

  @Test(arguments: ["1G", "", "lots"]) func aRemovedKeyIsNamedAndChangesNothing(value: String) {
    let (settings, faults) = read("[Files]\nMachineQuota=\(value)\nQuota=1G\n")
    #expect(settings.files.quota == 1 << 30)
    #expect(faults == ["line 2: the key \"MachineQuota\" is no longer used; you can delete the line"])
  }

  @Test func aKeyBelongsToItsSection() {
    let (settings, faults) = read("[Clipboard]\nShareWith=Home\n[Playback]\nShareWith=none\nEnabled=no\n")
    #expect(settings.clipboard.teams == .named(["Home"]))
    #expect(settings.playback.teams == .none)
    #expect(settings.search == SearchSettings())
    #expect(faults == ["line 5: unknown key \"Enabled\" in section [Playback]; the keys are ShareWith"])
  }
}
