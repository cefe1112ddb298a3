#if CommandLineTool
  import FieldstoneCommandLine
  import FieldstoneDurable
  import FieldstoneStages

  private enum Order: Stage, Codable {
    case place
    func next() async throws -> Step<Self, Int> { .complete(1) }
  }

  private struct Approval: Codable {
    var by: String
  }

  extension SignalName where Value == Approval {
    fileprivate static var approved: Self { SignalName("approved", example: Approval(by: "Ada")) }
  }

  /// What the article about the command shows; no test calls it, as it ends the process.
  enum OrdersCommand {
    // snippet: own-command
    static func main() async {
      await FieldstoneCommand.main(
        flows: [DurableFlow(Order.self, name: "order")], signals: .approved)
    }
    // end
  }
#endif
