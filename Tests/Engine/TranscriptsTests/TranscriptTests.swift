import AudioCore
import Foundation
import Testing
import Transcripts

/// Recorded calls appear as they were made, whatever the threads did, and folded lines can be unfolded.
@Suite("Transcripts of calls")
struct TranscriptTests {
  private func recorder() throws -> CallRecorder { CallRecorder(try #require(CallMemory())) }

  /// Records on a thread of its own, as the recorder's memory of a thread is for the process's one recorder.
  private func onThread(_ body: @escaping @Sendable () -> Void) throws {
    try #require(JoinedThread(body)).join()
  }

  @Test("calls stand inside those that made them, with time, frames, flags and what was answered")
  func nesting() throws {
    let recorder = try recorder()
    try onThread {
      recorder.nameThread("device")
      let subject = recorder.makeSubject("rioc")
      let cycle = recorder.begin(.cycle, "device cycle", at: CallMoment(sampleTime: 0, frames: 512))
      let render = recorder.begin(
        .function, "AudioUnitRender(_:_:)", subject, at: CallMoment(sampleTime: 0.5, frames: 93, bus: 1, flags: 0))
      recorder.end(render, status: -10863, flags: 1 << 4)
      recorder.end(cycle)
      let get = recorder.begin(.function, "AudioUnitGetParameter", recorder.makeSubject("rioc"), arguments: "volume")
      recorder.end(get, result: "0.5")
      _ = recorder.begin(.callback, "render notify", at: CallMoment(flags: 1 << 2))
    }
    #expect(
      Transcript(recorder.memory).text() == """
        aubench transcript 1

        thread device
          device cycle, time 0, 512 frames
            AudioUnitRender rioc 1, bus 1, time 0.5, 93 frames, no flags to OutputIsSilence → cannot be done right now (-10863)
          AudioUnitGetParameter rioc 2: volume = 0.5
          render notify, PreRender to no flags → did not return

        """)
  }

  @Test("two threads have the same transcript, however they were scheduled")
  func threads() throws {
    var texts: Set<String> = []
    for seed in 0..<20 as Range<UInt64> {
      let recorder = try recorder()
      // The second one's calls begin behind the first of the first one, which may be over then.
      let hasBegun = Semaphore()
      let makes: @Sendable (StaticString, UInt64) -> Void = { name, seed in
        var random = SplitMix64(seed: seed)
        for turn in 0..<100 {
          let mark = recorder.begin(.function, name, at: CallMoment(sampleTime: Double(turn * turn)))
          if turn == 0 { hasBegun.signal() }
          if random.next() % 4 == 0 { usleep(1) }
          recorder.end(mark)
        }
      }
      let first = try #require(JoinedThread { makes("first", seed) })
      let second = try #require(
        JoinedThread {
          hasBegun.wait()
          makes("second", seed &+ 1000)
        })
      first.join()
      second.join()
      texts.insert(Transcript(recorder.memory).text())
    }
    #expect(texts.count == 1)
  }

  @Test("what is folded unfolds to a line for each call: random sequences with much that comes again")
  func folding() throws {
    var folded = 0
    for seed in 0..<120 as Range<UInt64> {
      let recorder = try recorder()
      try onThread {
        var random = SplitMix64(seed: seed)
        var time = 0.0
        func call(_ depth: Int) {
          let names: [StaticString] = ["a", "b"]
          let hasTime = random.next() % 4 != 0
          let mark = recorder.begin(
            .render, names[Int(random.next() % 2)],
            at: hasTime ? CallMoment(sampleTime: time, frames: 64) : CallMoment())
          if depth < 3 { for _ in 0..<random.next() % 3 { call(depth + 1) } }
          recorder.end(mark, status: random.next() % 16 == 0 ? -50 : 0)
        }
        for _ in 0..<4 {
          let start = random
          let count = Int(random.next() % 4) + 1
          for _ in 0..<Int(start.peek % 6) + 1 {
            random = start
            for _ in 0..<count { call(0) }
            time += Double(start.peek % 3) * 64
          }
        }
      }
      let transcript = Transcript(recorder.memory)
      let text = transcript.text()
      if text.contains("…") { folded += 1 }
      #expect(try Unfolding.text(text) == transcript.text(folds: false), "seed \(seed)")
    }
    #expect(folded > 40)
  }

  @Test("clocks of several rates: what goes on in each of them stands once, and unfolds")
  func severalClocks() throws {
    let recorder = try recorder()
    try onThread {
      recorder.nameThread("device")
      var (device, app) = (0.0, 100.0)
      for cycle in 0..<60 {
        let mark = recorder.begin(.cycle, "device cycle", at: CallMoment(sampleTime: device, frames: 512))
        // 44.1 on 48 kHz: 470 or 471.
        let frames = (cycle + 1) * 2352 / 5 - cycle * 2352 / 5
        recorder.end(recorder.begin(.callback, "callback", at: CallMoment(sampleTime: app, frames: frames, bus: 1)))
        recorder.end(mark)
        device += 512
        app += Double(frames)
        // A gap of the device's clock.
        if cycle == 29 { device += 1024 }
      }
    }
    let transcript = Transcript(recorder.memory)
    let text = transcript.text()
    #expect(text.contains("… these 5 again 5 times, each from the end of the one before"), "\(text)")
    #expect(text.split(separator: "\n").count < 40)
    #expect(try Unfolding.text(text) == transcript.text(folds: false))
  }

  @Test("calls beyond the memory's room are counted and not kept")
  func room() throws {
    let recorder = try recorder()
    try onThread {
      recorder.nameThread("busy")
      for _ in 0..<CallMemory.capacity + 7 { recorder.note(.event, "event") }
    }
    let transcript = Transcript(recorder.memory)
    #expect(transcript.lostCalls == 7)
    #expect(
      transcript.text().hasSuffix(
        "\n\nthread busy\n  event\n  … again \(CallMemory.capacity - 1) times\n\n7 calls more, for which there was no room\n"
      ),
      "\(transcript.text().suffix(200))")
  }

  @Test("a text that is too long is cut, and control characters are made visible")
  func longTexts() throws {
    let recorder = try recorder()
    try onThread {
      recorder.note(.event, "event", arguments: String(repeating: "x", count: 300))
      recorder.note(.event, "event", arguments: "a\u{1B}[2Jb")
    }
    let text = Transcript(recorder.memory).text()
    #expect(text.contains("event: " + String(repeating: "x", count: 178) + "\n"))
    #expect(!text.contains("\u{1B}"))
  }

  @Test("threads of one name that ran one after the other come in that order, whatever they called")
  func oneAfterTheOther() throws {
    let recorder = try recorder()
    let names: [StaticString] = ["last", "first", "middle"]
    for name in names {
      try onThread {
        recorder.nameThread("a name that is longer")
        recorder.nameThread("device")
        recorder.note(.cycle, name)
      }
    }
    let parts = Transcript(recorder.memory).text().split(separator: "\n\n").dropFirst()
    #expect(parts.map { $0.trimmingCharacters(in: .newlines) } == names.map { "thread device\n  \($0)" })
  }

  @Test("hundreds of threads each have their own calls")
  func manyThreads() throws {
    let recorder = try recorder()
    for number in 0..<600 {
      try onThread {
        recorder.nameThread("worker \(number)")
        recorder.note(.function, "call", arguments: "\(number)")
      }
    }
    let transcript = Transcript(recorder.memory)
    #expect(transcript.threads.count == 600 && transcript.lostCalls == 0)
    #expect(transcript.threads.allSatisfy { $0.name == "worker \($0.calls.first?.arguments ?? "")" })
  }

  @Test("calls that lie a hundred deep in one another: as many lines, and no more work for each than for the others")
  func deep() throws {
    let recorder = try recorder()
    let depth = 100
    try onThread {
      func call(_ left: Int) {
        guard left > 0 else { return }
        for half in 0..<2 where half == 0 || left % 25 == 0 {
          let mark = recorder.begin(.render, "render", at: CallMoment(sampleTime: Double(half), frames: 1))
          call(left - 1)
          recorder.end(mark)
        }
      }
      call(depth)
    }
    let transcript = Transcript(recorder.memory)
    #expect(try Unfolding.text(transcript.text()) == transcript.text(folds: false))
  }

  @Test("a program that writes over the memory that it shares cannot end who reads it")
  func overwritten() throws {
    for seed in 0..<12 as Range<UInt64> {
      let (memory, descriptor) = try #require(CallMemory.shared())
      defer { close(descriptor) }
      let recorder = CallRecorder(memory)
      try onThread { for _ in 0..<20 { recorder.note(.function, "call", arguments: "x") } }
      var random = SplitMix64(seed: seed)
      for _ in 0..<200 {
        // The header behind its first word, names, and the first records.
        let place = [8 + random.next() % 48, 4096 + random.next() % 64, (1 << 18) + random.next() % 5120]
        var byte = UInt8(truncatingIfNeeded: random.next())
        #expect(pwrite(descriptor, &byte, 1, Int(place[Int(random.next() % 3)])) == 1)
      }
      // Reading to the end takes long where the count says that all of the memory is used; nothing there is published.
      let transcript = Transcript(memory)
      #expect(transcript.lostCalls >= 0 && transcript.text().hasPrefix("aubench transcript 1"))
    }
  }

  @Test("where two transcripts part is shown with what comes before")
  func difference() throws {
    let old = (1...20).map { "line \($0)" }.joined(separator: "\n") + "\n"
    #expect(TranscriptDifference(expected: old, found: old) == nil)
    let new = old.replacing("line 7\n", with: "another\nand one more\n")
    let difference = try #require(TranscriptDifference(expected: old, found: new))
    #expect(difference.line == 7)
    #expect(difference.text == "  line 4\n  line 5\n  line 6\n- line 7\n+ another\n+ and one more\n  line 8\n  line 9")
    #expect(TranscriptDifference(expected: "", found: old)?.line == 1)
  }
}

extension SplitMix64 {
  /// The next number, which stays the next.
  fileprivate var peek: UInt64 {
    var copy = self
    return copy.next()
  }
}

/// Reads a folded transcript back: written from the page that says what the lines mean, and not from the code that
/// makes them.
private enum Unfolding {
  static func text(_ text: String) throws -> String {
    var result: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      let depth = line.prefix { $0 == " " }.count
      let words = line.dropFirst(depth).split(separator: " ").map(String.init)
      guard words.first == "…" else {
        result.append(line)
        continue
      }
      // … again 3 times, each 64 frames later;  … these 2 again once
      let period = words[1] == "these" ? try #require(Int(words[2])) : 1
      let rest = Array(words[(try #require(words.firstIndex(of: "again")) + 1)...])
      let times = rest[0].hasPrefix("once") ? 1 : try #require(Int(rest[0]))
      let shift = rest.contains("later") ? try #require(Double(rest[rest.count - 3])) : 0
      // The lines of the last calls of this depth.
      var start = result.count
      var found = 0
      while found < period {
        start -= 1
        if result[start].prefix(while: { $0 == " " }).count == depth { found += 1 }
      }
      let block = Array(result[start...])
      let goesOn = rest.contains("end")
      for time in 1...times {
        for line in block {
          result.append(goesOn ? try onward(line, after: result) : try later(line, by: shift * Double(time)))
        }
      }
    }
    return result.joined(separator: "\n")
  }

  /// The end of the line before it with the same name and bus.
  private static func onward(_ line: String, after lines: [String]) throws -> String {
    guard let range = line.range(of: ", time ") else { return line }
    let lane = String(line[..<range.lowerBound].drop { $0 == " " })
    let last = try #require(lines.last { $0.drop { $0 == " " }.hasPrefix(lane + ", time ") })
    let numbers = last.matches(of: /, time (-?\d+), (\d+) frames/)
    let match = try #require(numbers.first)
    let end = try #require(Int64(match.output.1)) + (try #require(Int64(match.output.2)))
    let number = line[range.upperBound...].prefix { $0 != "," && $0 != " " }
    return line.replacingCharacters(in: number.startIndex..<number.endIndex, with: "\(end)")
  }

  private static func later(_ line: String, by frames: Double) throws -> String {
    guard let range = line.range(of: ", time ") else { return line }
    let number = line[range.upperBound...].prefix { $0 != "," && $0 != " " }
    let time = try #require(Double(number)) + frames
    return line.replacingCharacters(in: number.startIndex..<number.endIndex, with: "\(Int64(clamping: time))")
  }
}
