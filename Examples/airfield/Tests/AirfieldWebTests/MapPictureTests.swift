import AirfieldTestSupport
import Foundation
import Testing

@testable import AirfieldApp

@MainActor
@Suite("The picture of a map", .timeLimit(.minutes(10)))
struct MapPictureTests {
  private func site() async throws -> TestSite {
    var vienna = Samples.airport("LOWW", name: "Vienna", country: "AT")
    (vienna.latitude, vienna.longitude) = (48.11, 16.57)
    var suva = Samples.airport("NFNA", name: "Suva", country: "FJ")
    (suva.latitude, suva.longitude) = (-18.04, 178.56)
    return try await TestSite([vienna, suva])
  }

  private func box(_ picture: String) -> [Double] {
    let start = picture.range(of: "viewBox=\"")?.upperBound ?? picture.startIndex
    return picture[start...].prefix { $0 != "\"" }.split(separator: " ").compactMap { Double($0) }
  }

  @Test("has the whole world for all airports, and what was found for a search")
  func boxes() async throws {
    let site = try await site()
    #expect(box(await site.page("/map.svg")) == [0, 0, 720, 360])
    let found = box(await site.page("/map.svg?q=vienna"))
    #expect(found.count == 4 && found[2] < 100 && found[2] == 2 * found[3])
    let (x, y) = ((16.57 + 180) * 2, (90 - 48.11) * 2)
    #expect((found[0]...(found[0] + found[2])).contains(x))
    #expect((found[1]...(found[1] + found[3])).contains(y))
    #expect(box(await site.page("/map.svg?q=zzz")) == [0, 0, 720, 360])
    // At the edge of the world the picture stays within it.
    let edge = box(await site.page("/map.svg?q=suva"))
    #expect(edge.count == 4 && edge[0] + edge[2] <= 720)
  }

  @Test("has coastlines, fewer where less is seen, and marks the middle of an area")
  func coasts() async throws {
    let site = try await site()
    let world = await site.page("/map.svg")
    let part = await site.page("/map.svg?area=10,45,20,50")
    #expect(world.count > 20_000)
    #expect(part.count < world.count / 2)
    #expect(part.contains("<circle"))
    #expect(!world.contains("<circle"))
    #expect(box(part).count == 4 && box(part)[2] == 20)
    for area in ["0,0,0,0", "180,90,180,90", "-180,-90,-180,-90"] {
      #expect(await site.page("/map.svg?area=" + area).hasSuffix("</svg>"))
    }
  }

  /// The picture of what lies around an airport, at a place with another one three degrees away.
  private func around(_ north: Double, _ east: Double, other: (Double, Double)) async throws
    -> String
  {
    var (first, second) = (Samples.airport("AAAA", name: "A"), Samples.airport("BBBB", name: "B"))
    (first.latitude, first.longitude) = (north, east)
    (second.latitude, second.longitude) = other
    let site = try await TestSite([first, second])
    let page = await site.page("/airports/AAAA")
    let address = try #require(page.firstMatch(of: /src="(\/map.svg[^"]*)"/)?.output.1)
    return await site.page(String(address.replacing("&amp;", with: "&")))
  }

  @Test(
    "has an airport in the middle and those around it, beyond the date line and at a pole too",
    arguments: [
      (-17.76, 177.44, -17.76, -179.8), (-16.5, -179.9, -16.4, 177.4), (88, 0, 86, 0),
      (-90, 180, -87, 180), (90, -180, 87, -180), (48, 16, 50, 14),
    ])
  func edges(_ north: Double, _ east: Double, _ otherNorth: Double, _ otherEast: Double)
    async throws
  {
    let picture = try await around(north, east, other: (otherNorth, otherEast))
    let box = box(picture)
    try #require(box.count == 4)
    #expect(box[2] == 32 && box[3] == 16)
    let mark = try #require(picture.firstMatch(of: /cx="([^"]*)" cy="([^"]*)"/)?.output)
    let (x, y) = (try #require(Double(mark.1)), try #require(Double(mark.2)))
    #expect(abs(x - box[0] - 16) < 0.01 && abs(y - box[1] - 8) < 0.01)
    #expect(abs(x - 2 * (east + 180)) < 0.01 && abs(y - 2 * (90 - north)) < 0.01)
    let dots = picture.matches(of: /M(-?[\d.]+) (-?[\d.]+)h0/).compactMap {
      Double($0.output.1).map { $0 - box[0] }
    }
    #expect(dots.count == 2 && dots.allSatisfy { (0...32).contains($0) }, "\(dots)")
  }

  @Test(
    "has a width and a height, whatever area it is asked for",
    arguments: [
      "0,0,0,0", "180,90,180,90", "170,-90,1e300,90", "-1e9,-1e9,-1e8,-1e8", "999,0,999,0",
    ])
  func sizes(_ area: String) async throws {
    let box = box(await (try site()).page("/map.svg?area=" + area))
    #expect(box.count == 4 && box[2] >= 1 && box[2] <= 720 && box[3] == box[2] / 2, "\(box)")
  }

  @Test("comes with the coastlines that a script draws")
  func file() async throws {
    let text = await (try site()).page("/coastlines.txt")
    #expect(text.hasPrefix("#"))
    #expect(Coastlines.lines.count > 500)
    for line in Coastlines.lines {
      #expect(line.count > 1)
      #expect(line.allSatisfy { abs($0.longitude) <= 180 && abs($0.latitude) <= 90 })
    }
  }
}
