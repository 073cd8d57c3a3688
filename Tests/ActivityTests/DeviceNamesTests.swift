// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Activity

@Suite struct DeviceNamesTests {
  private let team = TeamID(bytes: [UInt8](repeating: 1, count: 32))!

  private func device(_ number: UInt8, team other: TeamID? = nil) -> PeerID {
    PeerID(team: other ?? team, device: DeviceID(bytes: [number] + [UInt8](repeating: 7, count: 31))!)
  }

  private func label(_ names: DeviceNames, _ peer: PeerID, _ name: String, removed: PeerID? = nil) -> String {
    names.label(of: peer, saying: name, own: "laptop") { $0 == removed }
  }

  private func say(_ name: String, _ peer: PeerID, _ names: inout DeviceNames, others: Bool = false) {
    _ = names.said(name, by: peer, own: "laptop", isRemoved: { _ in false }, isOthers: { _ in others })
  }

  @Test(arguments: [
    ("desktop", "Desktop"), ("desktop", "DESKTOP"), ("desktop", "dеsktоp"), ("desktop", "desk\u{200B}top"),
    ("desktop", "desktop\u{301}"), ("desktop", "ｄｅｓｋｔｏｐ"), ("desktop", "𝐝𝐞𝐬𝐤𝐭𝐨𝐩"), ("desktop", "desk top"),
    ("desktop", "desktop "), ("desktop", "\u{202E}desktop"), ("nas-1", "nas‑l"), ("büro", "bu\u{308}ro"),
    ("desktop", "dẹsktop"), ("desktop", "ᵈᵉˢᵏᵗᵒᵖ"), ("desktop", "ᴅᴇsᴋᴛᴏᴘ"), ("desktop", "🄳esk🅣op"),
    ("desktop", "ⓓⒺ⒮ktop"),
    ("desktop", "𝔡𝕖𝓼𝖐𝘵𝚘𝑝"), ("office", "oﬃce"), ("nas-4", "nas-٤"), ("nas-4", "nas-⁴"), ("monitor", "rnonitor"),
    ("tower", "tovver"), ("PC", "ᏢᏟ"), ("s\u{323}\u{307}", "ṩ"), ("Å", "\u{212B}"),
    ("desktop", "deskt\u{3CC}p"), ("desktop", "d\u{451}sktop"), ("desktop", "d\u{4D7}sktop"),
    ("desktop", "des\u{49B}top"),
    ("desktop", "desk\u{442}\u{104EA}p"), ("desktop", "clesktop"), ("desktop", "CIesktop"), ("desktop", "c1esktop"),
    ("desktop", "c\u{200B}lesktop"), ("desktop", "\u{441}lesktop"), ("laptop", "1apt0p"), ("mini", "rnini"),
    ("mini", "nnini"), ("www", "vvvvvv"), ("window", "vvinclovv"), ("Ada's", "Ada’s"), ("Ada's", "Ada`s"),
    ("a\"b", "a''b"), ("a\"b", "a“b"), ("desktop", "ðesktop"), ("desktop", "desktop·"), ("nas.1", "nas,1"),
    ("\u{30ED}\u{30DC}", "\u{53E3}\u{30DC}"), ("\u{3078}\u{3084}", "\u{30D8}\u{3084}"),
    ("\u{628}\u{64A}\u{62A}", "\u{628}\u{6CC}\u{62A}"), ("\u{E41}\u{E21}\u{E27}", "\u{E40}\u{E40}\u{E21}\u{E27}"),
    ("\u{906}\u{930}\u{92E}", "\u{905}\u{93E}\u{930}\u{92E}"),
    ("\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "\u{FB2A}\u{5DC}\u{5D5}\u{5DD}"),
    ("\u{B94}\u{BB0}\u{BAE}\u{BCD}", "\u{B92}\u{BB3}\u{BB0}\u{BAE}\u{BCD}"),
  ])
  func namesThatLookAlikeAreOne(_ name: String, _ other: String) {
    #expect(NameKey(name) == NameKey(other))
  }

  @Test(arguments: ["か\u{3099}", "\u{1103}\u{1166}", "и\u{306}ожик", "ο\u{301}ρος"])
  func aNameThatCanBeWrittenOtherwiseHasDigits(_ name: String) {
    var names = DeviceNames()
    say(name, device(1), &names)
    #expect(label(names, device(1), name) != name)
  }

  @Test(arguments: [
    "desktop (12345678)\u{1D159}", "desktop (12345678)'", "desktop (12345678\u{FD3F}", "desktop\u{1D159}",
    "desktop\u{FFFC}",
    "desktop\u{2CC}", "pc-\u{437}", "pc\u{9EA}", "\u{1C0}aptop", "\u{269}aptop", "\u{2D4F}aptop", "desk\u{271D}op",
    "desk\u{22A4}op", "deskt\u{D82}p", "des\u{10298}top", "desk\u{16F0A}op", "deskto\u{1BF}",
    "\u{391}\u{39D}\u{39D}\u{391}", "\u{397}\u{39F}\u{39C}\u{395}", "\u{555}\u{54F}-1",
    // Letters that Unicode has twice, and what only makes a word longer.
    "\u{FA19}\u{6238}", "\u{FEB3}\u{FEFC}\u{FEE1}", "\u{628}\u{64A}\u{62A}\u{640}\u{643}", "\u{FB22}\u{5DC}\u{5EA}",
    "de\u{17F}ktop",
  ])
  func aNameThatMayLookLikeAnotherHasDigits(_ name: String) {
    var names = DeviceNames()
    say(name, device(1), &names)
    #expect(label(names, device(1), name) != name)
  }

  @Test(arguments: [
    "desktop", "büro-2", "Ada's PC", "工作站", "Adaの PC", "デスクトップ", "мир-2", "γραφείο", "हिन्दी", "বাংলা ৪", "مكتب ٤",
    "desktop 🎉", "Łódź", "Þór", "smørrebrød",
  ])
  func aNameInOneScriptHasNone(_ name: String) {
    var names = DeviceNames()
    say(name, device(1), &names)
    #expect(label(names, device(1), name) == name)
  }

  @Test func otherNamesAreOthers() {
    for other in ["laptop", "desktop-2", "desktop2", "top", "\u{D4E}desktop", ""] {
      #expect(NameKey("desktop") != NameKey(other))
    }
    #expect(NameKey("工作站") != NameKey("笔记本"))
    #expect(NameKey("一") != NameKey("二"))
    #expect(NameKey("мир") != NameKey("дом"))
  }

  @Test func aNameBelongsToTheFirstDeviceThatHasIt() {
    var names = DeviceNames()
    let (first, second) = (device(1), device(2))
    say("desktop", first, &names)
    say("tablet", second, &names)
    #expect(label(names, first, "desktop") == "desktop")
    #expect(label(names, second, "tablet") == "tablet")
    for name in ["desktop", "Desktop", "dеsktop"] {
      say(name, second, &names)
      #expect(label(names, second, name) == "\(name) (\(second.device.text.prefix(8)))")
      #expect(label(names, first, "desktop") == "desktop")
    }
    // It is still the first one's when that one has another name, or comes back.
    say("tower", first, &names)
    say("desktop", second, &names)
    #expect(label(names, second, "desktop") != "desktop")
    say("desktop", first, &names)
    #expect(label(names, first, "desktop") == "desktop")
    // Teams have nothing to do with each other.
    let elsewhere = device(2, team: TeamID(bytes: [UInt8](repeating: 2, count: 32))!)
    #expect(label(names, elsewhere, "desktop") == "desktop")
  }

  @Test func aPersonCanGiveItToAnotherOne() {
    var names = DeviceNames()
    let (first, second) = (device(1), device(2))
    say("desktop", first, &names)
    say("desktop", second, &names)
    #expect(names.accept(second) == first)
    #expect(label(names, second, "desktop") == "desktop")
    #expect(label(names, first, "desktop") == "desktop (\(first.device.text.prefix(8)))")
    #expect(names.accept(second) == nil)
    #expect(names.accept(device(3)) == nil)
  }

  @Test func theNamesOfARemovedDeviceAreFree() {
    var names = DeviceNames()
    let (first, second) = (device(1), device(2))
    say("desktop", first, &names)
    #expect(label(names, second, "desktop", removed: first) == "desktop")
    _ = names.said("desktop", by: second, own: "laptop", isRemoved: { $0 == first }, isOthers: { _ in false })
    #expect(names[second]?.names == ["desktop"] && names[first]?.names == [])
  }

  @Test func whatOnlyOthersKnowIsNotTaken() {
    var names = DeviceNames()
    say("desktop", device(2), &names, others: true)
    #expect(names[device(2)]?.names == [])
    #expect(names.accept(device(2)) == nil)
    #expect(names[device(2)]?.names == ["desktop"])
  }

  @Test func noNameIsThatOfThisMachineOrTheDigitsOfAnother() {
    var names = DeviceNames()
    let (first, second) = (device(1), device(2))
    say("desktop", first, &names)
    let digits = String(first.device.text.prefix(4)).lowercased()
    let label = DeviceNames.qualified("desktop", first.device)
    for name in ["laptop", "Laptop", digits, label, "x (12345678)"] {
      say(name, second, &names)
      #expect(self.label(names, second, name).hasSuffix(" (\(second.device.text.prefix(8)))"), "\(name)")
    }
    #expect(self.label(names, second, "") == "")
  }

  @Test func aLabelIsNoLongerThanAName() {
    var names = DeviceNames()
    let name = String(repeating: "ä", count: Limits.deviceNameLength / 2)
    say(name, device(1), &names)
    let text = label(names, device(2), name)
    #expect(text.utf8.count <= Limits.deviceNameLength && text.hasSuffix(")"))
  }

  @Test func aDeviceKeepsAFewNames() {
    var names = DeviceNames()
    for number in 0..<10 { say("name-\(number)x", device(1), &names) }
    #expect(names[device(1)]?.names.count == Limits.namesPerDevice)
    #expect(label(names, device(2), "name-0x") == "name-0x")
    #expect(label(names, device(2), "name-9x") != "name-9x")
    names.forget(device(1))
    #expect(label(names, device(2), "name-9x") == "name-9x")
  }

  @Test func aRenewedTeamKeepsThem() {
    var names = DeviceNames()
    let other = TeamID(bytes: [UInt8](repeating: 2, count: 32))!
    say("desktop", device(1), &names)
    names.rename(team, to: other)
    #expect(label(names, device(2, team: other), "desktop") != "desktop")
    #expect(names.devices(in: team).isEmpty)
  }
}
