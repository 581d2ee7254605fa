// SPDX-License-Identifier: MIT

package import Autorotation
package import System

extension BusError: UserFacingError {
  package var phrase: Phrase {
    switch fault {
    case .silent(let bus): "\(bus.phrase) does not answer"
    case .unreachable(let bus, let reason): "\(bus.phrase) does not answer: \(reason)"
    case .withoutAddress(let bus): "\(bus.phrase) has no address"
    case .ended(_, let reason): "the bus has ended (\(reason))"
    case .unanswered: "no answer in time"
    // Any program may have chosen it.
    case nil: Phrase(verbatim: description.printable(limit: 1000))
    }
  }
}

extension Bus.Kind {
  fileprivate var phrase: Phrase {
    switch self {
    case .session: "the session bus"
    case .system: "the system bus"
    case .at(let address): "the bus at \(address)"
    }
  }
}
