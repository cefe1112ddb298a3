public import FieldstoneStages

extension DurableFlow {
  /// Registers a stage that needs services and knows its flow.
  public init<Work: ContextualStage & Codable & VersionedFlow>(
    _ type: Work.Type, services: Work.Context, options: FlowOptions<Work> = FlowOptions()
  ) where Work.Completion: Codable {
    self.init(
      type, name: Work.flowName, version: Work.flowVersion, services: services, options: options)
  }

  /// Registers a stage that needs no services and knows its flow.
  public init<Work: ContextualStage & Codable & VersionedFlow>(
    _ type: Work.Type, options: FlowOptions<Work> = FlowOptions()
  ) where Work.Completion: Codable, Work.Context == Void {
    self.init(type, services: (), options: options)
  }

  /// Registers a stage that knows that it is durable, and its flow, and needs no services.
  public init<Work: DurableStage & VersionedFlow>(
    _ type: Work.Type, options: FlowOptions<Work> = FlowOptions()
  ) where Work.Services == Void {
    self.init(type, services: (), options: options)
  }

  /// Registers a stage that knows that it is durable, and its flow.
  public init<Work: DurableStage & VersionedFlow>(
    _ type: Work.Type, services: Work.Services, options: FlowOptions<Work> = FlowOptions()
  ) {
    self.init(
      type, name: Work.flowName, version: Work.flowVersion, services: services, options: options)
  }
}
