// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Varlink

struct Text: Structure {
  let text: String

  init(_ text: String) { self.text = text }
}

/// A method that is answered immediately.
enum Echo: Method {
  static let name = "org.example.test.Echo"
  typealias Parameters = Text
  typealias Reply = Text
}

/// A method that is answered when the test says so.
enum Later: Method {
  static let name = "org.example.test.Later"
  typealias Parameters = Nothing
  typealias Reply = Text
}

/// A method that is answered repeatedly, whenever the test says so.
enum Watch: Method {
  static let name = "org.example.test.Watch"
  static let requiredMode: Call.Mode? = .more
  typealias Parameters = Nothing
  typealias Reply = Text
}

/// A method that upgrades the connection immediately, unless the text is "refuse".
enum Raw: Method {
  static let name = "org.example.test.Raw"
  static let requiredMode: Call.Mode? = .upgrade
  typealias Parameters = Text
  typealias Reply = Nothing
}

/// A method that is never answered, because its handler is faulty.
enum Forgotten: Method {
  static let name = "org.example.test.Forgotten"
  typealias Parameters = Nothing
  typealias Reply = Nothing
}

extension InterfaceDescription {
  static let test = InterfaceDescription(
    name: "org.example.test",
    text: """
      interface org.example.test

      method Echo(text: string) -> (text: string)
      method Later() -> (text: string)
      method Watch() -> (text: string)
      method Raw(text: string) -> ()
      method Forgotten() -> ()

      """
  )
}
