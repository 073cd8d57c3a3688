// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// One element of `applinks.details`: some apps, and the pages that they may show.
struct LinkDetail: Sendable {
  let apps: ApplicationNames
  /// In the order in which they are tried; nil stands for a component that cannot be understood.
  private let components: [LinkComponent?]

  /// - Parameters:
  ///   - members: The members of the element. `components` counts; without it, the older `paths` do. Without either,
  ///     all pages are meant.
  ///   - defaults: How components compare if they do not say so themselves. The element may have its own.
  ///   - variables: `substitutionVariables`.
  init(
    apps: ApplicationNames,
    _ members: [String: JSON],
    defaults: [String: JSON],
    variables: [String: LinkPattern.Element]
  ) {
    self.apps = apps
    let defaults = defaults.merging(members["defaults"]?.object ?? [:]) { $1 }
      .filter { ["caseSensitive", "percentEncoded"].contains($0.key) }
    if let list = members["components"] {
      components = (list.array ?? [.null]).map { component in
        component.object.flatMap { LinkComponent(defaults.merging($0) { $1 }, variables) }
      }
    } else if let list = members["paths"] {
      components = (list.array ?? [.null]).map { $0.string.flatMap(LinkComponent.init(path:)) }
    } else {
      components = [LinkComponent(defaults, variables)]
    }
  }

  /// Whether the apps may show the page, by the first component that fits; nil if none does. A component that cannot be
  /// understood counts as a refusal, because it might be one.
  func allows(_ matching: inout LinkMatching) throws(OutOfSteps) -> Bool? {
    for component in components {
      guard let component else { return false }
      if try component.matches(&matching) { return !component.isExcluded }
    }
    return nil
  }
}
