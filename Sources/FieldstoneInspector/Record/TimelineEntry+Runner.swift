#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import Foundation

  extension TimelineEntry {
    /// Makes a timeline entry from an event of a runner.
    init(_ event: RunnerEvent, of runner: String, at time: Date) {
      self.init(
        time: time, kind: .run, source: event.flow ?? runner,
        identity: event.run.map { "\($0)" } ?? runner, text: "")
      let stage = event.sequence.map { " at stage \($0)" } ?? ""
      switch event.kind {
      case .started: text = "started"
      case .claimed(let attempt): (text, tone) = ("claimed, attempt \(attempt)\(stage)", .busy)
      case .stageFinished(let attempt, let duration):
        text = "stage finished\(stage)"
        let seconds =
          Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        detail = "attempt \(attempt), \(StageText.duration(seconds))"
      case .completed: (text, tone) = ("completed", .good)
      case .retry(let attempt, let date, let error):
        (text, tone) = ("attempt \(attempt) failed\(stage)", .bad)
        detail = "next at \(StageText.time(date)) UTC; \(error)"
      case .dead(let attempts, let error):
        (text, tone, detail) = ("dead after \(attempts) attempts\(stage)", .bad, error)
      case .blocked(let error): (text, tone, detail) = ("blocked\(stage)", .bad, error)
      case .parked: (text, tone) = ("given back\(stage)", .stopped)
      case .lost(let loss): (text, tone) = ("lost\(stage): \(loss.rawValue)", .bad)
      default: (text, detail) = ("\(event.kind)".prefix { $0 != "(" }.description, "\(event.kind)")
      }
    }
  }
#endif
