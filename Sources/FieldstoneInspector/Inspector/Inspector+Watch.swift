#if INSPECTOR
  import FieldstoneCore
  public import FieldstoneFields
  public import FieldstoneForms
  public import FieldstoneLoading
  public import FieldstoneScreens
  public import FieldstoneStorage
  import Foundation

  extension Inspector {
    /// Shows a list live: its items, pages, edges and cursors, and its local edits, which are events
    /// on the timeline, too.
    ///
    /// Edits that were made before are shown without their values. The inspector holds it weakly; the
    /// list keeps the values around its last 1,000 edits from now on. Watching an object twice shows
    /// it twice.
    @MainActor
    public func watch<Item, Cursor>(_ list: PaginatedList<Item, Cursor>, as name: String) {
      let (reader, edits) = (book.reader, LocalEdits<Item>())
      // The list holds its edits, so that they are released with it.
      let state: @MainActor @Sendable (Int) -> (@Sendable () async -> WatchedState)? = {
        [weak list, weak edits] index in
        list.map { WatchedState.of($0, edits, reader, name, from: index) }
      }
      var object = WatchedObject(kind: .list, name: name) { [weak list] in
        list.map { WatchedHeadline($0) }
      } state: {
        state(0)
      }
      object.partState = state
      object.actions[.reload] = { [weak list] in _ = list?.reload(.firstPage) }
      object.actions[.retry] = { [weak list] in _ = list?.retry() }
      object.actions[.more] = { [weak list] in _ = list?.loadMore() }
      follow(list, edits, as: book.add(object, owner: list, follows: false))
    }

    /// Shows a screen's model live.
    ///
    /// Its page can force what the screen stands where the name is that of its provider in
    /// `forcing(_:as:)`. The inspector holds it weakly. Watching an object twice shows it twice.
    @MainActor
    public func watch(_ screen: ScreenModel, as name: String) {
      var object = WatchedObject(kind: .screen, name: name) { [weak screen] in
        screen.map { WatchedHeadline($0.state) }
      } state: { [weak screen] in
        screen.map { $0.state }.map { state in { WatchedState(headline: WatchedHeadline(state)) } }
      }
      object.actions[.reload] = { [weak screen] in screen?.refresh() }
      object.actions[.retry] = { [weak screen] in screen?.retry() }
      book.add(object)
    }

    /// Shows a form live: its edits, and its fields with value, text, issues, touched and modified.
    ///
    /// The inspector holds it weakly. Each change of a field is a timeline event; an update costs
    /// O(n) in the number of fields. The fields of a form are fixed when it is made, so all of them
    /// are followed.
    @MainActor
    public func watch(_ form: FormModel, as name: String) {
      let reader = book.reader
      let state: @MainActor @Sendable (Int) -> (@Sendable () async -> WatchedState)? = {
        [weak form] index in
        form.map { WatchedState.of($0, reader, from: index) }
      }
      var object = WatchedObject(kind: .form, name: name) { [weak form] in
        form.map { WatchedHeadline($0) }
      } state: {
        state(0)
      }
      object.partState = state
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
    /// The inspector holds it weakly. The value of a field that is presented as secure, or that has
    /// a redacted name, is shown as dots. A text, a number or a Boolean is described at once, another
    /// value when a page shows the event: the values of the last 200 events are held for that.
    @MainActor
    public func watch<Value>(_ field: ReadableField<Value>, as name: String) {
      let (reader, book) = (book.reader, book)
      let box = WeakField(field.tracked())
      var object = WatchedObject(kind: .field, name: name) {
        box.field.map { _ in WatchedHeadline(phase: "field") }
      } state: {
        (box.field as? ReadableField<Value>).map { WatchedState.of($0, reader, name) }
      }
      object.valueHeadline = {
        (box.field as? ReadableField<Value>).map { WatchedHeadline.of($0, reader, name) }
      }
      let added = book.add(object, follows: false)
      // The field holds the registration, which holds neither the inspector nor the field.
      let secrecy = FieldSecrecy(reader.redaction, watchedAs: name)
      field.observe(owner: book) { [weak field] book, change in
        guard change.origin != .registration, let field else { return }
        let isSecret = secrecy.hides(field)
        let (old, new) = (change.old, change.new)
        if let plain = FieldText.plainChange(from: old, to: new, reader, isSecret: isSecret) {
          return book.note(added, "\(change.origin)", detail: plain)
        }
        book.note(added, "\(change.origin)") {
          FieldText.value(old, reader, isSecret: false) + " → "
            + FieldText.value(new, reader, isSecret: false)
        }
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
        operation.map { WatchedState.of($0, reader, name) }
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
          let state = WatchedState(
            headline: WatchedHeadline(phase: "file", detail: store.url.path),
            facts: [WatchedState.Fact(name: "Type", text: "\(Value.self)")])
          return { state }
        }
      }
      book.add(object, owner: store, follows: false)
    }

    /// Records each change of a form's field.
    @MainActor
    private func follow(_ field: FormField, of form: WatchedObject) {
      // The field holds its observer, so the observer must not hold the field.
      let secrecy = FieldSecrecy(book.reader.redaction)
      FieldFollower(field, book) { [weak book] field, old, new in
        guard let book else { return }
        let isSecret = field.kind.isSecure || secrecy.hides(field.field)
        book.note(
          form, "\(field.key) changed",
          detail: isSecret
            ? RedactedJSON.dots : "“\(old.shortened(to: 900))” → “\(new.shortened(to: 900))”",
          identity: "\(form.identity) \(field.key)")
      }.follow()
    }
  }
#endif
