// SPDX-License-Identifier: Apache-2.0

import CAvahi

// Avahi's macros, in the types that its functions expect.

let anyInterface = AvahiIfIndex(AVAHI_IF_UNSPEC)
let anyIPVersion = AvahiProtocol(AVAHI_PROTO_UNSPEC)
let ipVersion4 = AvahiProtocol(AVAHI_PROTO_INET)
let ipVersion6 = AvahiProtocol(AVAHI_PROTO_INET6)
