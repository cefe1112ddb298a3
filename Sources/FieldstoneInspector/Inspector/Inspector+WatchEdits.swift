#if INSPECTOR
  import FieldstoneCore
  import FieldstoneLoading

  extension Inspector {
    /// Records the local edits of a list, and keeps the values around them.
    @MainActor
    func follow<Item, Cursor>(
      _ list: PaginatedList<Item, Cursor>, _ edits: LocalEdits<Item>, as object: WatchedObject
    ) {
      // The list holds the observer, so the observer must not hold the list.
      let registration = list.observeEdits { [weak list, weak book] edit in
        guard let list, let book else { return }
        edits.note(edit) { list.hasEdit($0) }
        let verb = edit.old == nil ? "insert" : edit.new == nil ? "remove" : "update"
        let (reader, name) = (book.reader, object.name)
        book.note(object, verb) {
          reader.line(of: edit.id, named: name, length: 60) + ": "
            + reader.change(from: edit.old, to: edit.new, named: name)
        }
      }
      book.hold(registration, for: object)
    }

    /// Records the local changes of an integrator.
    @MainActor
    func follow<Value>(_ integrator: Integrator<some Sendable, Value>, as object: WatchedObject) {
      let registration = integrator.observeChanges { [weak integrator, weak book] event in
        guard let book else { return }
        switch event {
        case .updated(let id):
          let (reader, name) = (book.reader, object.name)
          guard let change = integrator?.notedChanges.last(where: { $0.id == id }) else {
            return book.note(object, "update", detail: "Change \(id)")
          }
          book.note(object, "update") {
            "Change \(id): " + reader.change(from: change.old, to: change.new, named: name)
          }
        case .confirmed(let id): book.note(object, "confirm", tone: .good, detail: "Change \(id)")
        case .rolledBack(let id):
          book.note(object, "roll back", tone: .stopped, detail: "Change \(id)")
        }
      }
      book.hold(registration, for: object)
    }
  }
#endif
