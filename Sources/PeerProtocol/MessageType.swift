/// The types of the frames that hold a message (Protocol.md section 4). Those from ``FrameHeader/firstIgnorableType``
/// on were added after version 1, and daemons that do not know them ignore them.
package enum MessageType: UInt8, CaseIterable, Sendable {
  case hello = 1
  case accepted = 2
  case refused = 3
  case bye = 4
  case ping = 5
  case pong = 6
  case offer = 7
  case withdraw = 8
  case fetch = 9
  case payload = 10
  case failure = 11
  case continued = 12
  case open = 13
  case opened = 14
  case acknowledge = 16
  case finish = 17
  case reset = 18
  case resume = 19
  case probe = 20
  case probed = 21
  case revocations = 22
  case renew = 64
  case renewed = 65
  case promote = 66
  case promoted = 67
  case admitted = 68
  case renamed = 72
  case index = 73
  case rendezvous = 74
  case askRendezvous = 75
}
