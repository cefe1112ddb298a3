import FieldstoneFields
import FieldstoneTesting
import Foundation
import Testing

@Suite("Dates outside")
struct DateTransformerTests {
  private func read(_ text: String) -> TimeInterval? {
    let field = Field<Date>()
    field.importValue(.string(text))
    return field.value?.timeIntervalSince1970
  }

  @Test(
    "ISO 8601 is read with any offset and any fraction",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2001-01-01T00:00:00Z", 978_307_200),
      ("2026-02-03T10:15:30Z", 1_770_113_730), ("2026-02-03T10:15:30.25Z", 1_770_113_730.25),
      ("2026-02-03T12:15:30+02:00", 1_770_113_730), ("2026-02-03T05:45:30-0430", 1_770_113_730),
      ("2026-02-03t10:15:30z", 1_770_113_730), ("2000-02-29T00:00:00Z", 951_782_400),
      ("1969-12-31T23:59:59Z", -1), ("0000-01-01T00:00:00Z", -62_167_219_200),
      ("9999-12-31T23:59:59Z", 253_402_300_799), ("2016-12-31T23:59:60Z", 1_483_228_800),
      ("1970-01-01T00:00:00.00000000000000000000000001Z", 0),
    ] as [(String, TimeInterval)])
  func reads(_ text: String, _ seconds: TimeInterval) {
    #expect(read(text) == seconds)
  }

  @Test(
    "What names no moment is malformed",
    arguments: [
      "", "2026", "2026-02-03", "2026-02-03T10:15:30", "2026-02-03T10:15Z", "2026-02-30T10:15:30Z",
      "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
      "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
      "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Z ",
      "2026-01-01T00:00:00+2", "2026-01-01T00:00:00+24:00", "2026-01-01 00:00:00Z",
      "+2026-01-01T00:00:00Z", "２０２６-01-01T00:00:00Z",
    ])
  func refuses(_ text: String) {
    #expect(read(text) == nil)
  }

  @Test("ISO 8601 is written in UTC with as few digits as give the moment back")
  func writes() throws {
    let cases: [(TimeInterval, JSONValue)] = [
      (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.500Z"),
      (-0.5, "2000-12-31T23:59:59.500Z"), (700_000_000.123, "2023-03-08T20:26:40.123Z"),
      (700_000_000.123456, "2023-03-08T20:26:40.123456Z"),
      (-63_113_904_000, "0001-01-01T00:00:00Z"),
    ]
    for (seconds, text) in cases {
      let field = Field<Date>(value: Date(timeIntervalSinceReferenceDate: seconds))
      #expect(try field.exportValue() == text)
    }
  }

  @Test("Every moment between the years 0 and 9999 comes back as it was")
  func roundTrip() throws {
    let seed: UInt64 = 8601
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let (source, target) = (Field<Date>(), Field<Date>())
    for _ in 0..<5_000 {
      var seconds = Double.random(in: -63_145_526_400..<252_423_993_600, using: &random)
      if Bool.random(using: &random) { seconds = .random(in: 100..<1_000_000_000, using: &random) }
      source.value = Date(timeIntervalSinceReferenceDate: seconds)
      target.importValue(try source.exportValue())
      #expect(target.value == source.value, "\(seconds)")
    }
  }

  @Test("The calendar agrees with Foundation's, over eight centuries")
  func calendar() throws {
    let style = Date.ISO8601FormatStyle()
    let field = Field<Date>()
    for day in stride(from: -146_097.0, to: 146_097, by: 5) {
      let date = Date(timeIntervalSinceReferenceDate: day * 86_400 + 3_723)
      field.value = date
      if Int(day) % 35 == 0 { #expect(try field.exportValue() == .string(style.format(date))) }
      let before = field.value
      field.importValue(try field.exportValue())
      #expect(field.value == before)
    }
  }

  @Test("A format is read and written in its locale and time zone, by default in English and UTC")
  func format() throws {
    let plain = Field<Date>().transform(with: .date(format: "d MMMM yyyy HH:mm"))
    plain.importValue("3 February 2026 10:15")
    #expect(plain.value?.timeIntervalSince1970 == 1_770_113_700)
    #expect(try plain.exportValue() == "3 February 2026 10:15")
    let zone = try #require(TimeZone(secondsFromGMT: 3600))
    let german = Field<Date>().transform(
      with: .date(
        format: "d. MMMM yyyy HH:mm", locale: Locale(identifier: "de_DE"), timeZone: zone))
    german.importValue("3. Februar 2026 11:15")
    #expect(german.value == plain.value)
    #expect(try german.exportValue() == "3. Februar 2026 11:15")
  }

  @Test(
    "A date that is not in the format, or on no calendar, is malformed",
    arguments: ["2026-02-30", "2026-13-01", "2026-01-01x", "yesterday", ""])
  func formatRefuses(_ text: String) {
    let field = Field<Date>().transform(with: .date(format: "yyyy-MM-dd"))
    field.importValue(.string(text))
    #expect(!field.isKnown)
    #expect(field.issues == [.malformed(expected: "date yyyy-MM-dd", found: .string(text))])
  }

  @Test("One formatter serves fields on many threads")
  func threads() async {
    let transformer = FieldTransformer.date(format: "yyyy-MM-dd")
    await withTaskGroup(of: Bool.self) { group in
      for day in 0..<8 {
        group.addTask {
          (0..<200).allSatisfy { _ in
            let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
            let text = try? transformer.exporting(date)
            return text == .string("2001-01-0\(day + 1)")
              && (text.flatMap { try? transformer.importing($0) }) == date
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
