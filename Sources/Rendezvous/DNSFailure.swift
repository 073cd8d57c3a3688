/// Why an exchange with a DNS server has brought nothing.
package enum DNSFailure: Error, Equatable, Sendable {
  /// The server did not answer in time.
  case timedOut
  /// The connection was closed, or never made.
  case closed
  /// What came is not an answer to the request.
  case malformed(String)
  /// The answer has no signature, or one that was not made with the key.
  case notAuthentic
  /// The key may not do that at this name (REFUSED).
  case refused
  /// The server does not have the zone (NOTAUTH), or asks others (an answer without the bit AA).
  case notAuthoritative
  /// The server does not know the key, or has another secret under its name (BADKEY, BADSIG).
  ///
  /// Knot DNS also says BADKEY if it knows the key but does not allow the update. That is what it means if a query with
  /// the same key succeeds.
  case wrongKey
  /// This machine's clock and the server's differ too much (BADTIME).
  /// - Parameter ahead: How many seconds the server's clock is ahead of this machine's. Negative: behind.
  case wrongClock(ahead: Int64)
  /// The update does not fit into a message.
  case tooManyRecords
  /// Another RCODE, or the signature's error, which is a number of the same list (RFC 6895, section 2.3).
  case other(rcode: Int)
}
