/// How a person sees the browser and talks to it. There are two: a screen, and lines.
@MainActor
protocol FrontEnd: AnyObject {
  /// Begins to listen.
  func start()

  /// Something has happened; what the browser holds is another now.
  func tell(_ notice: Notice)
}
