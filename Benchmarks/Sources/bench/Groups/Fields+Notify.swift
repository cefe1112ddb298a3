import Fieldstone
import Foundation
import Harness
import OpenCombine

/// One event told to so many observers, each of which captures an object of its own.
func notify(_ count: Int, atMost bound: Double) -> Group {
  Group("notify-\(count)", floor: "loop over an array of closures") {
    Case("loop over an array of closures") {
      ClosureList(Tally.closures(count))
    } _: {
      $0.notify()
    }
    Case("fieldstone Multicast", goals: [.atMost(bound), .belowEveryPeer]) {
      MulticastList(Tally.closures(count))
    } _: {
      $0.notify()
    }
    Case("OpenCombine PassthroughSubject") {
      SubjectList(Tally.closures(count))
    } _: {
      $0.notify()
    }
    Case("Foundation NotificationCenter") {
      NotificationList(Tally.all(count))
    } _: {
      $0.notify()
    }
  }
}

/// The same with observers that hold their owner weakly.
func notifyWeak(_ count: Int) -> Group {
  Group("notify-weak-\(count)", floor: "loop over [weak owner] closures") {
    Case("loop over [weak owner] closures") {
      let owners = Tally.all(count)
      return Owned(ClosureList(Tally.weakClosures(owners)), owners: owners)
    } _: {
      $0.list.notify()
    }
    Case("fieldstone Multicast", goals: [.atMost(1)]) {
      let owners = Tally.all(count)
      return Owned(MulticastList(Tally.weakClosures(owners)), owners: owners)
    } _: {
      $0.list.notify()
    }
    Case("fieldstone Field.observe(owner:)", goals: [.atMost(1)]) {
      OwnedField(Tally.all(count))
    } _: {
      $0.set()
    }
    Case("OpenCombine PassthroughSubject") {
      let owners = Tally.all(count)
      return Owned(SubjectList(Tally.weakClosures(owners)), owners: owners)
    } _: {
      $0.list.notify()
    }
  }
}
