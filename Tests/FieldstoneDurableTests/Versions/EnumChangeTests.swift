import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

/// The table of the article on changing a flow, each row tried.
@Suite("Changes of a stage's type")
struct EnumChangeTests {
  /// The rows of the table in the article, but for its head.
  private func articleRows() throws -> [[String]] {
    let article = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Sources/FieldstoneDurable/FieldstoneDurable.docc/ChangingAFlow.md")
    let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
    let table = lines.drop { !$0.hasPrefix("| the change |") }.dropFirst(2)
      .prefix { $0.hasPrefix("|") }
    return table.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test("The article has a row for each change, and says what becomes of stages")
  func table() throws {
    let rows = try articleRows()
    #expect(rows.map(\.first) == EnumChange.all.map(\.row))
    for (row, change) in zip(rows, EnumChange.all) {
      try #require(row.count == 4, "\(row)")
      for (cell, verdict) in [(row[1], change.forward), (row[2], change.back)] {
        let word = String(cell.prefix { $0.isLetter })
        #expect(word == verdict.rawValue, "\(change.row): \(cell), and it is \(verdict)")
      }
      #expect(!row[3].isEmpty)
    }
  }

  @Test("What is read may mean something else")
  func otherMeaning() throws {
    func read<Stage: Decodable>(_ before: some Encodable, as type: Stage.Type) throws -> Stage {
      try StageJSON.value(type, from: try StageJSON.data(of: before))
    }
    #expect(
      try read(Moves.Unlabelled.move(1, 2), as: Moves.UnlabelledSwapped.self) == .move(1, 2))
    #expect(try read(Moves.Labelled.move(x: 1, y: 2), as: Moves.Swapped.self) == .move(y: 2, x: 1))
    #expect(
      try read(Pays.WithCurrency.pay(amount: 3, currency: "ISK"), as: Pays.Plain.self)
        == .pay(amount: 3))
    #expect(
      try read(Pays.Plain.pay(amount: 3), as: Pays.Optional.self) == .pay(amount: 3, note: nil))
    #expect(try read(Pays.Plain.pay(amount: 3), as: Pays.Fraction.self) == .pay(amount: 3))
    #expect(try read(["b", "b"], as: Set<String>.self) == ["b"])
  }

  @Test("A case or a label that keeps its old name in JSON has not changed")
  func keptNames() throws {
    // snippet: versions-names
    enum Delivery: Codable, Equatable {
      case send(recipient: String)

      enum CodingKeys: String, CodingKey { case send = "ship" }
      enum SendCodingKeys: String, CodingKey { case recipient = "to" }
    }
    // end
    let old = Data(#"{"ship":{"to":"Ada"}}"#.utf8)
    #expect(try StageJSON.value(Delivery.self, from: old) == .send(recipient: "Ada"))
    #expect(try StageJSON.data(of: Delivery.send(recipient: "Ada")) == old)
  }

  @Test("A struct of its own can have a default for what older stages lack")
  func defaults() throws {
    // snippet: versions-defaults
    struct Address: Codable, Equatable {
      var street: String
      var country: String

      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        street = try values.decode(String.self, forKey: .street)
        country = try values.decodeIfPresent(String.self, forKey: .country) ?? "IS"
      }
    }
    // end
    let address = try StageJSON.value(Address.self, from: Data(#"{"street":"Aðalgata"}"#.utf8))
    #expect(address.country == "IS" && address.street == "Aðalgata")
  }
}
