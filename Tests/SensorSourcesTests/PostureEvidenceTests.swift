// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

@Suite struct PostureEvidenceTests {
  @Test(
    arguments: [
      ([], [], .unknown, .unknown), ([], [], .laptop, .laptop), ([], [], .tablet, .tablet),
      ([.tablet], [], .tablet, .laptop), ([.tablet], [.tablet], .laptop, .tablet),
      ([.lidClosed], [], .tablet, .tablet), ([.lidClosed], [.lidClosed], .unknown, .unknown),
      ([.docked], [], .unknown, .unknown), ([.docked], [.docked], .tablet, .docked),
      ([.tablet, .docked], [.docked], .unknown, .docked),
      ([.tablet, .docked], [.tablet, .docked], .unknown, .tablet),
    ] as [(SwitchSet, SwitchSet, Posture, Posture)])
  func theSwitchesGoFirst(present: SwitchSet, on: SwitchSet, hinge: Posture, posture: Posture) {
    #expect(PostureEvidence(present: present, on: on, hinge: hinge).posture == posture)
  }

  @Test(
    arguments: [
      ([], [], true, .lidOpen), ([], [], false, .off), ([.tablet], [], true, .off),
      ([.lidClosed], [], true, .lidOpen), ([.lidClosed], [.lidClosed], true, .lidClosed),
      ([.lidClosed], [.lidClosed], false, .off), ([.docked], [.docked], true, .lidOpen),
    ] as [(SwitchSet, SwitchSet, Bool, HingeWatch)])
  func theHingeIsMeasuredOnlyWhereNothingElseTells(
    present: SwitchSet, on: SwitchSet, isNeeded: Bool, watch: HingeWatch
  ) {
    #expect(PostureEvidence(present: present, on: on).hingeWatch(isNeeded: isNeeded) == watch)
  }

  @Test(
    arguments: [
      ("0", []), ("", []), ("1", [.lidClosed]), ("2", [.tablet]), ("3", [.lidClosed, .tablet]),
      ("23", .all), ("20", [.docked]), ("1fff1", [.lidClosed, .docked]), ("2 0", []), ("ff 2", [.tablet]),
      ("rubbish", []), ("ffffffffffffffffffff", []),
    ] as [(String, SwitchSet)])
  func readsTheKernelsBitMask(text: String, switches: SwitchSet) {
    #expect(SwitchSet(capabilities: text) == switches)
  }
}
