import AirfieldTestSupport
import Testing

@testable import AirfieldApp

@Suite("A file that is cut into parts")
struct ImportCutTests {
  /// Where the import comes to stand between its batches, by a reader that gives records.
  private static func ends(of bytes: [UInt8], batch: Int) throws -> [CSVPosition] {
    var place = CSVPosition.start
    var ends: [CSVPosition] = []
    while place.offset < bytes.count {
      var reader = CSVReader(from: place)
      var offset = place.offset
      repeat {
        let chunk = Array(bytes[offset..<min(bytes.count, offset + batch)])
        offset += chunk.count
        _ = try reader.feed(chunk)
        if offset == bytes.count { _ = try reader.finish() }
      } while reader.position.offset == place.offset
      place = reader.position
      ends.append(place)
    }
    return ends
  }

  private static func cuts(
    of bytes: [UInt8], batch: Int, perPart: Int, _ random: inout RandomSource
  ) throws -> [CSVPosition] {
    var cuts = ImportCuts(
      size: bytes.count, separator: .comma, batchesPerPart: perPart, batchSize: batch)
    var rest = bytes[...]
    while !rest.isEmpty {
      let chunk = rest.prefix(Int.random(in: 1...40, using: &random))
      try cuts.take(Array(chunk))
      rest = rest.dropFirst(chunk.count)
    }
    return cuts.places
  }

  @Test("is cut where batches end, whatever is in it, and however it is read")
  func places() throws {
    var random = RandomSource.fresh()
    let alphabet: [UInt8] = Array("\"\"\",,\n\n\r\r\r\n abcdef".utf8)
    for _ in 0..<1_000 {
      let start: [UInt8] = Bool.random(using: &random) ? [0xEF, 0xBB, 0xBF] : []
      let bytes =
        start
        + (0..<Int.random(in: 0...300, using: &random)).map { _ in
          alphabet.randomElement(using: &random) ?? 0
        }
      let (batch, perPart) = (
        Int.random(in: 4...30, using: &random), Int.random(in: 1...4, using: &random)
      )
      let ends = try Self.ends(of: bytes, batch: batch).dropLast()
      let expected = stride(from: perPart, through: ends.count, by: perPart).map { ends[$0 - 1] }
      let places = try Self.cuts(of: bytes, batch: batch, perPart: perPart, &random)
      try #require(places == expected, "seed \(random.seed): \(bytes)")
    }
  }

  @Test("has larger parts where there would be too many, none of them lost")
  func most() throws {
    var random = RandomSource(seed: 1)
    let bytes = Array(String(repeating: "a,b\n", count: 10 * ImportCuts.mostParts).utf8)
    let places = try Self.cuts(of: bytes, batch: 8, perPart: 2, &random)
    // 1,280 parts of four records, halved twice.
    #expect(places.count == bytes.count / 64 - 1)
    #expect(places.map(\.offset) == places.indices.map { ($0 + 1) * 64 })
    #expect(places.map(\.records) == places.indices.map { ($0 + 1) * 16 })
  }
}
