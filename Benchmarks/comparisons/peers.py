"""The other machines of the table `scale`."""


class RealPeers:
    """Daemons, which also have sessions with one another. So n of them take n² handshakes, and their memory.

    Peers that are simulated in one process go here: with the same methods, and without a `maximum`.
    """

    name = "batond"
    # As many as two cores start in some seconds.
    maximum = 32

    def __init__(self, machines, subject):
        self.machines, self.subject, self.daemons = machines, subject, []

    def grow(self, count):
        """Lets so many have a session with the subject, and returns when all have."""
        more = [self.machines.daemon(f"peer{number}") for number in range(len(self.daemons), count)]
        self.machines.admit(self.subject, *more)
        self.daemons += more
        for daemon in (self.subject, *self.daemons):
            daemon.wait_for_sessions(count, 300)

    def watchers(self):
        """A connection to each that watches offers."""
        found = [daemon.connect() for daemon in self.daemons]
        for watcher in found:
            watcher.more("ListOffers").receive()
        return found

    def open_stream(self, number):
        """A stream from one of them to the subject, as two sockets."""
        near, far, _ = self.machines.open_stream(self.daemons[number % len(self.daemons)], self.subject)
        return near, far
