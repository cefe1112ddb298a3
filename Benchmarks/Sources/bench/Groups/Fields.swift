import Harness

/// Observation and fields: what it costs to tell, to come and go, to set and get, and to keep.
let fields = Area("fields") {
  notify(1, atMost: 0.5)
  notify(10, atMost: 0.35)
  notify(100, atMost: 0.35)
  notify(1_000, atMost: 0.35)
  notifyWeak(100)
  churn(10)
  churn(1_000)
  churn(100_000)
  set(1, atMost: 1)
  set(100, atMost: 0.5)
  get
  twoWay
  chain(100)
  arrayAssign
  fieldMemory
}
