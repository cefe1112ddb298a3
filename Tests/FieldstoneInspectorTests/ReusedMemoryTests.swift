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
      // Other tests allocate meanwhile: of many addresses, they leave some.
      var watched = (0..<200).map { _ in made() }
      let addresses = Set(watched.map { ObjectIdentifier($0) })
      for object in watched { desk.inspector.watch(object, as: "Gone") }
      watched = []
      var others: [Integrator<Int, Int>] = []
      var reused: Integrator<Int, Int>?
      while reused == nil, others.count < 100_000 {
        let object = made()
        if addresses.contains(ObjectIdentifier(object)) { reused = object }
        others.append(object)
      }
      let other = try #require(reused)
      #expect(try await other(7) == 7)
      #expect(await desk.get("/timeline").text.contains("No events yet."))
      // The address may be watched again, under another name.
      desk.inspector.watch(other, as: "New")
      _ = try await other(8)
      let page = await desk.page("/timeline", with: ">call succeeded</span>")
      #expect(page.contains("New #201 call") && !page.contains("Gone"))
    }
  }
#endif
