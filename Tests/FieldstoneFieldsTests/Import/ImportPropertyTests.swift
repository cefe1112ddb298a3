import FieldstoneFields
import FieldstoneTesting
import Foundation
import Testing

/// A model with a field of every type that has a transformer, and one of a type that has none.
final class Everything: FieldModel {
  let bool = Field<Bool>("bool")
  let int = Field<Int>("int")
  let int64 = Field<Int64>("int64")
  let double = Field<Double>("double")
  let float = Field<Float>("float")
  let string = Field<String>("string")
  let date = Field<Date>("date")
  let day = Field<Date>("day").transform(with: .date(format: "yyyy-MM-dd"))
  let url = Field<URL>("url")
  let uuid = Field<UUID>("uuid")
  let data = Field<Data>("data")
  let decimal = Field<Decimal>("decimal")
  let surface = Field<Surface>("surface")
  let grade = Field<Grade>("grade")
  let ints = Field<[Int]>("ints")
  let grid = Field<[[Double]]>("grid")
  let surfaces = *Field<Surface>("surfaces")
  let opaque = Field<Opaque>("opaque")

  var fields: [AnyField] {
    [
      bool, int, int64, double, float, string, date, day, url, uuid, data, decimal, surface, grade,
      ints, grid, surfaces, opaque,
    ]
  }

  /// What a field holds, as text that tells values apart; the description of a far date would trap.
  func held(_ field: AnyField) -> String {
    switch field {
    case let field as Field<Date>: "\(field.isKnown) \(field.value?.timeIntervalSince1970 ?? .nan)"
    case let field as Field<Data>: "\(field.isKnown) \(field.value?.base64EncodedString() ?? "-")"
    default: (field as? any Holding)?.heldText ?? "\(field)"
    }
  }

  var held: [String] { fields.map(held) }
}

private protocol Holding {
  var heldText: String { get }
}

extension ReadableField: Holding {
  fileprivate var heldText: String {
    // Not of the phase: describing an enum that has no description is slow.
    value.map { "\($0)" } ?? "\(isKnown)"
  }
}

@Suite("Import holds whatever comes")
struct ImportPropertyTests {
  @Test(
    "Random values never trap: each field takes it, or keeps its own and has an issue",
    arguments: [1, 2, 3] as [UInt64])
  func randomValues(seed: UInt64) throws {
    print("seed \(seed)")
    var json = RandomJSON(seed: seed)
    let model = Everything()
    let fields = model.fields
    var (taken, refused) = (0, 0)
    for _ in 0..<10_000 {
      let value = json.value()
      let field = fields[Int.random(in: 0..<fields.count, using: &json.random)]
      let (before, revision) = (model.held(field), field.revision)
      switch field.importValue(value) {
      case .imported:
        taken += 1
        #expect(field.issues.isEmpty && field.isKnown && field.revision == revision + 1)
        // What was taken can be written, and what is written is taken again as the same.
        let exported = try #require(try field.exportValue())
        let after = model.held(field)
        #expect(field.importValue(exported) == .imported)
        #expect(model.held(field) == after, "\(field.key) \(value)")
        #expect((value == .null) == (exported == .null))
      case .refused(let issue):
        refused += 1
        #expect(field.issues == [issue] && field.revision == revision)
        #expect(model.held(field) == before)
      case .untouched:
        Issue.record("\(field.key) was not touched by \(value)")
      }
    }
    #expect(taken > 1_000 && refused > 1_000)
  }

  @Test("Random text, broken or not, never traps", arguments: [4, 5] as [UInt64])
  func randomText(seed: UInt64) throws {
    print("seed \(seed)")
    var json = RandomJSON(seed: seed)
    let model = Everything()
    let keys = model.fields.map(\.key) + ["unknown"]
    var (read, unreadable) = (0, 0)
    for _ in 0..<Rounds.of(1_000) {
      let text = json.text(keys: keys)
      let (before, revisions) = (model.held, model.fields.map(\.revision))
      do throws(FieldModelError) {
        let report = try model.importJSON(Data(text))
        read += 1
        let refused = Set(report.issues.compactMap(\.path.first))
        #expect(report.imported.count + report.untouched.count + refused.count == 18)
        for (field, before) in zip(model.fields, before)
        where !report.imported.contains(field.key) {
          #expect(model.held(field) == before)
          #expect(!refused.contains(field.key) || !field.issues.isEmpty)
        }
      } catch {
        unreadable += 1
        guard case .unreadable = error else {
          Issue.record(error)
          continue
        }
        #expect(model.held == before && model.fields.map(\.revision) == revisions)
      }
    }
    #expect(read > Rounds.of(100) && unreadable > Rounds.of(100))
  }

  @Test("Random values of every type come back from an export as they were")
  func roundTrip() throws {
    let seed: UInt64 = 6
    print("seed \(seed)")
    var json = RandomJSON(seed: seed)
    let (source, target) = (Everything(), Everything())
    let hasOpaque = { (field: AnyField) in field.key == "opaque" }
    for _ in 0..<500 {
      fill(source, &json.random)
      // Through values, and through text.
      for field in source.fields where !hasOpaque(field) {
        let twin = try #require(target.fields.first { $0.key == field.key })
        #expect(twin.importValue(try field.exportValue()) == .imported)
      }
      #expect(target.held == source.held)
      fill(target, &json.random)
      let report = try target.importJSON(source.exportJSON(nil: .explicit))
      #expect(report.issues.isEmpty && report.unknown.isEmpty)
      #expect(target.held == source.held)
    }
  }

  private func fill(_ model: Everything, _ random: inout SeededGenerator) {
    func number() -> Double {
      let value = Double(bitPattern: random.next())
      return value.isFinite ? value : 0
    }
    model.bool.value = .random(using: &random)
    model.int.value = Int(truncatingIfNeeded: random.next())
    model.int64.value = Int64(bitPattern: random.next())
    model.double.value = number()
    let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    model.float.value = float.isFinite ? float : 1
    model.string.value = RandomJSON.strings.randomElement(using: &random)
    model.date.value = Date(
      timeIntervalSinceReferenceDate: .random(in: -6e10..<2e11, using: &random))
    model.day.value = Date(
      timeIntervalSinceReferenceDate: 86_400
        * Double(Int.random(in: -9_999..<9_999, using: &random)))
    model.url.value = URL(string: "https://a.example/\(random.next())?q=%20#f")
    model.uuid.value = UUID(
      uuidString:
        "E621E1F8-C36C-495A-93FC-\(String(UInt64.random(in: (1 << 44)..<(1 << 48), using: &random), radix: 16))"
    )
    model.data.value = Data(
      (0..<Int.random(in: 0..<9, using: &random)).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      })
    model.decimal.value =
      Decimal(Int64(bitPattern: random.next())) * Decimal(Int64(bitPattern: random.next()))
      / Decimal(sign: .plus, exponent: .random(in: 0..<60, using: &random), significand: 1)
    model.surface.value = Surface.allCases.randomElement(using: &random)
    model.grade.value = Bool.random(using: &random) ? nil : .high
    model.ints.value = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      Int(truncatingIfNeeded: random.next())
    }
    model.grid.value = [[number()], [], [number(), number()]]
    model.surfaces.value = [
      .grass, .grass, Surface.allCases.randomElement(using: &random) ?? .water,
    ]
  }
}
