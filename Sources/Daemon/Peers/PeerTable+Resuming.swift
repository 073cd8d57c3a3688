/// What the system tells of reachability. Peers find this machine by its new adverts, and dial it.
extension PeerTable {
  /// The machine has slept, or its clock has jumped.
  func resumed() {}

  /// This machine has other addresses, links or routes.
  func networkChanged() {}
}
