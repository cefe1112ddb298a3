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
