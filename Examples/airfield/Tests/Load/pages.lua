-- Asks for the pages of a file, a line each, from a place in it of each thread's own.

local paths = {}
local threads = 0

function setup(thread)
  thread:set("first", threads)
  threads = threads + 1
end

function init(arguments)
  for path in io.lines(arguments[1]) do
    table.insert(paths, path)
  end
  at = first * 7
end

function request()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    "figures %d %d %d %d %d %d %d %d\n",
    summary.requests, summary.duration, summary.bytes,
    latency:percentile(50), latency:percentile(90), latency:percentile(99), latency.max,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
