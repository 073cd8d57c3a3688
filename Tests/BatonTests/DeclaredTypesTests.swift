// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Baton

struct DeclaredTypesTests {
  private let dictionary: [String: Any] = [
    "NSUserActivityTypes": ["org.example.read", "org.example.write"],
    "CFBundleDocumentTypes": [
      ["CFBundleTypeExtensions": ["txt", "MD"], "NSUbiquitousDocumentUserActivityType": "org.example.text"],
      ["CFBundleTypeExtensions": ["png"]],
      ["CFBundleTypeExtensions": ["*"], "NSUbiquitousDocumentUserActivityType": "org.example.any"],
    ],
  ]

  @Test func typesOfAnInfoDictionaryAreThoseOfActivitiesAndDocuments() {
    #expect(
      DeclaredTypes.of(dictionary) == ["org.example.read", "org.example.write", "org.example.text", "org.example.any"]
    )
    #expect(DeclaredTypes.of([:]) == [])
    #expect(DeclaredTypes.of(["NSUserActivityTypes": "no array"]) == [])
    #expect(DeclaredTypes.of(["CFBundleDocumentTypes": ["no dictionary"]]) == [])
  }

  @Test func aPropertyListGivesTheSame() throws {
    let data = try PropertyListSerialization.data(fromPropertyList: dictionary, format: .xml, options: 0)
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    #expect(DeclaredTypes.of(try #require(list as? [String: Any])) == DeclaredTypes.of(dictionary))
  }

  @Test func aDocumentHasTheTypeOfItsExtension() {
    #expect(DeclaredTypes.ofDocument("txt", dictionary) == "org.example.text")
    #expect(DeclaredTypes.ofDocument("md", dictionary) == "org.example.text")
    #expect(DeclaredTypes.ofDocument("TXT", dictionary) == "org.example.text")
    #expect(DeclaredTypes.ofDocument("jpeg", dictionary) == "org.example.any")
    #expect(DeclaredTypes.ofDocument("txt", [:]) == nil)
  }

  @Test func aDesktopEntryNamesTypesInItsMainGroup() {
    let entry = """
      # X-Baton-ActivityTypes=org.example.comment;
      [Desktop Entry]
      Type=Application
      X-Baton-ActivityTypes = org.example.read; org.example.write;;
      [Desktop Action New]
      X-Baton-ActivityTypes=org.example.action
      """
    #expect(DeclaredTypes.ofDesktopEntry(entry) == ["org.example.read", "org.example.write"])
    #expect(DeclaredTypes.ofDesktopEntry("[Desktop Action New]\nX-Baton-ActivityTypes=org.example.action") == [])
    #expect(DeclaredTypes.ofDesktopEntry("X-Baton-ActivityTypes=org.example.loose") == [])
    #expect(DeclaredTypes.ofDesktopEntry("[Desktop Entry]\nX-Baton-ActivityTypes") == [])
    #expect(DeclaredTypes.ofDesktopEntry("[Desktop Entry]\r\nX-Baton-ActivityTypes=a;b\r\n") == ["a", "b"])
    #expect(DeclaredTypes.ofDesktopEntry("") == [])
  }
}
