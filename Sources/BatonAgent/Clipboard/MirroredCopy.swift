import Clipboard
import EventLoop

/// What another machine offers and the desktop is given. Each type is fetched once, when a local program wants it.
@Loop
final class MirroredCopy {
  typealias Fetch = @Loop (MediaType, @escaping @Loop (CopiedContent?) -> Void) -> Void

  private let types: [String: MediaType]
  private let fetch: Fetch
  private var contents: [MediaType: CopiedContent] = [:]
  private var waiting: [MediaType: [@Loop (CopiedContent?) -> Void]] = [:]

  init(_ names: [(name: String, type: MediaType)], fetch: @escaping Fetch) {
    types = Dictionary(names.map { ($0.name, $0.type) }) { first, _ in first }
    self.fetch = fetch
  }

  func get(_ name: String, completion: @escaping @Loop (CopiedContent?) -> Void) {
    guard let type = types[name] else { return completion(nil) }
    if let content = contents[type] { return completion(content) }
    waiting[type, default: []].append(completion)
    guard waiting[type]?.count == 1 else { return }
    fetch(type) { [weak self] content in
      guard let self else { return }
      self.contents[type] = content
      for body in self.waiting.removeValue(forKey: type) ?? [] { body(content) }
    }
  }

  /// Whether this is what was fetched.
  func has(_ bytes: [UInt8]) -> Bool { contents.values.contains { $0.size == bytes.count && $0.bytes == bytes } }
}
