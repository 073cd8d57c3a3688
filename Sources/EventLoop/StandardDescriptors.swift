import Glibc

/// Descriptors 0, 1 and 2, which the caller may have closed.
package enum StandardDescriptors {
  /// Opens /dev/null for each that is closed: a socket must not get its number, and messages the socket.
  ///
  /// The first that `main` does.
  package static func open() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // Gets the least number that is free, which is this one. Without /dev it is at least taken.
      if Glibc.open("/dev/null", O_RDWR) < 0 { _ = Glibc.open("/", O_RDONLY) }
    }
  }
}
