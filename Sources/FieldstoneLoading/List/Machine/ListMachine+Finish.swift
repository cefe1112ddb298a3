package import FieldstoneCore

extension ListMachine {
  /// Applies the outcome of a load; ignored if no call waits for it any more.
  package mutating func finish(
    _ number: Int, with outcome: Outcome<ItemPage<Item, Cursor>>
  ) -> [ListAction<Cursor>] {
    if refresh?.number == number { return finishReload(with: outcome) }
    for direction in PageDirection.allCases {
      if let load = load(direction), load.number == number {
        return finish(load, at: direction, with: outcome)
      }
    }
    return []
  }

  /// Adds a pushed page.
  ///
  /// - Returns: the report of the page, and whether loads under way may have to be stopped.
  /// - Throws: ``PaginatedListError/cursorLoop(cursor:)``; nothing has changed then.
  @inlinable
  package mutating func receive(
    _ page: ItemPage<Item, Cursor>, at direction: PageDirection
  ) throws(PaginatedListError) -> (report: PageReport, hasTrimmed: Bool) {
    let addition = try content.add(
      page, for: content[direction].requests.last, at: direction, shift: 0, keeping: [],
      limit: options.pageLimit)
    setFailure(nil, direction)
    return (addition.report, addition.hasTrimmed)
  }

  /// Stops loads at edges whose neighbouring page has changed.
  package mutating func stopLoads(_ directions: [PageDirection]) -> [ListAction<Cursor>] {
    directions.flatMap { stop($0, .superseded) }
  }

  // MARK: At an edge

  private mutating func finish(
    _ load: EdgeLoad<Item, Cursor>, at direction: PageDirection,
    with outcome: Outcome<ItemPage<Item, Cursor>>
  ) -> [ListAction<Cursor>] {
    switch outcome {
    case .cancelled(let reason):
      return end(load, at: direction, with: .cancelled(reason), telling: .edge(direction))
    case .failure(let error):
      setFailure(error, direction)
      return end(load, at: direction, with: .failure(error), telling: .edge(direction))
    case .success(let page):
      do {
        let addition = try content.add(
          page, for: load.request, at: direction, shift: load.shift, keeping: load.edited,
          limit: options.pageLimit)
        return take(addition, of: load, at: direction)
      } catch {
        setFailure(error, direction)
        return end(load, at: direction, with: .failure(error), telling: .edge(direction))
      }
    }
  }

  private mutating func take(
    _ addition: ListContent<Item, Cursor>.Addition, of load: EdgeLoad<Item, Cursor>,
    at direction: PageDirection
  ) -> [ListAction<Cursor>] {
    var load = load
    load.report += addition.report
    setFailure(nil, direction)
    // The opposite load was for the neighbour of a dropped page, so its page would leave a gap.
    let stopped = addition.hasTrimmed ? stop(direction.opposite, .superseded) : []
    // The first page tells for both edges whether there is more.
    let changes: ListChanges = [.items, .next, .previous]

    if addition.report.addedCount == 0, load.skipCount < options.skipLimit,
      let request = content[direction].requests.last
    {
      load.skipCount += 1
      load.number = nextNumber()
      load.request = request
      load.shift = 0
      load.edited = []
      setLoad(load, direction)
      return stopped + [.load(load.number, request), .tell(changes)]
    }
    return stopped
      + end(load, at: direction, with: .success(load.report), telling: changes)
  }

  private mutating func end(
    _ load: EdgeLoad<Item, Cursor>, at direction: PageDirection,
    with outcome: Outcome<PageReport>, telling changes: ListChanges
  ) -> [ListAction<Cursor>] {
    setLoad(nil, direction)
    return load.end(with: outcome) + [.tell(changes)]
      + ListAction.notify(.page(direction), outcome)
  }

  // MARK: A reload

  private mutating func finishReload(
    with outcome: Outcome<ItemPage<Item, Cursor>>
  ) -> [ListAction<Cursor>] {
    // Taken out of the state, so that its pages are changed in place and not copied.
    guard var reload = refresh.take() else { return [] }
    switch outcome {
    case .cancelled(let reason):
      return end(reload, with: .cancelled(reason), telling: .refresh)
    case .failure(let error):
      return fail(reload, with: error)
    case .success(let page):
      do {
        let addition = try reload.content.add(
          page, for: reload.request, at: reload.direction, shift: 0, keeping: [],
          limit: options.pageLimit)
        reload.countEdits(of: content)
        guard
          let request = reload.goOn(after: addition.report, skipLimit: options.skipLimit)
        else {
          reload.countRemainingEdits()
          return swap(reload)
        }
        reload.begin(request, number: nextNumber())
        let action = ListAction.load(reload.number, request)
        refresh = reload
        return [action]
      } catch {
        return fail(reload, with: error)
      }
    }
  }

  private mutating func fail(
    _ reload: ListReload<Item, Cursor>, with error: any Error
  ) -> [ListAction<Cursor>] {
    refreshFailure = (error, reload.mode, reload.number)
    return end(reload, with: .failure(error), telling: .refresh)
  }

  /// Shows the pages of a reload, with the edits made since it began.
  private mutating func swap(_ reload: ListReload<Item, Cursor>) -> [ListAction<Cursor>] {
    content = reload.content
    for edit in reload.edits { apply(edit.change) }
    (refreshFailure, nextFailure, previousFailure) = (nil, nil, nil)
    inSight = inSight.filter { content.location(of: $0) != nil }
    var report = reload.report
    report.addedCount = content.items.count
    return end(reload, with: .success(report), telling: .all)
  }

  private mutating func apply(_ change: ListReload<Item, Cursor>.Edit.Change) {
    // The requests already include the shifts of these edits.
    switch change {
    case .update(let item):
      if let location = content.location(of: item.id) { content.replace(item, at: location) }
    case .insert(let item, let place):
      if let location = content.location(of: item.id) {
        content.replace(item, at: location)
      } else {
        // If the place does not exist any more, the start is better than losing the item.
        let location = content.location(of: place) ?? .init(page: 0, offset: 0)
        content.insert(item, at: location, shifting: false)
      }
    case .remove(let id):
      if let location = content.location(of: id) {
        content.remove(at: location, shifting: false)
      } else {
        content.noteRemoved(id)
      }
    }
  }

  private mutating func end(
    _ reload: ListReload<Item, Cursor>, with outcome: Outcome<PageReport>,
    telling changes: ListChanges
  ) -> [ListAction<Cursor>] {
    refresh = nil
    return [.end(reload.call, outcome), .tell(changes)]
      + ListAction.notify(.reload(reload.mode), outcome) + loadInSight()
  }
}
