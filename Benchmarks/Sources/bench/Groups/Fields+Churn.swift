import Fieldstone
import Foundation
import Harness
import OpenCombine

/// One observer that comes and goes while so many others stay.
func churn(_ count: Int) -> Group {
  Group("churn-\(count)", floor: "dictionary insert and remove") {
    Case("dictionary insert and remove") {
      ClosureTable(Tally.closures(count))
    } _: {
      $0.churn()
    }
    Case(
      "fieldstone Multicast",
      goals: count > 10 ? [.atMost(2.5), .atMostTimes(1.25, of: few)] : [.atMost(2.5)]
    ) {
      MulticastList(Tally.closures(count))
    } _: {
      $0.churn()
    }
    if count > 10 {
      Case(few) {
        MulticastList(Tally.closures(10))
      } _: {
        $0.churn()
      }
    }
    Case("OpenCombine PassthroughSubject") {
      SubjectList(Tally.closures(count))
    } _: {
      $0.churn()
    }
    Case("Foundation NotificationCenter") {
      NotificationList(Tally.all(count))
    } _: {
      $0.churn()
    }
  }
}

/// What shows that the number of those who stay does not matter.
private let few = "fieldstone Multicast, 10 live"
