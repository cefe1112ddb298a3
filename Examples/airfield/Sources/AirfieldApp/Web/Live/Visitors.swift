import Fieldstone
import Foundation

/// The visitors that are remembered: not more than a limit, and none that has long been gone.
@MainActor
final class Visitors {
  private var visitors: [String: Visitor] = [:]
  private let limits: RequestLimits
  private let time: TimeSource

  init(limits: RequestLimits, time: TimeSource) {
    self.limits = limits
    self.time = time
  }

  var count: Int { visitors.count }

  var streamCount: Int { visitors.values.reduce(0) { $0 + $1.streams } }

  /// How many of their posts wait for one before them.
  var waitingCount: Int { visitors.values.reduce(0) { $0 + $1.turns.waitingCount } }

  /// The visitor who says so, where it is remembered.
  func visitor(_ id: String?) -> Visitor? {
    guard let id, let visitor = visitors[id] else { return nil }
    visitor.lastSeen = time.uptime
    return visitor
  }

  /// A new visitor, with nothing to lose yet; nil where there are too many, all of them connected.
  func add(_ content: Visitor.Content) -> Visitor? {
    if visitors.count >= limits.visitors {
      forgetGone()
      if visitors.count >= limits.visitors { forgetLongestAbsent() }
      guard visitors.count < limits.visitors else { return nil }
    }
    let visitor = Visitor(content: content, patience: limits.absence, at: time.uptime)
    visitors[visitor.id] = visitor
    return visitor
  }

  /// Forgets a visitor who needs nothing any more, unless it is connected.
  func forget(_ visitor: Visitor) {
    if visitor.streams == 0 { visitors[visitor.id] = nil }
  }

  func forgetGone() {
    let now = time.uptime
    visitors = visitors.filter { !$0.value.isGone(at: now) }
  }

  /// Forgets who has been away longest, of those with the least to lose.
  private func forgetLongestAbsent() {
    let absent = visitors.values.filter { $0.streams == 0 }
    guard
      let visitor = absent.min(by: { ($0.patience, $0.lastSeen) < ($1.patience, $1.lastSeen) })
    else { return }
    visitors[visitor.id] = nil
  }
}

/// One tab of a browser, with the view models that live for it.
@MainActor
final class Visitor {
  enum Content {
    case directory(DirectoryScreen)
    case airport(AirportScreen)
    case edit(AirportEditScreen)
    case importing(ImportScreen)
    case nightly(NightlyScreen)
    case other
  }

  /// Who it is: nobody can guess it, so whoever knows it is this tab.
  let id = (0..<2).map { _ in String(format: "%016lx", UInt64.random(in: 0 ... .max)) }.joined()
  let content: Content

  /// How long it is remembered while nobody is connected: longer where it has something to lose.
  private(set) var patience: Duration
  private var isSettled = false

  /// When it was heard of last, by the time since boot.
  var lastSeen: Duration

  /// How many streams of events it has open.
  var streams = 0

  /// Whose turn it is to change what it edits: a double click posts twice at once.
  let turns = Turns()

  init(content: Content, patience: Duration, at uptime: Duration) {
    self.content = content
    self.patience = patience
    lastSeen = uptime
  }

  /// Somebody is at it, who may have something to lose: it is remembered for as long as this.
  func keep(for patience: Duration) { if !isSettled { self.patience = patience } }

  /// Has nothing more to lose: it is remembered no longer than this.
  func settle(for patience: Duration) { (isSettled, self.patience) = (true, patience) }

  /// Whether it may be forgotten.
  func isGone(at uptime: Duration) -> Bool {
    streams == 0 && uptime >= lastSeen + patience
  }
}
