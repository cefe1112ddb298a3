#if INSPECTOR
  import FieldstoneCore
  public import FieldstoneDurable
  public import FieldstoneFields
  public import FieldstoneForms
  public import FieldstoneLoading
  public import FieldstoneScreens
  public import FieldstoneStorage
  import Foundation

  extension Inspector {
    /// Shows an integrator live: its phase, its value, and each call with its retries and its
    /// outcome.
    ///
    /// The inspector holds it weakly. Watching an object twice shows it twice.
    @MainActor
    public func watch<Parameters, Value>(
      _ integrator: Integrator<Parameters, Value>, as name: String
    ) {
      let reader = book.reader
      var object = WatchedObject(kind: .call, name: name) { [weak integrator] in
        integrator.map { WatchedHeadline($0.phase) }
      } state: { [weak integrator] in
        integrator.map { WatchedState($0, reader) }
      }
      object.actions[.cancel] = { [weak integrator] in integrator?.cancelAll() }
      book.add(object, owner: integrator, follows: false)
    }

    /// Shows an integrator without parameters live, with a button that reloads it.
    ///
    /// The inspector holds it weakly. Watching an object twice shows it twice.
    @MainActor
    public func watch<Value>(_ integrator: Integrator<Void, Value>, as name: String) {
      let reader = book.reader
      var object = WatchedObject(kind: .call, name: name) { [weak integrator] in
        integrator.map { WatchedHeadline($0.phase) }
      } state: { [weak integrator] in
        integrator.map { WatchedState($0, reader) }
      }
      object.actions[.reload] = { [weak integrator] in _ = integrator?.call().start() }
      object.actions[.cancel] = { [weak integrator] in integrator?.cancelAll() }
      book.add(object, owner: integrator, follows: false)
    }

    /// Shows a list live: its items, edges and cursors.
    ///
    /// The inspector holds it weakly. Watching an object twice shows it twice.
    @MainActor
    public func watch<Item, Cursor>(_ list: PaginatedList<Item, Cursor>, as name: String) {
      let reader = book.reader
      var object = WatchedObject(kind: .list, name: name) { [weak list] in
        list.map { WatchedHeadline($0) }
      } state: { [weak list] in
        list.map { WatchedState($0, reader) }
      }
      object.actions[.reload] = { [weak list] in _ = list?.reload(.firstPage) }
      object.actions[.retry] = { [weak list] in _ = list?.retry() }
      object.actions[.more] = { [weak list] in _ = list?.loadMore() }
      book.add(object, owner: list, follows: false)
    }

    /// Shows a screen's model live.
    ///
    /// The inspector holds it weakly. Watching an object twice shows it twice.
    @MainActor
    public func watch(_ screen: ScreenModel, as name: String) {
      var object = WatchedObject(kind: .screen, name: name) { [weak screen] in
        screen.map { WatchedHeadline($0.state) }
      } state: { [weak screen] in
        screen.map { WatchedState(headline: WatchedHeadline($0.state)) }
      }
      object.actions[.reload] = { [weak screen] in screen?.refresh() }
      object.actions[.retry] = { [weak screen] in screen?.retry() }
      book.add(object)
    }

    /// Shows a form live: its edits, and its fields with value, text, issues, touched and modified.
    ///
    /// The inspector holds it weakly. Each change of a field is a timeline event; an update costs
    /// O(n) in the number of fields.
    @MainActor
    public func watch(_ form: FormModel, as name: String) {
      let reader = book.reader
      var object = WatchedObject(kind: .form, name: name) { [weak form] in
        form.map { WatchedHeadline($0) }
      } state: { [weak form] in
        form.map { WatchedState($0, reader) }
      }
      object.actions[.validate] = { [weak form] in
        guard let form else { return }
        Task { await form.validate() }
      }
      object.actions[.undo] = { [weak form] in _ = form?.undo() }
      object.actions[.redo] = { [weak form] in _ = form?.redo() }
      let added = book.add(object, owner: form)
      for field in form.fields { follow(field, of: added) }
    }

    /// Shows a field live; each change of it is a timeline event.
    ///
    /// The inspector holds it weakly.
    @MainActor
    public func watch<Value>(_ field: ReadableField<Value>, as name: String) {
      let (reader, book) = (book.reader, book)
      let box = WeakField(field.tracked())
      let added = book.add(
        WatchedObject(kind: .field, name: name) {
          (box.field as? ReadableField<Value>).map { WatchedHeadline($0, reader, name) }
        } state: {
          (box.field as? ReadableField<Value>).map { WatchedState($0, reader, name) }
        }, follows: false)
      // The field holds the registration, which does not hold the inspector.
      field.observe(owner: book) { book, change in
        guard change.origin != .registration else { return }
        book.note(
          added, "\(change.origin)",
          detail: FieldText.change(from: change.old, to: change.new, reader, name))
      }
    }

    /// Shows an operation until its end.
    ///
    /// The inspector holds it weakly.
    @MainActor
    public func watch<Output>(_ operation: StatefulOperation<Output>, as name: String) {
      let reader = book.reader
      var object = WatchedObject(kind: .operation, name: name) { [weak operation] in
        operation.map { WatchedHeadline($0) }
      } state: { [weak operation] in
        operation.map { WatchedState($0, reader) }
      }
      object.actions[.cancel] = { [weak operation] in operation?.cancel() }
      book.add(object, owner: operation, follows: false)
    }

    /// Shows a file store: its file, and its saves on the timeline.
    ///
    /// The inspector holds it weakly.
    @MainActor
    public func watch<Value>(_ store: FileStore<Value>, as name: String) {
      let object = WatchedObject(kind: .store, name: name) { [weak store] in
        store.map { WatchedHeadline(phase: "file", detail: $0.url.path) }
      } state: { [weak store] in
        store.map { store in
          WatchedState(
            headline: WatchedHeadline(phase: "file", detail: store.url.path),
            facts: [WatchedState.Fact(name: "Type", text: "\(Value.self)")])
        }
      }
      book.add(object, owner: store, follows: false)
    }

    /// Shows a durable runner: its worker, its lease and its flows.
    ///
    /// The inspector holds it weakly. ``runnerEvents(as:then:)`` records its events on the
    /// timeline.
    @MainActor
    public func watch(_ runner: DurableRunner, as name: String) {
      let object = WatchedObject(kind: .run, name: name) { [weak runner] in
        runner.map { WatchedHeadline(phase: "runner", detail: $0.options.worker) }
      } state: { [weak runner] in
        runner.map { WatchedState($0) }
      }
      book.add(object, follows: false)
    }

    /// Records each change of a form's field.
    @MainActor
    private func follow(_ field: FormField, of form: WatchedObject) {
      // The field holds its observer, so the observer must not hold the field.
      let (key, isSecret) = (field.key, FieldText.isSecret(field, book.reader.redaction))
      FieldFollower(field, book) { [weak book] old, new in
        book?.note(
          form, "\(key) changed", detail: isSecret ? "•••" : "“\(old)” → “\(new)”",
          identity: "\(form.identity) \(key)")
      }.follow()
    }
  }
#endif
