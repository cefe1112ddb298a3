// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// What our declarations name of Foundation, for the check `platforms`.

@_exported public import Darwin
@_exported public import Dispatch
@_exported public import ObjectiveC

public typealias TimeInterval = Double

// MARK: Errors

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
  var helpAnchor: String? { get }
}

extension LocalizedError {
  public var errorDescription: String? { nil }
  public var failureReason: String? { nil }
  public var recoverySuggestion: String? { nil }
  public var helpAnchor: String? { nil }
}

public protocol CustomNSError: Error {
  static var errorDomain: String { get }
  var errorCode: Int { get }
  var errorUserInfo: [String: Any] { get }
}

extension CustomNSError {
  public static var errorDomain: String { "" }
  public var errorCode: Int { 0 }
  public var errorUserInfo: [String: Any] { [:] }
}

extension Error {
  public var localizedDescription: String { "" }
}

public struct URLError: Error {}

// MARK: Values

/// Apple's is a type of its own, which the compiler converts from and to `Double`.
public typealias CGFloat = Double

public struct Date: Hashable, Comparable, Codable, Sendable {
  public init() {}
  public init(timeIntervalSinceReferenceDate: TimeInterval) {}
  public static var distantPast: Date { Date() }
  public static func < (one: Date, other: Date) -> Bool { false }
}

public struct Data: Hashable, Codable, Sendable {
  public init() {}
  public init<S: Sequence<UInt8>>(_ elements: S) {}
}

public struct URL: Hashable, Codable, Sendable {
  public init?(string: String) {}
}

public struct UUID: Hashable, Codable, Sendable {
  public init() {}
}

public struct Locale: Hashable, Codable, Sendable {
  public static var autoupdatingCurrent: Locale { current }
  public init(identifier: String) {}
  public static var current: Locale { Locale() }
}

public struct TimeZone: Hashable, Codable, Sendable {
  public init?(identifier: String) {}
  public static var gmt: TimeZone { current }
  public static var autoupdatingCurrent: TimeZone { current }
  public static var current: TimeZone { TimeZone() }
}

public struct Calendar: Hashable, Codable, Sendable {
  public static var autoupdatingCurrent: Calendar { current }
  public static var current: Calendar { Calendar() }
}

public struct DateComponents: Hashable, Codable, Sendable {
  public init() {}
}

public struct CharacterSet: Hashable, Sendable {
  public init() {}
  public init(charactersIn string: String) {}
  public static var whitespaces: CharacterSet { CharacterSet() }
  public static var whitespacesAndNewlines: CharacterSet { CharacterSet() }
  public static var alphanumerics: CharacterSet { CharacterSet() }
  public static var decimalDigits: CharacterSet { CharacterSet() }
  public static var letters: CharacterSet { CharacterSet() }
}

public struct Decimal: Hashable, Comparable, Codable, Sendable {
  public static func < (one: Decimal, other: Decimal) -> Bool { false }
}

open class JSONDecoder: @unchecked Sendable {
  public init() {}
}

open class JSONEncoder: @unchecked Sendable {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
  }
  public init() {}
}

open class Formatter: NSObject, @unchecked Sendable {}
open class DateFormatter: Formatter, @unchecked Sendable {}
open class NumberFormatter: Formatter, @unchecked Sendable {}
open class NSString: NSObject, @unchecked Sendable {}
open class NSError: NSObject, Error, @unchecked Sendable {}
open class NSLock: NSObject, @unchecked Sendable {}
open class Thread: NSObject, @unchecked Sendable {}
open class ProcessInfo: NSObject, @unchecked Sendable {
  open class var processInfo: ProcessInfo { ProcessInfo() }
}
open class NSNumber: NSObject, @unchecked Sendable {}
open class NSNull: NSObject, @unchecked Sendable {}

open class FileHandle: NSObject, @unchecked Sendable {
  open class var standardError: FileHandle { FileHandle() }
  open func write(_ data: Data) {}
}

// MARK: Work

open class Operation: NSObject, @unchecked Sendable {
  open func start() {}
  open func main() {}
  open func cancel() {}
  open var isCancelled: Bool { false }
  open var isExecuting: Bool { false }
  open var isFinished: Bool { false }
  open var isAsynchronous: Bool { false }
  open var isReady: Bool { true }
  open func addDependency(_ operation: Operation) {}
  open func removeDependency(_ operation: Operation) {}
  open var dependencies: [Operation] { [] }
}

open class OperationQueue: NSObject, @unchecked Sendable {
  open func addOperation(_ operation: Operation) {}
}

// MARK: Transfers

open class URLResponse: NSObject, @unchecked Sendable {}
open class HTTPURLResponse: URLResponse, @unchecked Sendable {}
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  open class var `default`: URLSessionConfiguration { URLSessionConfiguration() }
}
open class URLSessionTask: NSObject, @unchecked Sendable {}
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSession: NSObject, @unchecked Sendable {
  open class var shared: URLSession { URLSession() }

  public enum ResponseDisposition: Int, Sendable {
    case cancel
    case allow
  }
}

public struct URLRequest: Hashable, Sendable {}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}
public protocol URLSessionTaskDelegate: URLSessionDelegate {}
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {}

// MARK: What screens name

public struct CGPoint: Hashable, Sendable {
  public var x: CGFloat
  public var y: CGFloat
  public init() { (x, y) = (0, 0) }
  public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }
  public static var zero: CGPoint { CGPoint() }
}

public struct CGSize: Hashable, Sendable {
  public var width: CGFloat
  public var height: CGFloat
  public init() { (width, height) = (0, 0) }
  public init(width: CGFloat, height: CGFloat) { (self.width, self.height) = (width, height) }
  public static var zero: CGSize { CGSize() }
}

public struct CGRect: Hashable, Sendable {
  public var origin: CGPoint
  public var size: CGSize
  public init() { (origin, size) = (.zero, .zero) }
  public init(origin: CGPoint, size: CGSize) { (self.origin, self.size) = (origin, size) }
  public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) { self.init() }
  public static var zero: CGRect { CGRect() }
}

open class NSCoder: NSObject {}

open class Bundle: NSObject, @unchecked Sendable {
  open class var main: Bundle { Bundle() }
  open var preferredLocalizations: [String] { [] }
  open var localizations: [String] { [] }
  open class func preferredLocalizations(
    from localizationsArray: [String], forPreferences preferencesArray: [String]?
  ) -> [String] { [] }
  open class func preferredLocalizations(from localizationsArray: [String]) -> [String] { [] }
}

@dynamicMemberLookup
public struct AttributedString: Hashable, Sendable {
  public init(_ string: String) {}

  public subscript<K: AttributedStringKey>(_: K.Type) -> K.Value? {
    get { nil }
    set {}
  }

  public subscript<K: AttributedStringKey>(
    dynamicMember keyPath: KeyPath<AttributeDynamicLookup, K>
  ) -> K.Value? {
    get { nil }
    set {}
  }
}

public protocol AttributedStringKey {
  associatedtype Value: Hashable, Sendable
  static var name: String { get }
}

public protocol AttributeScope {}

public enum AttributeScopes {
  public struct FoundationAttributes: AttributeScope {}
}

@dynamicMemberLookup
public enum AttributeDynamicLookup {
  public subscript<T: AttributedStringKey>(_: T.Type) -> T {
    fatalError()
  }

  public subscript<T: AttributedStringKey>(
    dynamicMember keyPath: KeyPath<AttributeScopes.FoundationAttributes, T>
  ) -> T {
    fatalError()
  }
}
