// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@Suite struct MethodTableTests {
  @Test func whatWasAddedIsFound() {
    var table = MethodTable<Int>()
    table.add(.service)
    table.add(GetInfo.self, 1)
    #expect(table.handler(of: "org.varlink.service.GetInfo") == 1)
    #expect(table.handler(of: "org.varlink.service.GetInterfaceDescription") == nil)
    #expect(table.interfaces == ["org.varlink.service"])
    #expect(table.description(of: "org.varlink.service") == .service)
    #expect(table.description(of: "org.varlink") == nil)
  }

  @Test func addingAMethodTwiceTraps() async {
    await #expect(processExitsWith: .failure) {
      var table = MethodTable<Int>()
      table.add(.service)
      table.add(GetInfo.self, 1)
      table.add(GetInfo.self, 2)
    }
  }

  @Test func addingAnInterfaceTwiceTraps() async {
    await #expect(processExitsWith: .failure) {
      var table = MethodTable<Int>()
      table.add(.service)
      table.add(.service)
    }
  }

  @Test func aMethodOfNoInterfaceTraps() async {
    await #expect(processExitsWith: .failure) {
      var table = MethodTable<Int>()
      table.add(GetInfo.self, 1)
    }
  }

  @Test func aDescriptionOfAnotherInterfaceTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = InterfaceDescription(name: "a.b", text: InterfaceDescription.service.text)
    }
  }
}
