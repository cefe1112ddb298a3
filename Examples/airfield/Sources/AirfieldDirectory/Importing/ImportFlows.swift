package import FieldstoneDurable

extension ImportServices {
  /// The name of the flow of parts.
  ///
  /// Imports of the command and of a server have parts of their own, as they are flows of their own.
  var partFlow: String { flow + ".part" }

  /// The flows of imports and of their parts, as a runner takes them.
  package var flows: [DurableFlow] {
    [
      DurableFlow(
        AirportImport.self, name: flow, version: AirportImport.flowVersion, services: self,
        options: .oneAtATime),
      DurableFlow(AirportImportPart.self, name: partFlow, services: self, options: .partsInOrder),
    ]
  }
}

extension FlowOptions {
  /// Those of the same concurrency key one after the other on all workers, in the order of starting.
  ///
  /// One that is dead does not keep its place: those behind it are cancelled with its death, and those
  /// that are started in their stead must not wait for it.
  fileprivate static var partsInOrder: FlowOptions {
    var options = Self.oneAtATime
    options.limits = FlowLimits(perKey: FlowLimits.PerKey(1, whenStuck: .releases))
    return options
  }
}
