// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public enum UIKeyboardType: Int, Sendable {
  case `default` = 0
  case asciiCapable = 1
  case numbersAndPunctuation = 2
  case URL = 3
  case numberPad = 4
  case phonePad = 5
  case namePhonePad = 6
  case emailAddress = 7
  case decimalPad = 8
}

public enum UIReturnKeyType: Int, Sendable {
  case `default` = 0
  case go = 1
  case next = 4
  case done = 9
}

public enum UITextAutocapitalizationType: Int, Sendable {
  case none, words, sentences, allCharacters
}

public enum UITextAutocorrectionType: Int, Sendable {
  case `default`, no, yes
}

public enum UITextSpellCheckingType: Int, Sendable {
  case `default`, no, yes
}

public enum UITextSmartQuotesType: Int, Sendable {
  case `default`, no, yes
}

public enum UITextSmartDashesType: Int, Sendable {
  case `default`, no, yes
}

public enum UITextSmartInsertDeleteType: Int, Sendable {
  case `default`, no, yes
}

public struct UITextContentType: Hashable, Sendable, RawRepresentable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let name = UITextContentType(rawValue: "name")
  public static let username = UITextContentType(rawValue: "username")
  public static let password = UITextContentType(rawValue: "password")
  public static let newPassword = UITextContentType(rawValue: "newPassword")
  public static let oneTimeCode = UITextContentType(rawValue: "oneTimeCode")
  public static let emailAddress = UITextContentType(rawValue: "emailAddress")
  public static let telephoneNumber = UITextContentType(rawValue: "telephoneNumber")
  public static let URL = UITextContentType(rawValue: "URL")
  public static let fullStreetAddress = UITextContentType(rawValue: "fullStreetAddress")
  public static let addressCity = UITextContentType(rawValue: "addressCity")
  public static let postalCode = UITextContentType(rawValue: "postalCode")
  public static let countryName = UITextContentType(rawValue: "countryName")
  public static let organizationName = UITextContentType(rawValue: "organizationName")
}

@MainActor
open class UITextPosition {
  let offset: Int

  init(_ offset: Int) { self.offset = offset }
}

@MainActor
open class UITextRange {
  private let ends: (UITextPosition, UITextPosition)

  public init() { ends = (UITextPosition(0), UITextPosition(0)) }

  init(_ start: UITextPosition, _ end: UITextPosition) { ends = (start, end) }

  open var start: UITextPosition { ends.0 }
  open var end: UITextPosition { ends.1 }
}

@MainActor
public protocol UITextInput: AnyObject {
  var selectedTextRange: UITextRange? { get set }
  var markedTextRange: UITextRange? { get }
  var beginningOfDocument: UITextPosition { get }
  var endOfDocument: UITextPosition { get }
  func textRange(from fromPosition: UITextPosition, to toPosition: UITextPosition) -> UITextRange?
  func position(from position: UITextPosition, offset: Int) -> UITextPosition?
  func offset(from: UITextPosition, to toPosition: UITextPosition) -> Int
}

/// A text with a caret, counted in units of UTF-16 as UIKit does.
@MainActor
struct EditedText {
  /// Setting it moves the caret to its end.
  var text: String? = "" {
    didSet { caret = UITextRange(end, end) }
  }
  var caret: UITextRange? = UITextRange()

  var end: UITextPosition { UITextPosition(text?.utf16.count ?? 0) }

  func position(from position: UITextPosition, offset: Int) -> UITextPosition? {
    let place = position.offset + offset
    return (0...end.offset).contains(place) ? UITextPosition(place) : nil
  }

  /// What a person types at the caret.
  mutating func insert(_ typed: String) {
    var units = Array((text ?? "").utf16)
    let (start, end) = (caret?.start.offset ?? units.count, caret?.end.offset ?? units.count)
    units.replaceSubrange(start..<end, with: typed.utf16)
    text = String(decoding: units, as: UTF16.self)
    let place = UITextPosition(start + typed.utf16.count)
    caret = UITextRange(place, place)
  }
}

@MainActor
public protocol UITextFieldDelegate: NSObjectProtocol {
  func textFieldShouldReturn(_ textField: UITextField) -> Bool
  func textFieldDidBeginEditing(_ textField: UITextField)
  func textFieldDidEndEditing(_ textField: UITextField)
}

// Optional in UIKit.
extension UITextFieldDelegate {
  public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
  public func textFieldDidBeginEditing(_ textField: UITextField) {}
  public func textFieldDidEndEditing(_ textField: UITextField) {}
}

open class UITextField: UIControl, UITextInput {
  public enum BorderStyle: Int, Sendable {
    case none, line, bezel, roundedRect
  }

  public enum ViewMode: Int, Sendable {
    case never, whileEditing, unlessEditing, always
  }

  private var edited = EditedText()
  open weak var delegate: (any UITextFieldDelegate)?
  open var text: String? {
    get { edited.text }
    set { edited.text = newValue }
  }
  open var selectedTextRange: UITextRange? {
    get { edited.caret }
    set { edited.caret = newValue }
  }
  open var beginningOfDocument: UITextPosition { UITextPosition(0) }
  open var endOfDocument: UITextPosition { edited.end }

  open func textRange(
    from fromPosition: UITextPosition, to toPosition: UITextPosition
  ) -> UITextRange? {
    UITextRange(fromPosition, toPosition)
  }

  open func position(from position: UITextPosition, offset: Int) -> UITextPosition? {
    edited.position(from: position, offset: offset)
  }

  open func offset(from: UITextPosition, to toPosition: UITextPosition) -> Int {
    toPosition.offset - from.offset
  }

  open var placeholder: String?
  open var font: UIFont? = .preferredFont(forTextStyle: .body)
  open var adjustsFontForContentSizeCategory = false
  open var borderStyle = BorderStyle.none
  open var clearButtonMode = ViewMode.never
  open var isSecureTextEntry = false
  open var keyboardType = UIKeyboardType.default
  open var returnKeyType = UIReturnKeyType.default
  open var autocapitalizationType = UITextAutocapitalizationType.sentences
  open var autocorrectionType = UITextAutocorrectionType.default
  open var spellCheckingType = UITextSpellCheckingType.default
  open var smartQuotesType = UITextSmartQuotesType.default
  open var smartDashesType = UITextSmartDashesType.default
  open var smartInsertDeleteType = UITextSmartInsertDeleteType.default
  /// In UIKit implicitly unwrapped.
  open var textContentType: UITextContentType?
  open var markedTextRange: UITextRange?
  private var accessory: UIView?

  @available(visionOS, unavailable)
  open override var inputAccessoryView: UIView? {
    get { accessory }
    set { accessory = newValue }
  }

  public override init(frame: CGRect) {
    super.init(frame: frame)
    isAccessibilityElement = true
  }

  public required init?(coder: NSCoder) {
    super.init(coder: coder)
  }

  open override var canBecomeFirstResponder: Bool { isEnabled }

  override func didBecomeFirstResponder() { sendActions(for: .editingDidBegin) }

  override func didResignFirstResponder() { sendActions(for: .editingDidEnd) }

  override func wasTapped() { becomeFirstResponder() }

  /// What a person types, in place of what is there; it takes a keyboard.
  public final func type(_ text: String) {
    guard isFirstResponder else { return }
    self.text = text
    sendActions(for: .editingChanged)
  }

  /// What a person types at the caret.
  public final func insert(_ text: String) {
    guard isFirstResponder else { return }
    edited.insert(text)
    sendActions(for: .editingChanged)
  }

  /// The place of the caret, in units of UTF-16.
  public final var caret: Int? {
    get { selectedTextRange?.end.offset }
    set {
      let place = UITextPosition(newValue ?? 0)
      selectedTextRange = UITextRange(place, place)
    }
  }

  /// The return key; as in UIKit, who listens to it makes the keyboard go.
  public final func pressReturn() {
    guard isFirstResponder else { return }
    if delegate.map({ $0.textFieldShouldReturn(self) }) == false { return }
    guard hasActions(for: .editingDidEndOnExit) else { return }
    sendActions(for: .editingDidEndOnExit)
    if isFirstResponder { resignFirstResponder() }
  }
}

@MainActor
public protocol UIScrollViewDelegate: NSObjectProtocol {}

@MainActor
public protocol UITextViewDelegate: UIScrollViewDelegate {
  func textViewDidBeginEditing(_ textView: UITextView)
  func textViewDidChange(_ textView: UITextView)
  func textViewDidEndEditing(_ textView: UITextView)
}

// Optional in UIKit.
extension UITextViewDelegate {
  public func textViewDidBeginEditing(_ textView: UITextView) {}
  public func textViewDidChange(_ textView: UITextView) {}
  public func textViewDidEndEditing(_ textView: UITextView) {}
}

@MainActor
open class NSTextContainer {
  open var lineFragmentPadding: CGFloat = 5
}

open class UITextView: UIScrollView, UITextInput {
  open var textContainerInset = UIEdgeInsets(top: 8, left: 0, bottom: 8, right: 0)
  public let textContainer = NSTextContainer()
  private var edited = EditedText()
  open weak var delegate: (any UITextViewDelegate)?
  /// In UIKit implicitly unwrapped.
  open var text: String? {
    get { edited.text }
    set { edited.text = newValue }
  }
  open var selectedTextRange: UITextRange? {
    get { edited.caret }
    set { edited.caret = newValue }
  }
  open var beginningOfDocument: UITextPosition { UITextPosition(0) }
  open var endOfDocument: UITextPosition { edited.end }

  open func textRange(
    from fromPosition: UITextPosition, to toPosition: UITextPosition
  ) -> UITextRange? {
    UITextRange(fromPosition, toPosition)
  }

  open func position(from position: UITextPosition, offset: Int) -> UITextPosition? {
    edited.position(from: position, offset: offset)
  }

  open func offset(from: UITextPosition, to toPosition: UITextPosition) -> Int {
    toPosition.offset - from.offset
  }

  open var font: UIFont?
  open var adjustsFontForContentSizeCategory = false
  open var isEditable = true
  open var keyboardType = UIKeyboardType.default
  open var autocapitalizationType = UITextAutocapitalizationType.sentences
  open var autocorrectionType = UITextAutocorrectionType.default
  open var spellCheckingType = UITextSpellCheckingType.default
  open var smartQuotesType = UITextSmartQuotesType.default
  open var smartDashesType = UITextSmartDashesType.default
  open var smartInsertDeleteType = UITextSmartInsertDeleteType.default
  open var textContentType: UITextContentType?
  open var markedTextRange: UITextRange?
  private var accessory: UIView?

  @available(visionOS, unavailable)
  open override var inputAccessoryView: UIView? {
    get { accessory }
    set { accessory = newValue }
  }

  open override var canBecomeFirstResponder: Bool { isEditable }

  override func didBecomeFirstResponder() { delegate?.textViewDidBeginEditing(self) }

  override func didResignFirstResponder() { delegate?.textViewDidEndEditing(self) }

  /// What a person types, in place of what is there; it takes a keyboard.
  public final func type(_ text: String) {
    guard isFirstResponder else { return }
    self.text = text
    delegate?.textViewDidChange(self)
  }

  /// The return key, which begins another line.
  public final func pressReturn() { type((text ?? "") + "\n") }
}
