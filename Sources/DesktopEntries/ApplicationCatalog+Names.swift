extension ApplicationCatalog {
  /// The app with this name: its desktop file ID, or else the name of the program that it starts.
  package func application(named name: String) -> DesktopEntry? {
    applications.first { $0.id == name } ?? applications.first { $0.exec?.programName == name }
  }
}
