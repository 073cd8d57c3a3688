// SPDX-License-Identifier: Apache-2.0

import Localization
import Testing

struct MessageTests {
  @Test func theFormatNumbersItsArguments() {
    let name = "Home", count = 3
    let message: Message = "\(count) machines of \(name) use 100%."
    #expect(message.format == "%1$s machines of %2$s use 100%%.")
    #expect(message.arguments == ["3", "Home"])
    #expect(message.text(message.format) == "3 machines of Home use 100%.")
  }

  @Test func aTranslationMayReorderItsArguments() {
    let message: Message = "\("a") before \("b")"
    #expect(message.text("%2$s nach %1$s") == "b nach a")
    #expect(message.text("%2$s und %2$s") == "b und b")
  }

  @Test func argumentsAreNoFormats() {
    let message: Message = "Can't open \("50%1$s%%")."
    #expect(message.text(message.format) == "Can't open 50%1$s%%.")
  }

  @Test(arguments: ["%3$s", "%0$s", "%-1$s", "%99999999999999999999$s", "%1$", "%1$d", "%", "50 % von", "%s"])
  func whatIsNoArgumentStays(format: String) {
    let message: Message = "\("a") \("b")"
    #expect(message.text(format) == format)
  }

  @Test func englishIsThereWithoutACatalog() {
    #expect(localized("Joined the team \("Home").") == "Joined the team Home.")
    #expect(localized(1, one: "1 file", other: "\(1) files") == "1 file")
    #expect(localized(0, one: "1 file", other: "\(0) files") == "0 files")
  }

  @Test func errorsAreDescribed() {
    struct Fault: Error, CustomStringConvertible { let description = "no space" }
    let fault: any Error = Fault()
    #expect(localized("Can't write: \(fault)") == "Can't write: no space")
  }
}
