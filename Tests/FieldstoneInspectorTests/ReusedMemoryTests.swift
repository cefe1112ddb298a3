#if INSPECTOR
  import FieldstoneCore
  import FieldstoneInspector
  import FieldstoneLoading
  import FieldstoneServing
  import Testing

  /// The allocator of the address sanitizer does not use addresses again, so its lane leaves this
  /// suite out by its name.
  @MainActor
  @Suite("Memory that watched objects have left")
  struct ReusedMemoryTests {
    private let desk = LiveDesk()

    @Test("An object at the address of a released one is not logged under its name")
    func reusedAddress() async throws {
      func made() -> Integrator<Int, Int> {
        Integrator(
          provider: ClosureProvider { (number: Int) in number }, errorHandlers: ErrorHandlers())
      }
      var watched: Integrator<Int, Int>? = made()
      let address = watched.map { ObjectIdentifier($0) }
      if let watched { desk.inspector.watch(watched, as: "Gone") }
      watched = nil
      var others: [Integrator<Int, Int>] = []
      while others.last.map({ ObjectIdentifier($0) }) != address, others.count < 10_000 {
        others.append(made())
      }
      let other = try #require(others.last)
      try #require(ObjectIdentifier(other) == address)
      #expect(try await other(7) == 7)
      #expect(await desk.get("/timeline").text.contains("No events yet."))
      // The address may be watched again, under another name.
      desk.inspector.watch(other, as: "New")
      _ = try await other(8)
      let page = await desk.page("/timeline", with: ">call succeeded</span>")
      #expect(page.contains("New #2 call") && !page.contains("Gone"))
    }
  }
#endif
