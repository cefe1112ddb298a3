import Dispatch
import FieldstoneCore
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One transfer, with the data received so far.
final class URLTransfer: Sendable {
  private struct State {
    /// Cancels the session's task.
    var cancelTask: (@Sendable () -> Void)?
    var response: HTTPURLResponse?
    var body = Data()
    /// The latest progress, while its delivery waits for that of an earlier one.
    var waitingProgress: LoadProgress?
    var isOver = false
  }

  private enum Progress {
    case none, tooLarge
    case received(Int)
    /// The rest of a refusal's body is not needed.
    case refused(Data)
  }

  private let channel: LoadChannel<ServerResponse>
  private let request: URLRequest
  private let bodyLimit: Int
  private let time: TimeSource
  private let state = Locked(State())
  /// Delivers the reports and then the end.
  ///
  /// All transfers share the session's queue, so that one must not wait for users' closures.
  private let reports = DispatchQueue(label: "fieldstone.loading.reports")

  init(
    _ request: URLRequest, bodyLimit: Int, time: TimeSource, channel: LoadChannel<ServerResponse>
  ) {
    self.request = request
    self.bodyLimit = bodyLimit
    self.time = time
    self.channel = channel
  }

  /// Whether no response is needed any more.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Notes how the session's task is cancelled, and cancels it if it is not needed any more.
  func started(cancelling cancelTask: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver { state.cancelTask = cancelTask }
      return state.isOver
    }
    if isOver { cancelTask() }
  }

  /// Ends the load at once, and cancels the transfer.
  func cancel() {
    channel.cancel()
    stop()
  }

  func receive(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else {
      return end(with: .failure(URLProviderError.notHTTP(url: response.url)))
    }
    state.withLock { $0.response = response }
    if isSuccess(response), expected(of: response) ?? 0 > Int64(bodyLimit) {
      end(with: .failure(tooLarge(response)))
    } else {
      report(received: 0, of: response)
    }
  }

  func receive(_ data: Data) {
    let (progress, response) = state.withLock { state -> (Progress, HTTPURLResponse?) in
      if state.isOver { return (.none, nil) }
      let room = bodyLimit - state.body.count
      if data.count > room, let response = state.response, !isSuccess(response) {
        return (.refused(state.body + data.prefix(room)), response)
      }
      guard data.count <= room else { return (.tooLarge, state.response) }
      state.body.append(data)
      return (.received(state.body.count), state.response)
    }
    switch progress {
    case .none: break
    case .tooLarge: end(with: .failure(tooLarge(response)))
    case .refused(let body):
      if let response { end(with: outcome(response, body)) }
    case .received(let count): report(received: count, of: response)
    }
  }

  /// Ends the transfer.
  ///
  /// - Parameter response: that of the session's task. Linux does not announce a redirect that
  ///   names no address.
  func complete(_ error: (any Error)?, response: URLResponse?) {
    let (received, body) = state.withLock { ($0.response, $0.body) }
    if let error {
      var cause = error as? URLError ?? URLError(.unknown)
      // Linux has no error code for a connection that is lost during a response.
      if cause.code == .unknown, received != nil {
        cause = URLError(.networkConnectionLost, userInfo: cause.errorUserInfo)
      }
      end(with: .failure(URLProviderError.transfer(cause, url: request.url)))
    } else if let response = received ?? response as? HTTPURLResponse {
      end(with: outcome(response, body))
    } else {
      end(with: .failure(URLProviderError.notHTTP(url: request.url)))
    }
  }

  private func isSuccess(_ response: HTTPURLResponse) -> Bool {
    (200...299).contains(response.statusCode)
  }

  private func outcome(_ response: HTTPURLResponse, _ body: Data) -> Outcome<ServerResponse> {
    let headers = response.allHeaderFields.compactMap { name, value in
      (name as? String).map { ($0, "\(value)") }
    }
    let answer = ServerResponse(
      status: response.statusCode, headers: ResponseHeaders(headers), body: body,
      url: response.url)
    guard isSuccess(response) else {
      let wait = RetryAfter.duration(in: answer.headers, time: time)
      return .failure(URLProviderError.status(answer, retryAfter: wait))
    }
    return .success(answer)
  }

  private func end(with outcome: Outcome<ServerResponse>) {
    reports.async { [channel] in channel.end(with: outcome) }
    stop()
  }

  /// Cancels the transfer; a no-op if it is complete.
  private func stop() {
    let cancelTask = state.withLock { state in
      state.isOver = true
      state.body = Data()
      return state.cancelTask.take()
    }
    cancelTask?()
  }

  private func report(received: Int, of response: HTTPURLResponse?) {
    let length = response.flatMap { expected(of: $0) } ?? 0
    let progress: LoadProgress =
      length > 0 ? .fraction(Double(received) / Double(length)) : .indeterminate
    // The first report is never replaced: it says that the response has begun.
    if received == 0 { return reports.async { [channel] in channel.progress(progress) } }
    let isWaiting = state.withLock { state in
      defer { state.waitingProgress = progress }
      return state.waitingProgress != nil
    }
    if isWaiting { return }
    reports.async { [self] in
      if let progress = state.withLock({ $0.waitingProgress.take() }) { channel.progress(progress) }
    }
  }

  /// The number of bytes that the server announced.
  private func expected(of response: HTTPURLResponse) -> Int64? {
    // A response to HEAD announces the length of a body that it does not have.
    guard request.httpMethod != "HEAD", response.expectedContentLength >= 0 else { return nil }
    return response.expectedContentLength
  }

  private func tooLarge(_ response: HTTPURLResponse?) -> URLProviderError {
    .bodyTooLarge(limit: bodyLimit, url: response?.url ?? request.url)
  }
}
