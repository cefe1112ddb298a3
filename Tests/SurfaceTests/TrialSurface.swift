import Fieldstone
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation
import Testing

// What a test target would write of trials: stages of each kind, and each public call.

private enum Ride: Stage, Codable, VersionedFlow {
  static let flowName = "ride"

  case off
  case on(Int)

  func next() async throws -> Step<Self, Int> {
    switch self {
    case .off: .advance(to: .on(2))
    case .on(let stop): .complete(stop)
    }
  }
}

private struct Fare: Codable, Sendable, Equatable {
  var cents: Int
}

extension SignalName where Value == Fare {
  fileprivate static var paid: Self { SignalName("paid", example: Fare(cents: 240)) }
}

private enum Ticket: DurableStage, VersionedFlow {
  static let flowName = "ticket"

  case asked
  case paid

  func next(in context: DurableContext<Till>) async throws -> DurableStep<Self, Fare> {
    switch self {
    case .asked: return .receive(.paid, then: .paid)
    case .paid:
      let fare = try context.signal(.paid) ?? Fare(cents: 0)
      await context.services.take(fare, key: context.idempotencyKey)
      return .complete(fare)
    }
  }
}

private actor Till {
  private(set) var fares: [String: Fare] = [:]

  func take(_ fare: Fare, key: String) { fares[key] = fare }
}

@Suite("The surface of trials", .timeLimit(.minutes(20)))
struct TrialSurface {
  @Test("A plain flow is tried with nothing but its first stage")
  func plain() async throws {
    let trial = FlowTrial(Ride.off) { _ in [DurableFlow(Ride.self)] }
    let report = try await trial.run()
    #expect(report.endsAlike, "\(report)")
    #expect(try report.outcome.value(as: Int.self) == 2)
    #expect(report.checkpoints == 2 && report.kills.count == 4 && report.killsLeftOut == 0)
    #expect(report.skippedTime == .zero && report.effects == nil && report.differences.isEmpty)
    #expect(report.repeated.map(\.beginnings) == [2, 2])
    #expect(FlowDiagram([report]).mermaid == report.diagram)
    #expect("\(report)".hasPrefix("completed with 2\npath: ride 0 off, ride 1 on\n"))
  }

  @Test("A durable flow is tried in a world, with answers and what is to be equal")
  func durable() async throws {
    var options = FlowTrialOptions(moments: [.beforeCheckpoint], maximumKills: 9)
    options.maximumStages = 10
    options.beginsAt = Date(timeIntervalSince1970: 0)
    let trial = FlowTrial(
      Ticket.asked, flow: "ticket", start: RunOptions(priority: 1), options: options,
      world: { _ in Till() }
    ) {
      [DurableFlow(Ticket.self, services: $0)]
    }
    .answering(.paid) { wait in
      #expect(wait.signal == "paid" && wait.now.timeIntervalSince1970 == 0 && wait.until == nil)
      return Fare(cents: 240)
    }
    .comparing { await $0.fares }
    let report = try await trial.run()
    #expect(report.endsAlike, "\(report)")
    for kill in report.kills {
      switch kill.moment {
      case .beforeCheckpoint: #expect(kill.repeated.count == 1 && kill.path.count == 2)
      case .afterCheckpoint: Issue.record("It was not asked for.")
      }
      switch kill.outcome {
      case .completed(let json): #expect(try StageJSON.value(Fare.self, from: json).cents == 240)
      case .dead, .cancelled, .blocked, .unended: Issue.record("\(kill)")
      }
    }
  }

  @Test("What keeps a trial from going on has a name")
  func errors() async throws {
    let trial = FlowTrial(Ticket.asked, world: { _ in Till() }) {
      [DurableFlow(Ticket.self, services: $0)]
    }
    do {
      _ = try await trial.run()
      Issue.record("Nobody pays.")
    } catch let error as FlowTrialError {
      switch error {
      case .awaitsSignals(["paid"], let stage):
        #expect(stage.name == "paid" && stage.sequence == 1 && stage.beginnings == 0)
      case .awaitsSignals, .doesNotEnd, .standsStill, .stillAtWork, .noTransaction, .notRepeated,
        .notCompleted:
        Issue.record("\(error.message)")
      }
    }
  }
}
