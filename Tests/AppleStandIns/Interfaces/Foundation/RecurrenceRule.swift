// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// As Foundation declares it from its systems of 2024 on; what came in their second versions says so.

extension Calendar {
  public enum MatchingPolicy: Hashable, Codable, Sendable {
    case nextTime, nextTimePreservingSmallerComponents, previousTimePreservingSmallerComponents
    case strict
  }

  public enum RepeatedTimePolicy: Hashable, Codable, Sendable {
    case first, last
  }

  public func date(
    byAdding component: Component, value: Int, to date: Date, wrappingComponents: Bool = false
  ) -> Date? { nil }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  public struct RecurrenceRule: Sendable, Equatable, Codable {
    public enum Frequency: Int, Sendable, Codable {
      case minutely = 1
      case hourly, daily, weekly, monthly, yearly
    }

    public struct End: Sendable, Equatable, Codable {
      public static var never: Self { Self() }
      public static func afterDate(_ date: Date) -> Self { Self() }
      public static func afterOccurrences(_ count: Int) -> Self { Self() }

      @available(macOS 15.2, iOS 18.2, tvOS 18.2, watchOS 11.2, visionOS 2.2, *)
      public var occurrences: Int? { nil }
      @available(macOS 15.2, iOS 18.2, tvOS 18.2, watchOS 11.2, visionOS 2.2, *)
      public var date: Date? { nil }
    }

    public struct Month: Hashable, Codable, Sendable {
      public var index: Int
    }

    public enum Weekday: Hashable, Codable, Sendable {
      case every(Locale.Weekday)
      case nth(Int, Locale.Weekday)
    }

    public var calendar: Calendar
    public var matchingPolicy: MatchingPolicy { .strict }
    public var frequency: Frequency
    public var interval: Int
    public var end: End
    public var seconds: [Int] { [] }
    public var minutes: [Int] { [] }
    public var hours: [Int] { [] }
    public var weekdays: [Weekday] { [] }
    public var daysOfTheMonth: [Int] { [] }
    public var daysOfTheYear: [Int] { [] }
    public var weeks: [Int] { [] }
    public var months: [Month] { [] }

    public init(
      calendar: Calendar, frequency: Frequency, interval: Int = 1, end: End = .never,
      matchingPolicy: MatchingPolicy = .nextTimePreservingSmallerComponents,
      repeatedTimePolicy: RepeatedTimePolicy = .first
    ) {
      (self.calendar, self.frequency, self.interval, self.end) = (
        calendar, frequency, interval, end
      )
    }

    public func recurrences(
      of start: Date, in range: Range<Date>? = nil
    ) -> some (Sequence<Date> & Sendable) { [Date]() }
  }
}
