/// An app as its desktop entry describes it: what of the Desktop Entry Specification 1.5 starting it needs, and the keys of
/// Baton.
package struct DesktopEntry: Equatable, Sendable {
  /// The desktop file ID without `.desktop`: `org.example.Reader`.
  package var id: String
  package var path: String
  package var name: String
}
