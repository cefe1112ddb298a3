#if INSPECTOR
  import FieldstoneCore
  public import FieldstoneDurable
  package import FieldstoneRunDisplay
  import FieldstoneServing
  import Foundation

  extension Inspector {
    /// Returns these pages with the code of an app's flows.
    ///
    /// The pages then decode edits and forks of these flows before they write them, as a runner does.
    /// They also try blocked runs, without a change. Without this method, nothing is checked.
    ///
    /// - Parameter flows: the flows of the app's runners.
    public func checking(_ flows: [DurableFlow]) -> Inspector {
      var inspector = self
      inspector.flows = flows.isEmpty ? nil : flows
      return inspector
    }

    /// Returns these pages with a signal that users can send.
    ///
    /// The form of the signal contains its example. A payload that is no value of the signal is refused.
    ///
    /// - Parameter signal: the signal; a later one of the same name takes the place of an earlier one.
    /// - Throws: `EncodingError` when the example can't be encoded.
    public func offering<Value>(_ signal: SignalName<Value>) throws -> Inspector {
      offering([try OfferedSignal(signal)])
    }

    /// Returns these pages with signals that users can send.
    package func offering(_ signals: [OfferedSignal]) -> Inspector {
      var inspector = self
      for signal in signals { inspector.signals[signal.name] = signal }
      return inspector
    }

    /// The check of a flow's stages: none for a flow without code in this process.
    func check(of flow: String?) -> StageCheck {
      guard let flow, let flows, flows.contains(where: { $0.name.utf8.elementsEqual(flow.utf8) })
      else { return .unchecked }
      return .flows(flows)
    }

    /// The page that tries to decode the blocked runs of a filter.
    func trialPage(_ query: FormValues) async throws -> InspectorPage {
      guard let flows else { throw InspectorRefusal.noPage }
      let filter = try RunFilter(query)
      let parts = try await waitingParts
      return TrialPage(
        parts: parts, filter: filter,
        trial: try await BlockedTrial(
          filter, from: try TrialPlace(query), of: flows, in: journal, parts.waits,
          at: parts.now)
      ).page
    }
  }
#endif
