import JSONCoding

/// What is noted of a transfer that has arrived while its files get their names, so that it is known after the agent
/// was killed.
package struct Arrival: Structure {
  /// How many files did not arrive, and some of them.
  @Coded<Count> package var omitted = 0
  @Coded<EmptyByDefault<OmittedFile>> package var omissions: [OmittedFile] = []

  package init(omitted: Int, omissions: [OmittedFile]) {
    self.omitted = omitted
    self.omissions = omissions
  }
}
