// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// What our code names of Foundation, for the check `platforms`.

@_exported public import Darwin
@_exported public import Dispatch
@_exported public import ObjectiveC

public typealias TimeInterval = Double

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

public struct URLError: Error, Sendable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static var unknown: Code { Code(rawValue: -1) }
    public static var cancelled: Code { Code(rawValue: -999) }
    public static var badURL: Code { Code(rawValue: -1_000) }
    public static var unsupportedURL: Code { Code(rawValue: -1_002) }
    public static var timedOut: Code { Code(rawValue: -1_001) }
    public static var cannotFindHost: Code { Code(rawValue: -1_003) }
    public static var cannotConnectToHost: Code { Code(rawValue: -1_004) }
    public static var httpTooManyRedirects: Code { Code(rawValue: -1_007) }
    public static var dataLengthExceedsMaximum: Code { Code(rawValue: -1_103) }
    public static var networkConnectionLost: Code { Code(rawValue: -1_005) }
    public static var userCancelledAuthentication: Code { Code(rawValue: -1_012) }
  }
  public init(_ code: Code, userInfo: [String: Any] = [:]) {}
  public var code: Code { .unknown }
  public var errorUserInfo: [String: Any] { [:] }
}
