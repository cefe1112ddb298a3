#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  public import FieldstoneCore
  import FieldstoneFields
  public import FieldstoneForms
  public import UIKit

  /// A view controller that shows, edits and submits a form. (Seed: Mold's forms.)
  ///
  /// Each field has the control of its kind, with its label, its help and its issues. The return key
  /// moves to the next text field; a keyboard without such a key has a bar with Next and Done. A tap
  /// beside the controls dismisses the keyboard. After a refused submit the first invalid field has
  /// the focus, and the issues are announced. Deallocating the controller cancels its submit.
  ///
  /// ```swift
  /// let view = try AirportEditForm(editing: airport, in: directory)
  /// let controller = FormViewController(view.form) { await view.save() }
  /// ```
  ///
  /// It is not available on tvOS, which has no switches, date pickers and keyboards of this kind.
  open class FormViewController: UIViewController {
    /// The form.
    public let form: FormModel

    /// The texts besides labels and issues; set them before the view is shown.
    public var texts = ScreenTexts.current

    /// The clock for the first value of a date.
    public var time = TimeSource.system

    /// The submit button; for a button in a navigation bar, hide it and call `submit()`.
    public let submitButton = UIButton(configuration: .filled())

    /// The scroll view around ``stack``.
    public let scrollView: UIScrollView = FormScrollView()

    /// The sections, the issues of no field, and the button, from top to bottom.
    public let stack = UIStackView()

    private let action: @MainActor () async -> Outcome<Void>
    private let issuesLabel = UILabel("", style: .footnote, color: .systemRed)
    private var submission: FormSubmission?
    private var rows: [FormRow] = []
    private var followers: [ChangeFollower<Void>] = []
    private var focusFollower: ChangeFollower<Void>?
    private var lastAnnouncement: Int?
    /// The form's announcement when the focus was last moved.
    private var announcementAtMove: Int?
    /// The form's count of fills when the submit began.
    private var fillingCount = 0

    /// Makes a view controller over a form and a closure that submits it.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - submit: calls the form's `submit(_:)`, and returns its outcome.
    public init<Result: Sendable>(
      _ form: FormModel, submit: @escaping @MainActor () async -> Outcome<Result>
    ) {
      self.form = form
      action = { await submit().map { _ in } }
      super.init(nibName: nil, bundle: nil)
    }

    /// Makes a view controller over a form and a closure that sends the valid values.
    ///
    /// - Parameters:
    ///   - form: the form.
    ///   - action: sends the values. It throws `FormRejection` to add issues to fields.
    public convenience init(
      _ form: FormModel, sending action: @escaping @MainActor () async throws -> Void
    ) {
      self.init(form) { await form.submit(action) }
    }

    /// Returns nil, as a storyboard has no form.
    public required init?(coder: NSCoder) { nil }

    // MARK: - The life of the view

    open override func viewDidLoad() {
      super.viewDidLoad()
      view.useScreenBackground()
      layOut()
      lastAnnouncement = form.announcement?.id
      follow {
        _ = ($0.phase, $0.issues, $0.language)
      } use: {
        $0.showPhase()
      }
      follow {
        _ = $0.announcement
      } use: {
        $0.announce()
      }
    }

    open override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      // No view can become first responder before this.
      if let focusFollower { return focusFollower.follow() }
      focusFollower = follow {
        _ = $0.focusedField
      } use: {
        $0.moveFocus()
      }
    }

    // MARK: - Submitting

    /// Submits the form; a no-op while it is being submitted.
    ///
    /// A new item of a list whose text can't be read has an issue and gets the keyboard; the form is not
    /// submitted without it.
    open func submit() {
      guard submission == nil else { return }
      // The edit ends, as when the user leaves the field.
      view.endEditing(true)
      if let unread = rows.compactMap({ $0.control.addTypedText() }).first {
        unread.becomeFirstResponder()
        return
      }
      let submission = FormSubmission()
      self.submission = submission
      fillingCount = form.fillingCount
      submission.start(action) { [weak self] outcome in
        self?.submission = nil
        self?.didSubmit(outcome)
      }
    }

    /// Called at the end of a submit.
    ///
    /// It shows an error as a dialog, unless issues at the fields or above the button show it.
    open func didSubmit(_ outcome: Outcome<Void>) {
      guard let error = outcome.error, !form.shows(error) else { return }
      // It rejects values that the form no longer has.
      if error is FormRejection, fillingCount != form.fillingCount { return }
      Task { [weak self, texts] in
        await self?.showError(error, title: texts.failure, button: texts.ok)
      }
    }

    // MARK: - Display

    @discardableResult
    private func follow(
      _ read: @escaping @MainActor (FormModel) -> Void,
      use: @escaping @MainActor (FormViewController) -> Void
    ) -> ChangeFollower<Void> {
      let follower = ChangeFollower { [form] in
        read(form)
      } use: { [weak self] in
        if let self { use(self) }
      }
      followers.append(follower)
      follower.follow()
      return follower
    }

    private func showPhase() {
      let isBusy = form.phase.isBusy
      submitButton.isEnabled = !isBusy
      submitButton.configuration?.title = isBusy ? texts.submitting : texts.submit
      submitButton.configuration?.showsActivityIndicator = isBusy
      submitButton.accessibilityLabel = submitButton.configuration?.title
      let messages = form.issues.map { form.messages.sentence(for: $0, name: "") }
      issuesLabel.text = messages.joined(separator: "\n")
      issuesLabel.isHidden = messages.isEmpty
    }

    private func announce() {
      guard let announcement = form.announcement, announcement.id != lastAnnouncement else {
        return
      }
      lastAnnouncement = announcement.id
      Announcer.announce(announcement.text)
      // The focus stays where the form had put it before; without an error there it is the user's.
      guard announcementAtMove != announcement.id,
        form.focusedField?.issues.contains(where: \.isError) == true
      else { return }
      moveFocus()
    }

    /// Moves the keyboard focus, or that of assistive technology, to the form's focused field.
    private func moveFocus() {
      announcementAtMove = form.announcement?.id
      guard let field = form.focusedField, let row = rows.first(where: { $0.field === field })
      else {
        endEditingOfRows()
        return
      }
      if !row.control.takesText {
        endEditingOfRows()
        UIAccessibility.post(notification: .layoutChanged, argument: row.control.element)
      } else if !row.control.hasKeyboard {
        row.control.element.becomeFirstResponder()
      }
      view.layoutIfNeeded()
      // A list may be higher than the screen.
      let target = row.view.firstResponder ?? row.view
      scrollView.scrollRectToVisible(
        target.convert(target.bounds, to: scrollView), animated: true)
    }

    /// Dismisses the keyboard of a row; that of another view is not the form's.
    private func endEditingOfRows() {
      for row in rows where row.control.hasKeyboard { row.view.endEditing(true) }
    }

    private func goOn(after field: FormField) {
      let index = rows.firstIndex { $0.field === field }.map { $0 + 1 } ?? rows.count
      if let next = rows[index...].first(where: \.control.takesText) {
        next.control.element.becomeFirstResponder()
      } else {
        view.endEditing(true)
      }
    }

    // MARK: - Layout

    private func layOut() {
      stack.axis = .vertical
      stack.spacing = 16
      for section in form.sections {
        if !section.title.isEmpty {
          let header = UILabel(section.title, style: .headline)
          header.accessibilityTraits = .header
          stack.addArrangedSubview(header)
        }
        for field in section.fields {
          let control = control(for: field)
          if field.needsKeyboardBar { control.put(keyboardBar(of: field)) }
          let row = FormRow(field, of: form, control, requiredText: texts.required)
          rows.append(row)
          stack.addArrangedSubview(row.view)
        }
      }
      stack.addArrangedSubview(issuesLabel)
      let press = UIAction { [weak self] _ in self?.submit() }
      submitButton.addAction(press, for: .primaryActionTriggered)
      stack.addArrangedSubview(submitButton)

      #if !os(visionOS)
        // On visionOS the keyboard floats by itself.
        scrollView.keyboardDismissMode = .interactive
      #endif
      view.addSubview(scrollView)
      scrollView.addSubview(stack)
      scrollView.translatesAutoresizingMaskIntoConstraints = false
      stack.translatesAutoresizingMaskIntoConstraints = false
      let (content, frame) = (scrollView.contentLayoutGuide, view.readableContentGuide)
      NSLayoutConstraint.activate([
        scrollView.leadingAnchor.constraint(equalTo: view.leadingAnchor),
        scrollView.trailingAnchor.constraint(equalTo: view.trailingAnchor),
        scrollView.topAnchor.constraint(equalTo: view.topAnchor),
        // The scroll view ends above the keyboard, or at the safe area without one.
        scrollView.bottomAnchor.constraint(equalTo: view.keyboardLayoutGuide.topAnchor),
        stack.topAnchor.constraint(equalTo: content.topAnchor, constant: 16),
        stack.bottomAnchor.constraint(equalTo: content.bottomAnchor, constant: -16),
        stack.leadingAnchor.constraint(equalTo: frame.leadingAnchor),
        stack.trailingAnchor.constraint(equalTo: frame.trailingAnchor),
      ])
    }

    private func control(for field: FormField) -> any FieldControl {
      switch field.kind {
      case .multiline(let lines): return TextBoxControl(field, lines: lines)
      case .toggle: return SwitchControl(field)
      case .choice: return ChoiceControl(field, none: texts.noChoice)
      case .list: return ItemsControl(field, of: form, texts: texts)
      case .date, .day, .time:
        let control = DateControl(field, texts: texts) { [weak self] in
          (self?.time ?? .system).now
        }
        return control ?? line(for: field)
      case .text, .secure, .email, .url, .phone, .integer, .decimal: return line(for: field)
      }
    }

    private func line(for field: FormField) -> TextLineControl {
      TextLineControl(field, isLast: isLast(field)) { [weak self] in self?.goOn(after: field) }
    }

    /// Whether no later field is edited by typing.
    private func isLast(_ field: FormField) -> Bool {
      !form.fields.drop { $0 !== field }.dropFirst().contains(where: \.kind.takesText)
    }

    private func keyboardBar(of field: FormField) -> KeyboardBar {
      var goOn: (@MainActor () -> Void)?
      if !isLast(field) { goOn = { [weak self] in self?.goOn(after: field) } }
      return KeyboardBar(texts, goOn: goOn) { [weak self] in self?.view.endEditing(true) }
    }
  }

  extension FieldKind {
    /// Whether such a field is edited by typing.
    fileprivate var takesText: Bool {
      switch self {
      case .toggle, .choice, .date, .day, .time: false
      default: true
      }
    }
  }

  extension FieldControl {
    /// Whether a part of it is first responder.
    fileprivate var hasKeyboard: Bool { view.firstResponder != nil }
  }

  extension UIView {
    /// The view that has the keyboard, of this and those in it.
    fileprivate var firstResponder: UIView? {
      isFirstResponder ? self : subviews.lazy.compactMap(\.firstResponder).first
    }
  }

  /// A submit that is cancelled when its holder is deallocated.
  @MainActor
  private final class FormSubmission {
    private var task: Task<Void, Never>?

    func start(
      _ work: @escaping @MainActor () async -> Outcome<Void>,
      then finish: @escaping @MainActor (Outcome<Void>) -> Void
    ) {
      task = Task { [weak self] in
        let outcome = await work()
        // The task is released here, so that this object can't cancel later work.
        self?.task = nil
        if self != nil { finish(outcome) }
      }
    }

    deinit {
      task?.cancel()
    }
  }
#endif
