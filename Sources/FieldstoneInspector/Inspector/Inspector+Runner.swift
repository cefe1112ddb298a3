#if INSPECTOR
  import FieldstoneCore
  public import FieldstoneDurable
  import Foundation

  extension Inspector {
    /// A handler that records a runner's events on the timeline, each under its run, from before
    /// the runner is watched.
    ///
    /// ```swift
    /// var options = DurableRunnerOptions()
    /// options.onEvent = inspector.runnerEvents(as: "imports")
    /// ```
    ///
    /// A runner that is watched needs none: its events are recorded from then on. If a handler gets
    /// them, too, each of them is recorded once.
    ///
    /// - Parameters:
    ///   - name: the name of the runner, for events that concern no run.
    ///   - next: another handler, called afterwards with each event.
    public func runnerEvents(
      as name: String, then next: (@Sendable (RunnerEvent) -> Void)? = nil
    ) -> @Sendable (RunnerEvent) -> Void {
      { [record = book.record, time, weak book] event in
        if book?.observes(event.source.id) != true {
          record.add(TimelineEntry(event, of: name, at: time.now))
        }
        next?(event)
      }
    }
  }
#endif
