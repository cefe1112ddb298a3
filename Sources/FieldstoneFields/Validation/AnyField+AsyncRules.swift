import FieldstoneCore

extension AnyField {
  /// Whether the asynchronous rules have to be asked: all others hold, and they are not known to.
  package final var needsAsyncRules: Bool {
    guard let rules, hasAsyncRules(rules), rules.isCurrent, rules.status == .passed else {
      return false
    }
    return rules.asyncStatus != .done || !validationState.isValid
  }

  /// Whether all other rules hold, and the asynchronous ones were not asked and are not being asked.
  package final var lacksAsyncAnswers: Bool {
    guard let rules, hasAsyncRules(rules), rules.isCurrent, rules.status == .passed else {
      return false
    }
    return rules.asyncStatus == .unknown
  }

  /// Forgets answers that were not good, so that the rules are asked again.
  package final func forgetBadAnswers() {
    guard let rules else { return }
    let isBad = rules.asyncStatus == .done && !validationState.isValid
    // Also while other items are being asked about: these would not be asked about again.
    guard isBad || rules.asyncStatus != .done && rules.hasBadItemAnswers else { return }
    changeValidation {
      rules.forgetAsync()
      rules.forgetItemAnswers(ifBad: true)
    }
  }

  /// Gives up the questions that are under way.
  package final func giveUpAsyncRules() {
    guard let rules, rules.pending != nil else { return }
    changeValidation { rules.forgetAsync() }
  }

  /// Forgets what the rules have found, as if they had not been asked.
  package final func forgetValidation() {
    guard let rules else { return }
    let isRecording = DeliveryContext.current.isRecording
    recordForBatch()
    rules.wasForgotten = isRecording
    changeValidation {
      rules.status = .unknown
      rules.found = []
      rules.itemIssues = [:]
      rules.uncheckedItems.insertAll()
      rules.forgetAsync(keepsCheck: isRecording)
      rules.forgetItemAnswers()
    }
  }

  /// Whether the synchronous rules were asked about the value as it is.
  package final var isCurrentlyValidated: Bool { rules?.isCurrent ?? true }

  /// Whether nil is refused by one of the rules.
  package final var refusesNil: Bool { rules?.refusesNil ?? false }

  final func hasAsyncRules(_ rules: FieldValidation) -> Bool {
    rules.hasAsyncRules || itemized?.itemRules?.hasAsyncRules == true
  }

  /// Asks the asynchronous rules, or waits for the answers where they are being asked.
  ///
  /// It ends a debounce that another caller waits for.
  final func askAsyncRules() async {
    // An explicit call wants the answers for all items.
    guard let pending = beginAsyncRules(isDebounced: false, asksAllItems: true) else { return }
    pending.check.flush()
    await wait(for: pending)
  }

  /// Begins to ask unless it is being asked: the state is `validating` from now on.
  ///
  /// - Parameters:
  ///   - isDebounced: whether to wait before asking.
  ///   - asksAllItems: whether to ask again about items whose answers are known.
  /// - Returns: what to wait for; nil when there is nothing to ask, or other rules do not hold.
  package final func beginAsyncRules(
    isDebounced: Bool, asksAllItems: Bool = false
  ) -> PendingCheck? {
    guard let rules, hasAsyncRules(rules), rules.isCurrent, rules.status == .passed else {
      return nil
    }
    if let pending = rules.pending { return pending }
    var pending: PendingCheck?
    changeValidation {
      rules.forgetAsync()
      if asksAllItems { rules.forgetItemAnswers() }
      let questions = rules.questions(about: self) + (itemized?.questionsOfItems ?? [])
      if questions.isEmpty {
        rules.asyncStatus = .done
      } else {
        pending = PendingCheck(FieldCheck(questions, isDebounced: isDebounced, time: time))
        rules.pending = pending
        rules.hasGivenUp = false
        rules.asyncStatus = .running
      }
    }
    return pending
  }

  /// Waits for the answers, and takes them; the questions are given up with their last waiter.
  package final func wait(for pending: PendingCheck) async {
    pending.waiterCount += 1
    let answers = await pending.check.answers
    pending.waiterCount -= 1
    // Otherwise the value has changed, or another waiter has brought the answers.
    guard let rules, rules.pending === pending else { return }
    if let answers {
      changeValidation {
        rules.pending = nil
        rules.asyncStatus = .done
        take(answers, in: rules)
      }
    } else if pending.waiterCount == 0 {
      changeValidation { rules.forgetAsync() }
    }
  }

  private func take(_ answers: [FieldCheck.Answer], in rules: FieldValidation) {
    for item in answers.compactMap(\.item) {
      rules.answeredItems[item] = 0
      rules.asyncItemIssues[item] = nil
    }
    rules.asyncFailing = 0
    var place = 0
    for answer in answers {
      if let item = answer.item {
        rules.answeredItems[item, default: 0] += 1
        if !answer.issues.isEmpty { rules.asyncItemIssues[item, default: []] += answer.issues }
      } else {
        rules.asyncFound += answer.issues
        if !answer.issues.isEmpty { rules.asyncFailing |= 1 << UInt64(min(place, 63)) }
        place += 1
      }
    }
  }

  private func changeValidation(_ change: () -> Void) {
    let tracker = details?.tracker
    tracker?.willChange()
    change()
    tracker?.didChange()
    notifyValidation()
  }
}
