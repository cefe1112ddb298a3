public import FieldstoneStages
package import Foundation

/// A flow that a runner can run: a stage type, its name and version, and its services.
///
/// Any `Codable` stage with a `Codable` completion is enough:
///
/// ```swift
/// DurableFlow(FileOpen.self, name: "file-open")
/// DurableFlow(AirportImport.self, services: database)  // a VersionedFlow knows its name
/// ```
///
/// The name of a flow never changes. The version goes up with each change that older code can't
/// read: workers of an older version then leave the newer runs alone.
public struct DurableFlow: Sendable {
  /// The name of the flow, which is the same for all versions and never changes.
  public let name: String
  /// The version of the flow.
  public let version: Int
  /// The number of the flow's runs that a runner works on at the same time.
  public let maxConcurrent: Int
  /// The limits that all workers on the journal share; nil for none.
  public let limits: FlowLimits?

  /// The number of worker deaths during lone trials that make a run dead.
  let maximumLoneCrashes: Int

  /// The stage type.
  package let stage: ObjectIdentifier
  /// Decodes a stage that some version wrote, as a run's stage is decoded.
  package let read: @Sendable (_ version: Int, _ payload: Data) throws -> any Sendable
  let prepare: @Sendable (RunRecord) throws -> PreparedStage

  private init<Work, Completion>(name: String, work: FlowWork<Work, Completion>) {
    self.name = name
    version = work.version
    maxConcurrent = max(1, work.options.maxConcurrent)
    limits = work.options.limits?.effective
    maximumLoneCrashes = max(1, work.options.maximumLoneCrashes)
    stage = ObjectIdentifier(Work.self)
    read = { try work.stage(ofVersion: $0, $1) }
    prepare = { work.prepare(try work.stage(ofVersion: $0.version, $0.payload)) }
  }

  /// Registers a stage that needs services.
  ///
  /// - Parameters:
  ///   - type: the stage.
  ///   - name: the name of the flow, which is the same for all versions and never changes.
  ///   - version: one more with each change that old code can't read.
  ///   - services: the services that every stage of every run uses.
  ///   - options: concurrency, retries, migration.
  public init<Work: ContextualStage & Codable>(
    _ type: Work.Type, name: String, version: Int = 1, services: Work.Context,
    options: FlowOptions<Work> = FlowOptions()
  ) where Work.Completion: Codable {
    self.init(
      name: name,
      work: FlowWork<Work, Work.Completion>(version: version, options: options) { stage, _ in
        (DurableStep(try await stage.next(in: services)), StageOutbox.Content())
      })
  }

  /// Registers a stage that needs no services.
  public init<Work: ContextualStage & Codable>(
    _ type: Work.Type, name: String, version: Int = 1, options: FlowOptions<Work> = FlowOptions()
  ) where Work.Completion: Codable, Work.Context == Void {
    self.init(type, name: name, version: version, services: (), options: options)
  }

  /// Registers a durable stage.
  ///
  /// - Parameters:
  ///   - type: the stage.
  ///   - name: the name of the flow, which is the same for all versions and never changes.
  ///   - version: one more with each change that old code can't read.
  ///   - services: the services that every stage of every run uses.
  ///   - options: concurrency, retries, migration.
  public init<Work: DurableStage>(
    _ type: Work.Type, name: String, version: Int = 1, services: Work.Services,
    options: FlowOptions<Work> = FlowOptions()
  ) {
    self.init(
      name: name,
      work: FlowWork<Work, Work.Completion>(version: version, options: options) { stage, call in
        let context = DurableContext(
          services: services, run: call.run, sequence: call.sequence, attempt: call.attempt,
          now: call.now, signal: call.signal, joinedSequence: call.joinedSequence,
          trace: call.trace, requests: call.requests, reports: call.reports)
        let step = try await stage.next(in: context)
        return (step, context.outbox.content)
      })
  }

  /// Registers a durable stage that needs no services.
  public init<Work: DurableStage>(
    _ type: Work.Type, name: String, version: Int = 1, options: FlowOptions<Work> = FlowOptions()
  ) where Work.Services == Void {
    self.init(type, name: name, version: version, services: (), options: options)
  }
}

extension DurableFlow {
  /// Registers a stage that needs services and declares its flow.
  public init<Work: ContextualStage & Codable & VersionedFlow>(
    _ type: Work.Type, services: Work.Context, options: FlowOptions<Work> = FlowOptions()
  ) where Work.Completion: Codable {
    self.init(
      type, name: Work.flowName, version: Work.flowVersion, services: services, options: options)
  }

  /// Registers a stage that needs no services and declares its flow.
  public init<Work: ContextualStage & Codable & VersionedFlow>(
    _ type: Work.Type, options: FlowOptions<Work> = FlowOptions()
  ) where Work.Completion: Codable, Work.Context == Void {
    self.init(type, services: (), options: options)
  }

  /// Registers a durable stage that declares its flow and needs no services.
  public init<Work: DurableStage & VersionedFlow>(
    _ type: Work.Type, options: FlowOptions<Work> = FlowOptions()
  ) where Work.Services == Void {
    self.init(type, services: (), options: options)
  }

  /// Registers a durable stage that declares its flow.
  public init<Work: DurableStage & VersionedFlow>(
    _ type: Work.Type, services: Work.Services, options: FlowOptions<Work> = FlowOptions()
  ) {
    self.init(
      type, name: Work.flowName, version: Work.flowVersion, services: services, options: options)
  }
}
