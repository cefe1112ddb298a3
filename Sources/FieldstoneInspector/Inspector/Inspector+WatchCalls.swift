#if INSPECTOR
  import FieldstoneCore
  public import FieldstoneLoading

  extension Inspector {
    /// Shows an integrator live: its phase, its value, its local changes that wait, its calls under
    /// way, and each call with its parameters, its retries and its outcome.
    ///
    /// Buttons call it again with the parameters of its last call, if it has any, and cancel one call
    /// or all. Calls that were prepared before have no parameters. The inspector holds it weakly; it
    /// keeps its last parameters from now on. Watching an object twice shows it twice.
    @MainActor
    public func watch<Parameters, Value>(
      _ integrator: Integrator<Parameters, Value>, as name: String
    ) {
      if let none = (() as Any) as? Parameters {
        add(integrator, as: name) { _ in none }
      } else {
        integrator.notesParameters = true
        add(integrator, as: name) { $0.lastParameters }
      }
    }

    /// Shows one call until its end, with a button that cancels it; its steps are on the timeline.
    ///
    /// All calls of an integrator are shown by watching that. The inspector holds the call weakly.
    @MainActor
    public func watch<Value>(_ call: Call<Value>, as name: String) {
      let reader = book.reader
      var object = WatchedObject(kind: .call, name: name) { [weak call] in
        call.map { WatchedHeadline($0) }
      } state: { [weak call] in
        call.map { WatchedState.of($0, reader, name) }
      }
      object.actions[.cancel] = { [weak call] in call?.cancel() }
      object.isPossible = { [weak call] _ in call?.currentOutcome == nil }
      book.add(object)
    }

    /// - Parameter last: the parameters of another call; nil if they are not known yet.
    @MainActor
    private func add<Parameters, Value>(
      _ integrator: Integrator<Parameters, Value>, as name: String,
      last: @escaping @MainActor @Sendable (Integrator<Parameters, Value>) -> Parameters?
    ) {
      let reader = book.reader
      var object = WatchedObject(kind: .call, name: name) { [weak integrator] in
        integrator.map { WatchedHeadline($0.phase) }
      } state: { [weak integrator] in
        integrator.map { WatchedState.of($0, reader, name) }
      }
      let callAgain: @MainActor @Sendable () -> Void = { [weak integrator] in
        guard let integrator, let parameters = last(integrator) else { return }
        integrator.call(parameters).start()
      }
      object.actions[.reload] = callAgain
      object.actions[.retry] = callAgain
      object.actions[.cancel] = { [weak integrator] in integrator?.cancelAll() }
      object.isPossible = { [weak integrator] action in
        guard let integrator else { return false }
        return switch action {
        case .reload: last(integrator) != nil
        case .retry: last(integrator) != nil && integrator.phase.error != nil
        default: true
        }
      }
      object.cancelCall = { [weak integrator] in integrator?.cancelCall(activity: $0) ?? false }
      follow(integrator, as: book.add(object, owner: integrator, follows: false))
    }
  }
#endif
