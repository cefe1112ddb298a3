#if INSPECTOR
  import FieldstoneDurable

  /// The state of a watched object, in words.
  struct WatchedState: Sendable, Hashable {
    /// A name and a text.
    struct Fact: Sendable, Hashable {
      var name: String
      var text: String
    }

    /// A table, such as the fields of a form.
    struct Table: Sendable, Hashable {
      var title: String
      var columns: [String]
      var rows: [[String]]
      var note: String?
      /// The calls of the rows, which can be cancelled; empty for a table of something else.
      var calls: [Int] = []
      /// The runs of the rows, to whose pages the first cells lead; empty for other tables.
      var runs: [RunID] = []
      /// Links to other parts of it.
      var parts: [Part] = []
    }

    /// A part of a table that begins with an item of the object.
    struct Part: Sendable, Hashable {
      var title: String
      var from: Int
    }

    /// A value, as indented text.
    struct Value: Sendable, Hashable {
      var title: String
      var text: String
    }

    var headline: WatchedHeadline
    var facts: [Fact] = []
    var tables: [Table] = []
    var values: [Value] = []
  }

  /// The state of a watched object in a few words; cheap to make.
  struct WatchedHeadline: Sendable, Hashable {
    var phase: String
    var tone = TimelineEntry.Tone.plain
    /// More words, such as a count or an error.
    var detail: String?
  }

  /// An action of a page on a watched object; its raw values are part of addresses.
  enum WatchedAction: String, Sendable, CaseIterable {
    case reload
    case retry
    case more
    case cancel
    case undo
    case redo
    case validate

    /// The title of its button.
    var title: String {
      switch self {
      case .reload: "Reload"
      case .retry: "Retry"
      case .more: "Load more"
      case .cancel: "Cancel"
      case .undo: "Undo"
      case .redo: "Redo"
      case .validate: "Validate"
      }
    }

    /// The refusal where the object does not allow it at the moment.
    var refusal: InspectorRefusal {
      InspectorRefusal(
        409, "\(title) is not possible at the moment; look at the object's page again.")
    }
  }

  /// A live object of the process that is shown and held weakly.
  struct WatchedObject: Sendable {
    var id = 0
    var kind: TimelineEntry.Kind
    var name: String
    /// The state in a few words, whose reads are tracked; nil once the object is deallocated.
    var headline: @MainActor @Sendable () -> WatchedHeadline?
    /// Copies the state on the main actor; nil once the object is deallocated.
    ///
    /// The copy is put into words elsewhere, so that values of any size do not delay the main actor.
    var state: @MainActor @Sendable () -> (@Sendable () async -> WatchedState)?
    var actions: [WatchedAction: @MainActor @Sendable () -> Void] = [:]
    /// Whether an action is possible at the moment.
    var isPossible: @MainActor @Sendable (WatchedAction) -> Bool = { _ in true }
    /// Cancels a call under way by the number of its activity; nil if its calls are not listed.
    var cancelCall: (@MainActor @Sendable (Int) -> Bool)?
    /// The flows whose runs' events are its own, too.
    var flows: Set<String> = []
    /// What it is, in one word; the kind of its events if nil.
    var noun: String?
    /// Copies the state of an object with many items, which shows those from an index on.
    var partState: (@MainActor @Sendable (_ from: Int) -> (@Sendable () async -> WatchedState)?)?
    /// Copies the state of an object whose headline has its value, as ``state`` does.
    var valueHeadline: (@MainActor @Sendable () -> (@Sendable () -> WatchedHeadline)?)?

    /// Copies the state on the main actor, as seen from an item on; nil once the object is
    /// deallocated.
    @MainActor
    func stateCopy(from index: Int) -> (@Sendable () async -> WatchedState)? {
      partState?(index) ?? state()
    }

    /// Copies the headline on the main actor; nil once the object is deallocated.
    @MainActor
    func headlineCopy() -> (@Sendable () -> WatchedHeadline)? {
      if let valueHeadline { return valueHeadline() }
      guard let headline = headline() else { return nil }
      return { headline }
    }

    /// Its name on the timeline.
    var identity: String { "\(name) #\(id)" }

    /// What it is, in one word.
    var word: String { noun ?? kind.rawValue }

    /// Whether an action is possible at the moment; none is once the object is deallocated.
    @MainActor
    func allows(_ action: WatchedAction) -> Bool { headline() != nil && isPossible(action) }

    /// The actions that are possible at the moment.
    @MainActor
    var possibleActions: Set<WatchedAction> {
      headline() == nil ? [] : Set(actions.keys.filter(isPossible))
    }

    /// Whether an event of the timeline is one of its own.
    func owns(_ entry: TimelineEntry) -> Bool {
      entry.kind == kind && (entry.source == name || flows.contains(entry.source))
    }
  }
#endif
