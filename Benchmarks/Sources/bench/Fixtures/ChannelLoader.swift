import AsyncAlgorithms
import Fieldstone

/// A loader that is asked through one channel and answers through another.
@MainActor
final class ChannelLoader {
  private let requests = AsyncChannel<Int>()
  private let answers = AsyncChannel<Int>()

  init() {
    Task { @concurrent [requests, answers] in
      for await number in requests {
        guard let value = try? await Doubling().load(number, reporting: LoadEvents()) else { break }
        await answers.send(value)
      }
    }
  }

  deinit {
    requests.finish()
  }

  func load(_ number: Int) async -> Int? {
    await requests.send(number)
    for await answer in answers { return answer }
    return nil
  }
}
