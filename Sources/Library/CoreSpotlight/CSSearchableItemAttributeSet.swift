// SPDX-License-Identifier: Apache-2.0

import Activity
@_exported import Baton
@_exported import Foundation
import Synchronization
@_exported import UniformTypeIdentifiers
import VarlinkClient

/// The attributes that people can find an item or an activity by, and those that are shown.
///
/// You can use it from any thread. An activity or an item keeps a copy, so set it again if you change it.
open class CSSearchableItemAttributeSet: NSObject, NSCopying {
  private let attributes: Mutex<[String: UserInfoValue]>
  private let thumbnail = Mutex<Data?>(nil)

  /// Creates a set for content without a type.
  public override init() {
    attributes = Mutex([:])
    super.init()
  }

  /// Creates a set for content of a type.
  public init(contentType: UTType) {
    attributes = Mutex(["contentType": .string(contentType.identifier)])
    super.init()
  }

  /// Creates a set for content of a type, such as `public.text`.
  public init(itemContentType: String) {
    attributes = Mutex(["contentType": .string(itemContentType)])
    super.init()
  }

  init(_ attributes: [String: UserInfoValue], thumbnailData: Data?) {
    self.attributes = Mutex(attributes)
    super.init()
    self.thumbnailData = thumbnailData
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    CSSearchableItemAttributeSet(values, thumbnailData: thumbnailData)
  }

  /// The title that people see and search.
  open var title: String? {
    get { self[attribute: "title"] }
    set { self[attribute: "title"] = newValue }
  }

  /// A description that people see and search.
  open var contentDescription: String? {
    get { self[attribute: "contentDescription"] }
    set { self[attribute: "contentDescription"] = newValue }
  }

  /// Words that people search.
  open var keywords: [String]? {
    get { self[attribute: "keywords"] }
    set { self[attribute: "keywords"] = newValue }
  }

  /// The full text of the item, which people can search. The first 16 KB are kept.
  open var textContent: String? {
    get { self[attribute: "textContent"] }
    set { self[attribute: "textContent"] = newValue }
  }

  /// A small image of the item. It is kept if it is at most 24 KB.
  open var thumbnailData: Data? {
    get { thumbnail.withLock { $0 } }
    set { thumbnail.withLock { $0 = newValue } }
  }

  /// A group of items that can be deleted together: labels separated by dots.
  open var domainIdentifier: String? {
    get { self[attribute: "domainIdentifier"] }
    set { self[attribute: "domainIdentifier"] = newValue }
  }

  /// For an activity: the item that it shows. Both are then one result, and are deleted together.
  open var relatedUniqueIdentifier: String? {
    get { self[attribute: "relatedUniqueIdentifier"] }
    set { self[attribute: "relatedUniqueIdentifier"] = newValue }
  }

  /// The same as ``relatedUniqueIdentifier``, but the activity stays when the item is deleted.
  open var weakRelatedUniqueIdentifier: String? {
    get { self[attribute: "weakRelatedUniqueIdentifier"] }
    set { self[attribute: "weakRelatedUniqueIdentifier"] = newValue }
  }

  /// Sets a custom attribute. It isn't part of people's searches, but a ``CSSearchQuery`` can find it.
  open func setValue(_ value: Any?, forCustomKey key: CSCustomAttributeKey) {
    self[any: key.keyName] = value
  }

  /// Returns a custom attribute.
  open func value(forCustomKey key: CSCustomAttributeKey) -> Any? {
    self[any: key.keyName]
  }

  /// All attributes, by their names.
  var values: [String: UserInfoValue] { attributes.withLock { $0 } }

  subscript<Value>(attribute name: String) -> Value? {
    get { self[any: name] as? Value }
    set { self[any: name] = newValue }
  }

  /// Values of other kinds than those of a `userInfo` are not kept.
  private subscript(any name: String) -> Any? {
    get { attributes.withLock { $0[name] }.map(\.foundation) }
    set {
      let value = newValue.flatMap { try? UserInfoValue($0) }
      attributes.withLock { $0[name] = value }
    }
  }

  /// The attributes as a value.
  package var searchAttributes: SearchAttributes {
    var result = SearchAttributes()
    var others = values
    func take(_ name: String) -> String? {
      guard case .string(let text) = others[name] else { return nil }
      others[name] = nil
      return text
    }
    result.title = take("title")
    if result.title == nil, case .string(let name) = others["displayName"] { result.title = name }
    result.contentDescription = take("contentDescription")
    result.textContent = take("textContent")
    result.domainIdentifier = take("domainIdentifier")
    let weak = take("weakRelatedUniqueIdentifier")
    let strong = take("relatedUniqueIdentifier")
    result.relatedUniqueIdentifier = strong ?? weak
    result.isWeaklyRelated = strong == nil && weak != nil
    if case .array(let words) = others["keywords"] {
      result.keywords = words.compactMap { if case .string(let word) = $0 { word } else { nil } }
      others["keywords"] = nil
    }
    result.thumbnailData = thumbnailData.map(Array.init)
    result.others = others
    return result
  }
}

// The locks make it safe.
extension CSSearchableItemAttributeSet: @unchecked Sendable {}
