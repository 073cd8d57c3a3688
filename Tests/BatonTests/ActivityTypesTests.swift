import Foundation
import Testing

@testable import Baton

struct ActivityTypesTests {
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
      ActivityTypes.of(dictionary) == ["org.example.read", "org.example.write", "org.example.text", "org.example.any"]
    )
    #expect(ActivityTypes.of([:]) == [])
    #expect(ActivityTypes.of(["NSUserActivityTypes": "no array"]) == [])
    #expect(ActivityTypes.of(["CFBundleDocumentTypes": ["no dictionary"]]) == [])
  }

  @Test func aPropertyListGivesTheSame() throws {
    let data = try PropertyListSerialization.data(fromPropertyList: dictionary, format: .xml, options: 0)
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    #expect(ActivityTypes.of(try #require(list as? [String: Any])) == ActivityTypes.of(dictionary))
  }

  @Test func aDocumentHasTheTypeOfItsExtension() {
    #expect(ActivityTypes.ofDocument("txt", dictionary) == "org.example.text")
    #expect(ActivityTypes.ofDocument("md", dictionary) == "org.example.text")
    #expect(ActivityTypes.ofDocument("TXT", dictionary) == "org.example.text")
    #expect(ActivityTypes.ofDocument("jpeg", dictionary) == "org.example.any")
    #expect(ActivityTypes.ofDocument("txt", [:]) == nil)
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
    #expect(ActivityTypes.ofDesktopEntry(entry) == ["org.example.read", "org.example.write"])
    #expect(ActivityTypes.ofDesktopEntry("[Desktop Action New]\nX-Baton-ActivityTypes=org.example.action") == [])
    #expect(ActivityTypes.ofDesktopEntry("X-Baton-ActivityTypes=org.example.loose") == [])
    #expect(ActivityTypes.ofDesktopEntry("[Desktop Entry]\nX-Baton-ActivityTypes") == [])
    #expect(ActivityTypes.ofDesktopEntry("[Desktop Entry]\r\nX-Baton-ActivityTypes=a;b\r\n") == ["a", "b"])
    #expect(ActivityTypes.ofDesktopEntry("") == [])
  }
}
