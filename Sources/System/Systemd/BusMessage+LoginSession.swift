// SPDX-License-Identifier: Apache-2.0

extension BusMessage {
  /// Reads the reply to `GetAll` of a session's properties, `a{sv}`.
  ///
  /// - Returns: Nil if a property that is needed is missing or has another type.
  func loginSession() -> LoginSession? {
    var user: UInt32?
    var texts: [String: String] = [:]
    var isLocked: Bool?
    let isRead: Bool? = enter(.array, "{sv}") {
      while readProperty({ name in
        switch (name, variantContents) {
        case ("User", "(uo)"):
          user = enter(.variant, "(uo)") { firstNumberOfUser() } ?? nil
        case ("Class", "s"), ("Type", "s"), ("State", "s"):
          texts[name] = enter(.variant, "s") { string() } ?? nil
        case ("LockedHint", "b"):
          isLocked = enter(.variant, "b") { boolean() } ?? nil
        default: skip("v")
        }
      }) {}
      return true
    }
    guard isRead == true, let user, let sessionClass = texts["Class"], let type = texts["Type"],
      let state = texts["State"]
    else { return nil }
    // logind before version 230 has no hint, so nothing says that a screen is locked.
    return LoginSession(
      user: user,
      sessionClass: sessionClass,
      type: type,
      state: state,
      isLocked: isLocked ?? false
    )
  }

  /// Reads the next property.
  ///
  /// - Returns: Whether there was one.
  private func readProperty(_ body: (String) -> Void) -> Bool {
    enter(.entry, "sv") {
      guard let name = string() else { return skip("v") }
      body(name)
    } != nil
  }

  private func firstNumberOfUser() -> UInt32? {
    enter(.structure, "uo") {
      let number = number()
      skip("o")
      return number
    } ?? nil
  }

  /// Reads the reply to `ListSessions`, `a(susso)`: the object paths, at most `limit`.
  func sessionPaths(limit: Int) -> [String] {
    var paths: [String] = []
    _ = enter(.array, "(susso)") {
      while let path = enter(.structure, "susso", { readPath() }) {
        if let path, paths.count < limit { paths.append(path) }
      }
    }
    return paths
  }

  private func readPath() -> String? {
    skip("suss")
    return string(.path)
  }
}
