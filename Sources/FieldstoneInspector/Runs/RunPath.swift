#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneRunDisplay

  /// The bounds of what is read for the diagram of a run's flow.
  ///
  /// They hold for every journal: a run of 100,000 stages among 1,000,000 runs is drawn from at most
  /// 2,016 steps of its own and 32 of each of 20 others, in some 50 statements that an index answers.
  struct PathBounds {
    /// The largest number of steps at the beginning of a run.
    let first: Int
    /// The largest number of its newest steps.
    let newest: Int
    /// The number of bytes after which no more steps are read: names are in the stages' JSON.
    var bytes: Int

    static let run = PathBounds(first: 16, newest: 2_000, bytes: 2 << 20)
    /// Of another run; the bytes are those of all others.
    static let other = PathBounds(first: 16, newest: 16, bytes: 1 << 20)
    /// The number of the flow's newest runs, and of its newest completed ones.
    static let others = 10
  }

  extension Journal {
    /// The diagram of a run's flow, on which its path is marked.
    ///
    /// The flow's stages and transitions are those of the run, of the flow's newest runs and of its
    /// newest completed ones, within ``PathBounds``: a flow whose newest runs have only begun has its
    /// end, too.
    func graph(of run: RunRecord, _ redaction: RedactionRule) async throws -> RunGraph {
      var graph = RunGraph(run, isOfFlow: true, name: redaction.name(of:))
      var bounds = PathBounds.run
      for step in try await steps(of: run, within: &bounds) { graph.add(step) }
      graph.end()
      bounds = .other
      var known: Set<RunID> = [run.id]
      for states in [[], [RunState.completed]] as [Set<RunState>] {
        let query = RunQuery(flow: run.flow, states: states, limit: PathBounds.others)
        for other in try await runs(query).runs
        where bounds.bytes > 0 && known.insert(other.id).inserted {
          graph.surround(with: other, try await steps(of: other, within: &bounds))
        }
      }
      return graph
    }

    /// The first and the newest steps of a run, oldest first.
    ///
    /// The newest are read backwards, in pages that suit the size of the stages so far.
    private func steps(
      of run: RunRecord, within bounds: inout PathBounds
    ) async throws -> [StepRecord] {
      var steps: [StepRecord] = []
      var (end, limit, bytes) = (run.sequence, 4, 0)
      while end > 0, steps.count < bounds.newest, bounds.bytes > bytes {
        let start = max(0, end - min(limit, bounds.newest - steps.count))
        let page = try await self.steps(
          of: run.id, after: start > 0 ? start - 1 : nil, limit: end - start
        ).steps.filter { $0.sequence < end }
        steps = page + steps
        bytes += page.reduce(0) { $0 + $1.payload.count }
        // Older ones were purged.
        guard page.first?.sequence == start else { break }
        end = start
        limit = min(250, max(4, (bounds.bytes - bytes) / max(1, bytes / steps.count)))
      }
      if end > 0, let oldest = steps.first?.sequence, oldest == end, bounds.bytes > bytes {
        let first = try await self.steps(
          of: run.id, after: nil, limit: min(bounds.first, limit, end)
        ).steps.filter { $0.sequence < oldest }
        steps = first + steps
        bytes += first.reduce(0) { $0 + $1.payload.count }
      }
      bounds.bytes -= bytes
      return steps
    }
  }
#endif
