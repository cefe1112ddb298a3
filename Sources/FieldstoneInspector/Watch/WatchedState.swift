#if INSPECTOR
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
    var state: @MainActor @Sendable () -> (@Sendable () -> WatchedState)?
    var actions: [WatchedAction: @MainActor @Sendable () -> Void] = [:]

    /// Its name on the timeline.
    var identity: String { "\(name) #\(id)" }
  }
#endif
