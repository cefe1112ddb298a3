public import Foundation

/// The progress of a run's work, as its stage last reported it.
///
/// It stays until the next report, even if the run continues with another stage or is over.
public struct RunProgress: Sendable, Hashable, Codable {
  /// The completed fraction of the work, from 0 to 1; stored to a billionth.
  public var fraction: Double
  /// The stage's description of its progress.
  public var text: String?
  /// The number of the stage that reported it.
  public var sequence: Int
  /// When it was reported, by the journal's clock.
  public var reportedAt: Date

  /// Makes a progress; the fraction is clamped to 0…1, and NaN counts as 0.
  public init(_ fraction: Double, text: String? = nil, sequence: Int, reportedAt: Date) {
    self.fraction = Self.clamped(fraction)
    self.text = text
    self.sequence = sequence
    self.reportedAt = reportedAt
  }

  /// The fraction as it is stored and shown: it may have been set, or decoded, to any number.
  package var clampedFraction: Double { Self.clamped(fraction) }

  private static func clamped(_ fraction: Double) -> Double { fraction > 0 ? min(fraction, 1) : 0 }
}

/// A line that a stage has logged, or the runner about an attempt at it.
public struct RunLogLine: Sendable, Hashable, Codable {
  /// The place of a line among those of its run.
  public struct Place: Sendable, Hashable, Codable, Comparable {
    /// The fence of the claim under which it was logged.
    public var fence: Int
    /// Its number among the lines of this claim, from 1.
    ///
    /// Dropped lines have numbers too: a gap shows how many are missing.
    public var number: Int

    /// Makes a place.
    public init(fence: Int, number: Int) {
      self.fence = fence
      self.number = number
    }

    /// Whether a line was logged before another of the same run.
    public static func < (left: Self, right: Self) -> Bool {
      (left.fence, left.number) < (right.fence, right.number)
    }
  }

  /// Its place among the lines of the run.
  public var place: Place
  /// The text, truncated if it was too long.
  public var text: String
  /// The number of the stage that logged it.
  public var sequence: Int
  /// When it was logged, by the journal's clock.
  public var loggedAt: Date
  /// Whether the runner has logged it: how an attempt failed, that one follows a crash, or that a
  /// worker was refused.
  public var isOfRunner: Bool

  /// Makes a line.
  public init(
    place: Place, text: String, sequence: Int, loggedAt: Date, isOfRunner: Bool = false
  ) {
    self.place = place
    self.text = text
    self.sequence = sequence
    self.loggedAt = loggedAt
    self.isOfRunner = isOfRunner
  }
}

/// The reports of a run's stages: the progress, and log lines in their order.
public struct RunReport: Sendable, Hashable, Codable {
  /// The progress; nil if none was reported.
  public var progress: RunProgress?
  /// The lines, oldest first.
  public var lines: [RunLogLine]
  /// What its reader already has, for ``missingLines(before:)``.
  package var delivered = DeliveredNumbers()

  private enum CodingKeys: CodingKey { case progress, lines }

  /// Makes a report.
  public init(progress: RunProgress? = nil, lines: [RunLogLine] = []) {
    self.progress = progress
    self.lines = lines
  }

  /// The number of lines that are missing directly before one of ``lines``: dropped or deleted.
  ///
  /// Before the first line of a claim it counts only lines of this claim. In ``RunReports`` a
  /// missing line may still arrive, in one of the next elements.
  ///
  /// - Parameter index: the index in ``lines``; the result is 0 for an invalid index.
  public func missingLines(before index: Int) -> Int {
    guard lines.indices.contains(index) else { return 0 }
    let place = lines[index].place
    let before = index > 0 ? lines[index - 1].place : nil
    let last = before?.fence == place.fence ? before?.number ?? 0 : 0
    return max(0, place.number - max(last, delivered.numbers[place.fence] ?? 0) - 1)
  }
}

/// The largest numbers of the lines that the reader of a stream has had, by their fences.
///
/// No part of a report's value: all are equal.
package struct DeliveredNumbers: Sendable, Hashable {
  package var numbers: [Int: Int] = [:]

  package init() {}

  package static func == (left: Self, right: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}
