// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import Language
import System

extension Daemon {
  func perform(_ action: Action) {
    switch action {
    case .setSensor(let demand):
      sensor?.demand = demand
      backend?.watchForBlanking(demand != .off)
    case .willRotate(let rotation):
      control.service?.willRotate(rotation)
      hooks.will.add(context(rotation)) { [unowned self] in post(.readyToRotate(rotation)) }
    case .apply(let rotation, let rotations):
      hooks.will.skipRemaining()
      apply(rotation, rotations)
    case .didRotate(let rotation):
      control.service?.didRotate(rotation)
      log(rotation)
      hooks.did.add(context(rotation))
    case .postureChanged(let before, let now):
      control.service?.postureChanged(from: before, to: now)
      hooks.posture.add(
        HookContext(posture: now, previousPosture: before, application: autorotator.application ?? ""))
    case .askDesktop:
      backend?.askWhetherOrientationIsKept { [unowned self] in post(.desktopAnswered(isIntentional: $0)) }
    case .repair: backend?.repair()
    case .rotateOutput(let rotation): apply(rotation)
    case .saveRotations(let rotations): savedState?.save(rotations: rotations)
    case .suggest(let orientation): notifications?.board.suggestion = orientation
    case .saveLock(let orientation): if let why = savedState?.save(orientation) { post(.lockNotSaved(why)) }
    case .savePostureLocks(let locks): savedState?.save(locks)
    case .report(let message, let fault):
      Console.log(localized(message))
      notifications?.note(message, of: fault)
    case .refuse(let why): refusal = why
    case .publish(let status): unpublished = status
    }
  }

  func publish() {
    guard let status = unpublished else { return }
    unpublished = nil
    if let line = startupLine.text(for: status, waits: options.waits) { Console.log(localized(line)) }
    control.publish(status)
    tabletFeatures.posture = status.posture
    notifications?.publish(status)
    memoryRelease?.arm(at: 0)
  }

  private func apply(_ rotation: Rotation, _ rotations: [PanelRotation]) {
    backend?.apply(rotations) { [unowned self] result in
      switch result {
      case .success: post(.rotationFinished(rotation))
      case .failure(let message): post(.rotationFailed(rotation, message))
      }
    }
  }

  private func apply(_ rotation: PanelRotation) {
    backend?.apply([rotation]) { [unowned self] result in
      outputFailure = if case .failure(let message) = result { message } else { nil }
      if outputFailure == nil { Console.log(localized("\(rotation.output) is rotated, as you requested.")) }
      post(.outputAnswered(rotation, failure: outputFailure))
      guard !autorotator.isRotating(rotation.output) else { return }
      let failure = outputFailure
      outputAnswers.removeValue(forKey: rotation.output)?.forEach { $0(failure) }
    }
  }

  private func context(_ rotation: Rotation) -> HookContext {
    HookContext(rotation: rotation, posture: autorotator.posture, application: autorotator.application ?? "")
  }

  private func log(_ rotation: Rotation) {
    guard !rotation.isNone else { return }
    let reasons = rotation.reasons.map { $0.message(on: autorotator.naturalAspect).description }.joined(
      separator: " ")
    let outputs = rotation.outputs.joined(separator: ", ")
    Console.log("\(outputs) \(rotation.from.word) → \(rotation.to.word). \(reasons)")
  }
}
