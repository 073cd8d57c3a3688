// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import VarlinkServer

extension ControlServer {
  func diagnose(_ parameters: Diagnose.Parameters, _ exchange: Exchange<Diagnose>) {
    let own = doctors.values.count { $0.user == exchange.user }
    guard Limits.diagnosisShare.allows(exchange.user, own: own, all: doctors.count) else {
      return exchange.fail(.limitReached)
    }
    let doctor = Doctor(exchange, parameters.peer, self)
    let id = ObjectIdentifier(doctor)
    doctors[id] = doctor
    Loop.begin { [weak self] in
      await doctor.run()
      self?.doctors[id] = nil
    }
  }
}
