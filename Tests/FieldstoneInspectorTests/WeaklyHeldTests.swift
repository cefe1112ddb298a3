#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneFields
  import FieldstoneForms
  import FieldstoneInspector
  import FieldstoneLoading
  import FieldstoneScreens
  import FieldstoneServing
  import FieldstoneStorage
  import Foundation
  import Testing

  @MainActor
  @Suite("What an inspector watches")
  struct WeaklyHeldTests {
    private let desk = LiveDesk()

    enum Kind: String, Sendable, CaseIterable {
      case call
      case list
      case screen
      case form
      case field
      case operation
      case store
      case runner
      case journal
    }

    /// A weak reference to an object of any type.
    private final class Reference {
      weak var object: AnyObject?

      init(_ object: AnyObject) {
        self.object = object
      }
    }

    /// Watches an object that nothing else holds.
    private func watch(_ kind: Kind) throws -> Reference {
      func watched<Object: AnyObject>(
        _ object: Object, _ watch: @MainActor (Object) -> Void
      ) -> Reference {
        watch(object)
        return Reference(object)
      }
      let (inspector, name) = (desk.inspector, "It")
      return switch kind {
      case .call:
        watched(Integrator(provider: ClosureProvider { (number: Int) in number })) {
          inspector.watch($0, as: name)
        }
      case .list:
        watched(
          PaginatedList(
            provider: ClosureProvider { (_: PageRequest<Int>) in ItemPage([Account]()) })
        ) { inspector.watch($0, as: name) }
      case .screen: watched(ScreenModel { throw Refused() }) { inspector.watch($0, as: name) }
      case .form:
        watched(FormModel { Field<String>("Name") }) { inspector.watch($0, as: name) }
      case .field: watched(Field<String>("Name")) { inspector.watch($0, as: name) }
      case .operation:
        watched(StatefulBlockOperation { 6 * 7 }) { inspector.watch($0, as: name) }
      case .store:
        watched(
          FileStore<[Int]>(
            at: FileManager.default.temporaryDirectory.appending(path: "held-\(UUID()).json"))
        ) { inspector.watch($0, as: name) }
      case .runner:
        watched(try DurableRunner(journal: InMemoryJournal(), flows: [])) {
          inspector.watch($0, as: name)
        }
      case .journal: watched(InMemoryJournal()) { inspector.watch($0, as: name) }
      }
    }

    @Test("It is held weakly, and its page says that it is released", arguments: Kind.allCases)
    func isReleased(kind: Kind) async throws {
      let reference = try watch(kind)
      // A page that shows it does not keep it, either.
      _ = await desk.get("/watched/1")
      #expect(reference.object == nil)
      let page = await desk.get("/watched/1")
      #expect(page.status == 200 && page.text.contains("The \(kind.rawValue) is released."))
      #expect(await desk.get("/watched").text.contains(">released</span>"))
    }
  }
#endif
