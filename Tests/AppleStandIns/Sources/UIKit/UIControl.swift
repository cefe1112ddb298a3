// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

open class UIControl: UIView {
  public struct Event: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let touchUpInside = Event(rawValue: 1 << 6)
    public static let valueChanged = Event(rawValue: 1 << 12)
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    public static let editingDidBegin = Event(rawValue: 1 << 16)
    public static let editingChanged = Event(rawValue: 1 << 17)
    public static let editingDidEnd = Event(rawValue: 1 << 18)
    public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
  }

  private var registered: [(events: Event, action: UIAction)] = []

  open var isEnabled = true

  public override init(frame: CGRect) {
    super.init(frame: frame)
  }

  public convenience init(frame: CGRect, primaryAction: UIAction?) {
    self.init(frame: frame)
    if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
  }

  public required init?(coder: NSCoder) {
    super.init(coder: coder)
  }

  open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {
    registered.append((controlEvents, action))
  }

  open func sendActions(for controlEvents: UIControl.Event) {
    for (events, action) in registered where !events.isDisjoint(with: controlEvents) {
      action.handler(action)
    }
  }

  func hasActions(for event: UIControl.Event) -> Bool {
    registered.contains { $0.events.contains(event) }
  }

  /// A person's tap; nothing happens where UIKit would not let it through.
  public final func tap() {
    guard isTouchable, isEnabled else { return }
    wasTapped()
  }

  func wasTapped() {
    sendActions(for: [.touchUpInside, .primaryActionTriggered])
  }
}

@available(tvOS, unavailable)
open class UISwitch: UIControl {
  open var isOn = false

  open func setOn(_ on: Bool, animated: Bool) {
    isOn = on
  }

  override func wasTapped() {
    isOn.toggle()
    sendActions(for: [.valueChanged, .primaryActionTriggered])
  }
}

@available(tvOS, unavailable)
open class UIDatePicker: UIControl {
  public enum Mode: Int, Sendable {
    case time, date, dateAndTime, countDownTimer
  }

  open var date = Date(timeIntervalSinceReferenceDate: 0)
  open var datePickerMode = Mode.dateAndTime
  open var timeZone: TimeZone?

  /// A person's choice.
  public final func pick(_ date: Date) {
    guard isTouchable, isEnabled else { return }
    self.date = date
    sendActions(for: .valueChanged)
  }
}
