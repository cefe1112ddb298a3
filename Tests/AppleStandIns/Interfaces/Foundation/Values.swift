// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

/// Apple's is a type of its own, which the compiler converts from and to `Double`.
public typealias CGFloat = Double

public struct Date: Hashable, Comparable, Codable, Sendable {
  public static var timeIntervalSinceReferenceDate: TimeInterval { 0 }
  public init() {}
  public init(timeIntervalSinceReferenceDate: TimeInterval) {}
  public init(timeIntervalSince1970: TimeInterval) {}
  public var timeIntervalSince1970: TimeInterval { 0 }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { 0 }
  public static var distantFuture: Date { Date() }
  public static func + (date: Date, interval: TimeInterval) -> Date { date }
  public static func - (date: Date, interval: TimeInterval) -> Date { date }
  public static var distantPast: Date { Date() }
  public var timeIntervalSinceReferenceDate: TimeInterval { 0 }
  public var timeIntervalSinceNow: TimeInterval { 0 }
  public func addingTimeInterval(_ interval: TimeInterval) -> Date { self }
  public static func < (one: Date, other: Date) -> Bool { false }

  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public struct ISO8601FormatStyle: Sendable, FormatStyle {
    public init() {}
    public func format(_ value: Date) -> String { "" }
  }

  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public func formatted<F: FormatStyle>(_ format: F) -> F.FormatOutput
  where F.FormatInput == Date { format.format(self) }

  @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
  public func ISO8601Format(_ style: ISO8601FormatStyle = .init()) -> String { "" }
}

@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
public protocol FormatStyle {
  associatedtype FormatInput
  associatedtype FormatOutput
  func format(_ value: FormatInput) -> FormatOutput
}

public protocol ContiguousBytes {
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}

extension Array: ContiguousBytes where Element == UInt8 {}

public struct Data: Hashable, Codable, Sendable, ContiguousBytes, RandomAccessCollection,
  MutableCollection,
  RangeReplaceableCollection
{
  public init() {}
  public init(count: Int) {}
  public init?(base64Encoded string: String) {}
  public func subdata(in range: Range<Index>) -> Data { self }
  public func base64EncodedString() -> String { "" }
  public init<S: Sequence<UInt8>>(_ elements: S) {}
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public var count: Int {
    get { 0 }
    set {}
  }
  public subscript(index: Int) -> UInt8 {
    get { 0 }
    set {}
  }
  public subscript(bounds: Range<Int>) -> Data {
    get { self }
    set {}
  }
  public mutating func replaceSubrange<C: Collection<UInt8>>(
    _ subrange: Range<Int>, with newElements: C
  ) {}
  public mutating func append(_ other: Data) {}
  public func withUnsafeBytes<ResultType>(
    _ body: (UnsafeRawBufferPointer) throws -> ResultType
  ) rethrows -> ResultType { try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
  public mutating func withUnsafeMutableBytes<ResultType>(
    _ body: (UnsafeMutableRawBufferPointer) throws -> ResultType
  ) rethrows -> ResultType { try body(UnsafeMutableRawBufferPointer(start: nil, count: 0)) }
}

public struct URL: Hashable, Codable, Sendable {
  public enum DirectoryHint: Hashable, Sendable {
    case isDirectory, notDirectory, checkFileSystem, inferFromPath
  }

  public init?(string: String) {}
  public init?(string: String, encodingInvalidCharacters: Bool) {}
  public var absoluteString: String { "" }
  public init(
    filePath path: String, directoryHint: DirectoryHint = .inferFromPath,
    relativeTo base: URL? = nil
  ) {}
  public var absoluteURL: URL { self }
  public var isFileURL: Bool { false }
  public var lastPathComponent: String { "" }
  public func path(percentEncoded: Bool = true) -> String { "" }
  public func host(percentEncoded: Bool = true) -> String? { nil }
  public func appending<S: StringProtocol>(
    path: S, directoryHint: DirectoryHint = .inferFromPath
  ) -> URL { self }
  public mutating func append<S: StringProtocol>(
    path: S, directoryHint: DirectoryHint = .inferFromPath
  ) {}
  public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
    URLResourceValues()
  }
  public mutating func setResourceValues(_ values: URLResourceValues) throws {}
}

public struct URLComponents: Hashable, Sendable {
  public init?(string: String) {}
  public var scheme: String? { nil }
  public var host: String? { nil }
  public var port: Int? { nil }
}

public struct UUID: Hashable, Codable, Sendable {
  public init() {}
  public init?(uuidString string: String) {}
  public var uuidString: String { "" }
}

public struct Locale: Hashable, Codable, Sendable {
  public enum Weekday: String, Codable, Sendable {
    case sunday = "sun"
  }
  public static var autoupdatingCurrent: Locale { current }
  public init(identifier: String) {}
  private init() {}
  public static var current: Locale { Locale() }
  public var decimalSeparator: String? { nil }
  public var groupingSeparator: String? { nil }
}

public struct TimeZone: Hashable, Codable, Sendable {
  public init?(identifier: String) {}
  private init() {}
  public var identifier: String { "" }
  public func secondsFromGMT(for date: Date = Date()) -> Int { 0 }
  public static var gmt: TimeZone { current }
  public static var autoupdatingCurrent: TimeZone { current }
  public static var current: TimeZone { TimeZone() }
}

public struct Calendar: Hashable, Codable, Sendable {
  public enum Component: Sendable {
    case era, year, month, day, hour, minute, second, weekday, weekOfYear, nanosecond
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    case dayOfYear
  }

  public enum Identifier: Sendable {
    case gregorian, iso8601
  }

  public init(identifier: Identifier) {}
  public var identifier: Identifier { .gregorian }
  public static var autoupdatingCurrent: Calendar { current }
  public static var current: Calendar { Calendar(identifier: .gregorian) }
  public var timeZone: TimeZone {
    get { .gmt }
    set {}
  }
  public func date(from components: DateComponents) -> Date? { nil }
  public var firstWeekday: Int {
    get { 1 }
    set {}
  }
  public var minimumDaysInFirstWeek: Int {
    get { 1 }
    set {}
  }
  public func startOfDay(for date: Date) -> Date { date }
  public func component(_ component: Component, from date: Date) -> Int { 0 }
  public func dateComponents(_ components: Set<Component>, from date: Date) -> DateComponents {
    DateComponents()
  }
  public func range(
    of smaller: Component, in larger: Component, for date: Date
  ) -> Range<Int>? { nil }
  public func maximumRange(of component: Component) -> Range<Int>? { nil }
}

public struct DateComponents: Hashable, Codable, Sendable {
  public init() {}
  public var hour: Int? {
    get { nil }
    set {}
  }
}

public struct CharacterSet: Hashable, Sendable {
  public init() {}
  public init(charactersIn string: String) {}
  public func contains(_ member: Unicode.Scalar) -> Bool { false }
  public static var whitespaces: CharacterSet { CharacterSet() }
  public static var whitespacesAndNewlines: CharacterSet { CharacterSet() }
  public static var alphanumerics: CharacterSet { CharacterSet() }
  public static var decimalDigits: CharacterSet { CharacterSet() }
  public static var letters: CharacterSet { CharacterSet() }
}

extension StringProtocol {
  public func trimmingCharacters(in set: CharacterSet) -> String { "" }
  public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data? {
    nil
  }
}

extension String {
  public init(_ cocoaString: NSString) { self = "" }

  public struct Encoding: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let utf8 = Encoding(rawValue: 4)
  }
}

public struct Decimal: Hashable, Comparable, Codable, Sendable {
  public init(_ value: Int64) {}
  public init?(string: String, locale: Locale? = nil) {}
  public var isFinite: Bool { true }
  public static func < (one: Decimal, other: Decimal) -> Bool { false }
}

open class Formatter: NSObject, @unchecked Sendable {}
open class DateFormatter: Formatter, @unchecked Sendable {
  /// In Foundation implicitly unwrapped, as are the locale, the time zone and the format.
  // swift-format-ignore
  open var calendar: Calendar!
  // swift-format-ignore
  open var locale: Locale!
  // swift-format-ignore
  open var timeZone: TimeZone!
  // swift-format-ignore
  open var dateFormat: String!
  open var isLenient = false
  open func date(from string: String) -> Date? { nil }
  open func string(from date: Date) -> String { "" }
}
open class NumberFormatter: Formatter, @unchecked Sendable {}
open class NSString: NSObject, @unchecked Sendable {}
open class NSError: NSObject, Error, @unchecked Sendable {}
open class NSLock: NSObject, @unchecked Sendable {}
open class Thread: NSObject, @unchecked Sendable {
  open class var isMainThread: Bool { false }
  public convenience init(block: @escaping @Sendable () -> Void) { self.init() }
  open var name: String? {
    get { nil }
    set {}
  }
  open var qualityOfService: QualityOfService {
    get { .default }
    set {}
  }
  open func start() {}
}

public let NSLocalizedDescriptionKey = ""
public let NSUnderlyingErrorKey = ""
open class ProcessInfo: NSObject, @unchecked Sendable {
  open class var processInfo: ProcessInfo { ProcessInfo() }
  open var environment: [String: String] { [:] }
  open var processIdentifier: Int32 { 0 }
  open var activeProcessorCount: Int { 1 }
}
open class NSNumber: NSObject, @unchecked Sendable {
  public init(value: Bool) {}
  open var boolValue: Bool { false }
  open var doubleValue: Double { 0 }
}

extension Int64 {
  public init?(exactly number: NSNumber) { return nil }
}

extension UInt64 {
  public init?(exactly number: NSNumber) { return nil }
}
open class NSNull: NSObject, @unchecked Sendable {}

open class FileHandle: NSObject, @unchecked Sendable {
  open class var standardError: FileHandle { FileHandle() }
  open func write(_ data: Data) {}
}
