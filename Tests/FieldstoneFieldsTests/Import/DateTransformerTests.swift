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
    arguments: [
      "2026-02-30", "2026-13-01", "2026-01-01x", "yesterday", "", "26-01-01", "900-01-01", "1-1-1",
    ])
  func formatRefuses(_ text: String) {
    let field = Field<Date>().transform(with: .date(format: "yyyy-MM-dd"))
    field.importValue(.string(text))
    #expect(!field.isKnown)
    #expect(field.issues == [.malformed(expected: "date yyyy-MM-dd", found: .string(text))])
  }

  @Test(
    "A day is its first moment, also where the clocks go forward at midnight",
    arguments: [
      ("Africa/Cairo", "2026-04-24", 1_776_981_600),
      ("America/Santiago", "2026-09-06", 1_788_667_200),
      ("America/Havana", "2026-03-08", 1_772_946_000),
      ("America/Sao_Paulo", "2018-11-04", 1_541_300_400),
      ("Europe/Vienna", "2026-03-29", 1_774_738_800), ("Africa/Cairo", "2026-04-25", 1_777_064_400),
      // Midnight comes twice: the first one.
      ("America/Havana", "2026-11-01", 1_793_505_600),
    ])
  func firstMoment(zone: String, day: String, seconds: Double) throws {
    let zone = try #require(TimeZone(identifier: zone))
    let field = Field<Date>("Day").transform(with: .date(format: "yyyy-MM-dd", timeZone: zone))
    field.importValue(.string(day))
    #expect(field.issues.isEmpty)
    #expect(field.value == Date(timeIntervalSince1970: seconds))
    #expect(try field.exportValue() == .string(day))
    // Any moment of the day is exported as the day.
    field.value = field.value?.addingTimeInterval(22 * 3600)
    #expect(try field.exportValue() == .string(day))
  }

  @Test("Every day of two years is read and written in time zones all over the world")
  func everyDay() throws {
    for identifier in [
      "Africa/Cairo", "America/Havana", "America/Santiago", "Asia/Beirut", "Pacific/Kiritimati",
      "Pacific/Niue", "Atlantic/Azores", "Asia/Kathmandu",
    ] {
      let zone = try #require(TimeZone(identifier: identifier))
      let transformer = FieldTransformer.date(format: "d MMM yyyy", timeZone: zone)
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = zone
      for day in 0..<731 {
        let noon = try #require(
          calendar.date(from: DateComponents(year: 2025, month: 1, day: 1 + day, hour: 12)))
        let text = try transformer.exporting(noon)
        let read = try transformer.importing(text)
        #expect(read == calendar.startOfDay(for: noon), "\(identifier) \(text)")
      }
    }
  }

  @Test("A day that a time zone skipped is malformed, and so is a time that the clocks skip")
  func skipped() throws {
    let samoa = try #require(TimeZone(identifier: "Pacific/Apia"))
    let day = Field<Date>("Day").transform(with: .date(format: "yyyy-MM-dd", timeZone: samoa))
    day.importValue("2011-12-30")
    #expect(day.issues.map(\.code) == ["malformed"])
    day.importValue("2011-12-31")
    #expect(day.issues.isEmpty)
    let vienna = try #require(TimeZone(identifier: "Europe/Vienna"))
    let time = Field<Date>("Time").transform(
      with: .date(format: "yyyy-MM-dd HH:mm", timeZone: vienna))
    time.importValue("2026-03-29 02:30")
    #expect(time.issues.map(\.code) == ["malformed"])
  }

  @Test("Words in quotes are no part of a day, and moments that no calendar has are not written")
  func quoted() throws {
    let vienna = try #require(TimeZone(identifier: "Europe/Vienna"))
    let field = Field<Date>("Day").transform(
      with: .date(format: "'Am' d. M. yyyy", timeZone: vienna))
    field.importValue("Am 29. 3. 2026")
    #expect(field.value == Date(timeIntervalSince1970: 1_774_738_800))
    for seconds in [1e300, -1e300, .nan, .infinity, 1e14, -1e14] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let day = Field<Date>("Day", value: date).transform(with: .date(format: "yyyy-MM-dd"))
      _ = try? day.exportValue()
    }
  }

  @Test(
    "A date that would be read back as another one is not written, in any era",
    arguments: [-1e11, -62_170_156_800, .nan, .infinity, -.infinity, 1e300, -1e300])
  func otherEra(seconds: Double) {
    let transformer = FieldTransformer.date(format: "yyyy-MM-dd")
    #expect(throws: (any Error).self) {
      try transformer.exporting(Date(timeIntervalSince1970: seconds))
    }
  }

  @Test("A year before 1000 is written and read with its zeros")
  func ancient() throws {
    let transformer = FieldTransformer.date(format: "yyyy-MM-dd")
    let coronation = try #require(try transformer.importing("0800-12-25"))
    #expect(try transformer.exporting(coronation) == "0800-12-25")
    let ofEras = FieldTransformer.date(format: "d. M. yyyy G")
    let ides = try #require(try ofEras.importing("15. 3. 0044 BC"))
    #expect(try ofEras.exporting(ides) == "15. 3. 0044 BC")
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
