import FieldstoneCore
import FieldstoneLoading

/// A screen over an integrator, with the parameters of its calls.
final class IntegratorSource<Parameters: Sendable, Value: Sendable>: ScreenSource {
  private let integrator: Integrator<Parameters, Value>
  private let parameters: () -> Parameters
  private let isEmpty: (Value) -> Bool

  /// Those of this screen that are under way; what becomes of overlapping ones is the integrator's
  /// policy.
  private var calls: [Call<Value>] = []

  init(
    _ integrator: Integrator<Parameters, Value>, parameters: @escaping () -> Parameters,
    isEmpty: @escaping (Value) -> Bool
  ) {
    self.integrator = integrator
    self.parameters = parameters
    self.isEmpty = isEmpty
  }

  var knowledge: ScreenKnowledge { ScreenKnowledge(integrator.phase, isEmpty: isEmpty) }

  func load() {
    calls.removeAll { $0.currentOutcome != nil }
    calls.append(integrator.call(parameters()).start())
  }

  func cancel() {
    let calls = calls
    self.calls = []
    for call in calls { call.cancel() }
  }
}
