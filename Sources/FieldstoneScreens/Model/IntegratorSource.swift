import FieldstoneCore
import FieldstoneLoading

/// A screen over an integrator, with the parameters of its calls.
final class IntegratorSource<Parameters: Sendable, Value: Sendable>: ScreenSource {
  private let integrator: Integrator<Parameters, Value>
  private let parameters: () -> Parameters
  private let isEmpty: (Value) -> Bool
  private var call: Call<Value>?

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
    call = integrator.call(parameters()).start()
  }

  func cancel() {
    call?.cancel()
  }
}
