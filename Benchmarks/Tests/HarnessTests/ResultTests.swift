import Foundation
import Harness
import Testing

@Suite struct ResultTests {
  @Test(
    "the median is the middle, or the mean of the two middle ones",
    arguments: [([3, 1, 2], 2), ([4, 1, 3, 2], 2.5), ([7], 7)] as [([Double], Double)])
  func median(samples: [Double], expected: Double) {
    #expect(Statistics.median(samples) == expected)
  }

  @Test("the ratio is taken sample by sample, not of the medians")
  func ratio() {
    #expect(Statistics.medianRatio([2, 40, 600], to: [1, 10, 200]) == 3)
    #expect(Statistics.medianRatio([2, 40, 5], to: [1, 100, 5]) == 1)
  }

  @Test("a line of JSON has the five keys and nothing else")
  func json() throws {
    let row = Row(
      group: "g", name: "fieldstone \"x\"", samples: [3, 3, 3], floor: [2, 2, 2], isFloor: false)
    let line = try row.json()
    #expect(
      String(decoding: line, as: UTF8.self)
        == #"{"case":"fieldstone \"x\"","floor":2,"group":"g","nanoseconds":3,"ratio":1.5}"#)
  }

  /// Measures a group whose figures are dictated.
  private func result(goals: [Goal]) async throws -> GroupResult {
    let group = Group("g", floor: "floor") {
      Case.dictated("floor", 10)
      Case.dictated("peer", 30)
      Case.dictated("fieldstone ours", 20, goals: goals)
    }
    return try await Runner().run(group)
  }

  @Test(
    "a goal is met up to its bound and missed beyond it",
    arguments: [
      (.atMost(2), true), (.atMost(1.9), false),
      (.atMostTimes(0.7, of: "peer"), true), (.atMostTimes(0.6, of: "peer"), false),
      (.atMostTimes(100, of: "nobody"), false),
      (.atMostAbsolute(20), true), (.atMostAbsolute(19), false),
      (.belowEveryPeer, true),
    ] as [(Goal, Bool)])
  func goals(goal: Goal, met: Bool) async throws {
    let result = try await result(goals: [goal])
    #expect(result.misses.isEmpty == met)
    #expect(result.table.contains("✓") == met)
    #expect(result.table.contains("✗") == !met)
  }

  @Test("being below every peer needs a peer, and one that is slower")
  func peers() async throws {
    let alone = Group("g", floor: "floor") {
      Case.dictated("floor", 10)
      Case.dictated("fieldstone ours", 5, goals: [.belowEveryPeer])
    }
    #expect(try await Runner().run(alone).misses.count == 1)
    let slower = Group("g", floor: "floor") {
      Case.dictated("floor", 10)
      Case.dictated("peer", 20)
      Case.dictated("fieldstone ours", 20, goals: [.belowEveryPeer])
    }
    #expect(try await Runner().run(slower).misses.count == 1)
  }

  @Test("the table marks the floor and aligns its columns")
  func table() async throws {
    let table = try await result(goals: [.atMost(3)]).table
    #expect(
      table == """
        g
                              ns  ratio  goal
          floor            10.00  floor
          peer             30.00   3.00
          fieldstone ours  20.00   2.00  ✓ ≤ 3.00×
        """)
  }

  @Test(
    "a filter names an area or a part of a group's name",
    arguments: [
      (nil, ["set-1", "get"]), ("fields", ["set-1", "get"]), ("set", ["set-1"]), ("nosuch", []),
    ] as [(String?, [String])])
  func filter(filter: String?, expected: [String]) {
    let area = Area("fields") {
      Group("set-1", floor: "a") { Case("a") {} }
      Group("get", floor: "a") { Case("a") {} }
    }
    #expect(area.groups(matching: filter).map(\.name) == expected)
  }
}

extension Case {
  /// A case whose every sample is the same.
  fileprivate static func dictated(_ name: String, _ figure: Double, goals: [Goal] = []) -> Case {
    Case(name, runs: 1, goals: goals, taking: { _ in figure })
  }
}
