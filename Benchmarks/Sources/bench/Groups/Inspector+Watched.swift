#if INSPECTOR
  import Fieldstone
  import FieldstoneInspector
  import FieldstoneServing
  import Foundation
  import Harness
  import Synchronization

  /// The longest time that the main actor is held while somebody looks at a watched object.
  ///
  /// The floor is a page that reads nothing of it.
  let mainActorHeld = Group("inspector-main-actor", floor: "the page of keys") {
    held("the page of keys", "/keys", goals: []) { _ in () }
    held("fieldstone, a list of 100,000 items", "/watched/1") { inspector in
      let list = PaginatedList(provider: .value(ItemPage<Entry, Int>([])))
      for page in 0..<2_000 {
        let entries = (page * 50..<page * 50 + 50).map { Entry(id: $0) }
        try list.receive(ItemPage(entries, next: page))
      }
      inspector.watch(list, as: "Entries")
      return list
    }
    held("fieldstone, a form of 500 fields", "/watched/1") { inspector in
      let fields = (0..<500).map { number in
        Field<String>("Field \(number)", value: "Reykjavik").require(.notBlank)
          .require(.length(...40))
      }
      let form = FormModel {
        for field in fields { field }
      }
      _ = await form.validate()
      inspector.watch(form, as: "Form")
      return form
    }
    held("fieldstone, a field of 1,000,000 elements", "/watched/1", field)
    held("fieldstone, that field among all objects", "/watched", field)
  }

  /// An item that is no `Codable`, so that it is read by reflection.
  private struct Entry: Identifiable, Equatable, Sendable {
    var id: Int
    var name = "Reykjavik"
  }

  @MainActor
  private func field(_ inspector: Inspector) -> AnyObject {
    let field = Field<[Entry]>("Entries", value: (0..<1_000_000).map { Entry(id: $0) })
    inspector.watch(field, as: "Entries")
    return field
  }

  private func held(
    _ name: String, _ target: String, goals: [Goal] = [.atMostAbsolute(2_000_000)],
    _ watch: @escaping @MainActor @Sendable (Inspector) async throws -> Any
  ) -> Case {
    Case(
      name, operations: 20, runs: 1, goals: goals,
      taking: { _ in try await longestHold(target, looks: 20, watch) })
  }

  /// The sum over some looks of the longest time between two turns of the main actor.
  @MainActor
  private func longestHold(
    _ target: String, looks: Int, _ watch: @MainActor @Sendable (Inspector) async throws -> Any
  ) async throws -> Double {
    var options = InspectorOptions()
    options.allowsReleaseBuilds = true
    options.token = nil
    let inspector = Inspector(name: "bench", options: options)
    let watched = try await watch(inspector)
    var sum = Duration.zero
    for _ in 0..<looks {
      let look = Look()
      Task { @concurrent in await look.take(inspector, target) }
      var (last, longest) = (ContinuousClock.now, Duration.zero)
      while look.status == 0 {
        await Task.yield()
        let now = ContinuousClock.now
        longest = max(longest, now - last)
        last = now
      }
      guard look.status == 200 else { throw CocoaError(.fileReadUnknown) }
      sum += longest
    }
    blackHole(watched)
    return sum / .nanoseconds(1)
  }

  /// One look at a page.
  private final class Look: Sendable {
    private let answer = Atomic(0)

    /// The status of the answer; zero before it.
    var status: Int { answer.load(ordering: .acquiring) }

    @concurrent
    func take(_ inspector: Inspector, _ target: String) async {
      let response = await inspector.response(
        to: SiteRequest(target: target, headers: ["host": "localhost"]))
      answer.store(response.status, ordering: .releasing)
    }
  }

  /// Objects that are watched beside the same that are not: what one costs after a load of 1 ms,
  /// and alone.
  let watchedObjects = [
    watchedObject("list-more", { endlessList($0) }) { list in
      _ = try await list.loadMore().value
    } watch: {
      $0.watch($1, as: "Entries")
    },
    watchedObject("field-set", { Loaded.field($0) }) { state in
      try await state.load()
      state.object.value = (state.object.value ?? 0) + 1
    } watch: {
      $0.watch($1.object, as: "Number")
    },
    watchedObject("form-text", { Loaded.form($0) }) { state in
      try await state.load()
      let field = state.object.fields[50]
      field.text = field.text == "Oslo" ? "Bergen" : "Oslo"
    } watch: {
      $0.watch($1.object, as: "Form")
    },
  ]

  private func watchedObject<State>(
    _ name: String, _ make: @escaping @MainActor (Duration?) -> State,
    _ body: @escaping @MainActor (State) async throws -> Void,
    watch: @escaping @MainActor (Inspector, State) -> Void
  ) -> Group {
    func measured(_ name: String, _ time: Duration?, isWatched: Bool, goals: [Goal] = []) -> Case {
      .onMainActor(name, operations: 20, goals: goals) {
        let (state, inspector) = (make(time), Inspector(name: "bench"))
        if isWatched { watch(inspector, state) }
        return (state, inspector)
      } _: { state in
        for _ in 0..<20 { try await body(state.0) }
      }
    }
    return Group("inspector-watched-\(name)", floor: "not watched, 1 ms") {
      measured("not watched, 1 ms", .milliseconds(1), isWatched: false)
      measured(
        "fieldstone, watched, 1 ms", .milliseconds(1), isWatched: true, goals: [.atMost(1.05)])
      measured("not watched, at once", nil, isWatched: false)
      measured("fieldstone, watched, at once", nil, isWatched: true)
    }
  }

  /// An object with the load whose value it takes.
  @MainActor
  private struct Loaded<Object> {
    let object: Object
    let time: Duration?

    func load() async throws {
      if let time { try await Task.sleep(for: time) }
    }
  }

  extension Loaded where Object == Field<Int> {
    static func field(_ time: Duration?) -> Self {
      Loaded(object: Field<Int>("Number", value: 0), time: time)
    }
  }

  extension Loaded where Object == FormModel {
    static func form(_ time: Duration?) -> Self {
      let fields = (0..<100).map { Field<String>("Field \($0)").require(.notBlank) }
      let form = FormModel {
        for field in fields { field }
      }
      return Loaded(object: form, time: time)
    }
  }

  /// A list without an end, of pages of 50 items.
  @MainActor
  private func endlessList(_ time: Duration?) -> PaginatedList<Entry, Int> {
    PaginatedList(
      provider: ClosureProvider { (request: PageRequest<Int>) in
        if let time { try await Task.sleep(for: time) }
        let start = request.cursor ?? 0
        return ItemPage((start..<start + 50).map { Entry(id: $0) }, next: start + 50)
      })
  }
#endif
