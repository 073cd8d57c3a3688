// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import Glibc
import JSONCoding
import Search

// Measures the search index: `index-benchmark DIRECTORY [ENTRIES]`. The directory must not exist. What other programs
// do makes no difference with PROCESSOR_TIME=1.

let arguments = CommandLine.arguments
guard arguments.count >= 2, mkdir(arguments[1], 0o700) == 0 else {
  print("usage: index-benchmark DIRECTORY [ENTRIES]; the directory must not exist")
  exit(64)
}
let count = arguments.count > 2 ? Int(arguments[2]) ?? 100_000 : 100_000

/// The processor time of this process. Other programs do not change it.
func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

func elapsedTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

let now = getenv("PROCESSOR_TIME") == nil ? elapsedTime : processorTime

func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }

func padded(_ value: Double) -> String { String((value * 100).rounded() / 100) }

/// Prints how long the calls took.
func report(_ name: String, _ times: [Duration], _ more: String = "") {
  let sorted = times.sorted()
  let middle = milliseconds(sorted[sorted.count / 2])
  let late = milliseconds(sorted[min(sorted.count * 99 / 100, sorted.count - 1)])
  print("\(name): p50 \(padded(middle)) ms, p99 \(padded(late)) ms, n \(times.count) \(more)")
}

/// Words as in real texts: few are frequent, and most are rare.
struct Vocabulary {
  var state: UInt64 = 42
  let words: [String]

  init() {
    var numbers = UInt64(7)
    var words: [String] = []
    let letters = Array("eeeeettttaaaooiinnsshhrrdlucmfwypvbgkjqxz")
    while words.count < 40_000 {
      var word = ""
      numbers = numbers &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let length = 2 + Int(numbers >> 33) % 9
      for _ in 0..<length {
        numbers = numbers &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        word.append(letters[Int(numbers >> 33) % letters.count])
      }
      words.append(word)
    }
    // Frequent words are short in all languages.
    self.words = words.prefix(2000).sorted { $0.count < $1.count } + words.dropFirst(2000)
  }

  mutating func random() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / Double(1 << 53)
  }

  /// Zipf's law: the n-th word is as frequent as 1/n.
  mutating func word() -> String { words[min(Int(exp(random() * log(Double(words.count)))) - 1, words.count - 1)] }

  mutating func text(_ count: Int) -> String { (0..<count).map { _ in word() }.joined(separator: " ") }
}

var vocabulary = Vocabulary()

@MainActor func entry(_ number: Int) throws -> SavedEntry {
  var entry = SavedEntry(identifier: "https://example.org/documents/\(number)")
  entry.title = "\(vocabulary.text(6)) \(number)"
  entry.keywords = (0..<4).map { _ in vocabulary.word() }
  entry.contentDescription = vocabulary.text(30) + " the"
  if number % 20_000 == 7 { entry.contentDescription? += " rareword" }
  entry.activity = try ActivityRecord(id: .random(), activityType: "org.example.reading")
  entry.activity?.webpageURL = entry.identifier
  entry.activity?.userInfo = try UserInfo(json: .object(["page": .integer(Int64(number)), "zoom": .double(1.5)]))
  entry.isEligibleForSearch = true
  entry.isEligibleForPrediction = true
  return entry
}

func memory() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss / 1024
}

let directory = "\(arguments[1])/index"
var start = now()
var index = try SearchIndex(directory: directory) { "generation" }
print("open a new index: \(padded(milliseconds(now() - start))) ms")
let before = memory()

var single: [Duration] = []
var hundreds: [Duration] = []
var number = 0
while number < count {
  let entries = try (0..<100).map { try entry(number + $0) }
  start = now()
  try index.put(entries, application: "org.example.app\(number / 100 % 10)", now: Double(number) + 1e9)
  hundreds.append(now() - start)
  number += 100
}
report("put 100 entries", hundreds, "(all: \(padded(milliseconds(hundreds.reduce(.zero, +)))) ms)")
for _ in 0..<300 {
  let one = try entry(number)
  start = now()
  try index.put([one], application: "org.example.app1", now: Double(number) + 1e9)
  single.append(now() - start)
  number += 1
}
report("put 1 entry", single)
single = []
for again in 0..<300 {
  var one = try entry(again * 10)
  one.title = "Changed \(again)"
  start = now()
  try index.put([one], application: "org.example.app0", now: Double(number) + 1e9)
  single.append(now() - start)
}
report("replace 1 entry", single)
start = now()
try index.eraseReplaced()
print("erase what was replaced in all tables: \(padded(milliseconds(now() - start))) ms")

let reader = IndexReader(directory: directory)
print("size: \(try reader.status().size / 1_000_000) MB, memory: \(memory()) MB (at the start \(before))")

let date = Double(number) + 1e9
let words = vocabulary.words
let searches = [
  "e", "t", "z", "th", "the", "the q", "q the", "rareword", "the rareword", "rareword t", words[0],
  "\(words[0]) \(words[1])",
  "\(words[0]) \(words[3000])", "\(words[3000]) \(words[4000])", "\(words[0]) \(words[1]) \(words[2]) e",
  "\(words[300]) \(words[200]) x", "\(words[100]) \(words[101])", "nosuchword", "the nosuchword", "99999", "changed",
]
var all: [Duration] = []
for text in searches {
  guard let search = SearchWords(text) else { continue }
  var times: [Duration] = []
  var found = 0
  for _ in 0..<50 {
    start = now()
    found = try reader.search(search, limit: 20, now: date).count
    times.append(now() - start)
  }
  all += times
  report("search \(text)", times, "found \(found)")
}
report("search, all of these", all)
var typed: [Duration] = []
for _ in 0..<200 {
  let text = vocabulary.text(2)
  for length in 1...text.count {
    guard let search = SearchWords(String(text.prefix(length))) else { continue }
    start = now()
    _ = try reader.search(search, limit: 20, now: date)
    typed.append(now() - start)
  }
}
report("search, two words as typed", typed)
var times: [Duration] = []
for _ in 0..<100 {
  start = now()
  _ = try reader.suggestions(limit: 10, now: date, utcOffset: 3600)
  times.append(now() - start)
}
report("suggest", times)
times = []
for _ in 0..<20 {
  start = now()
  _ = try reader.status()
  times.append(now() - start)
}
report("status", times)
times = []
for each in 0..<50 {
  let gone = each * 1990 / 1000 * 1000 + 1
  start = now()
  try index.delete(
    .activities(["https://example.org/documents/\(gone)"]),
    application: "org.example.app\(gone / 100 % 10)"
  )
  times.append(now() - start)
}
report("delete 1 entry", times)

print("memory: \(memory()) MB")
index.close()
start = now()
index = try SearchIndex(directory: directory) { "generation" }
print("open: \(padded(milliseconds(now() - start))) ms")
start = now()
let deleted = try index.delete(.allActivities, application: "org.example.app3")
print("delete all \(deleted) entries of an app: \(padded(milliseconds(now() - start))) ms")
var everything = ForgottenEntries()
everything.all = true
start = now()
let forgotten = try index.forget(everything)
print("forget all \(forgotten) entries: \(padded(milliseconds(now() - start))) ms")
print("size: \(try reader.status().size / 1000) kB")
