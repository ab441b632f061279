import AudioCore
import Verification

// The outcomes of checks, cases and runs, for programs. The keys and their meaning are in
// `docs/verify-report.schema.json`.

extension CheckOutcome: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "id": id, "verdict": verdict.rawValue, "found": found, "expected": expected, "limit": limit,
      "examined": examined.map { examined in
        JSONValue([
          "renders": examined.renders, "frames": examined.frames, "channels": examined.channels,
          "points": examined.points, "lowestHertz": examined.lowestHertz, "highestHertz": examined.highestHertz,
          "values": examined.values,
        ])
      },
      "readings": readings,
      "firstFailure": firstFailure.map { place in
        JSONValue(["frame": place.frame, "seconds": place.seconds, "channel": place.channel])
      },
      "overlay": overlay.map { overlay in
        JSONValue([
          "actual": overlay.actual, "expected": overlay.expected, "lower": overlay.lower, "upper": overlay.upper,
        ])
      },
    ])
  }
}

extension CaseOutcome: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "id": id, "verdict": verdict.rawValue, "suite": suitePath, "command": command, "device": device,
      "seconds": seconds, "firstDifferentNode": firstDifferentNode, "message": message, "standardError": log,
      "checks": checks,
      "files": JSONValue([
        "actual": files.actual, "expected": files.expected, "difference": files.difference,
        "pictures": files.pictures.map { ["title": $0.title, "path": $0.path] },
      ]),
    ])
  }
}

extension RunOutcome: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "format": "aubench verify report", "version": JSONReport.version, "program": program, "startTime": startTime,
      "seconds": seconds, "verdict": verdict.rawValue,
      // A number for each verdict, also where it is 0.
      "counts": Dictionary(uniqueKeysWithValues: Verdict.allCases.map { ($0.rawValue, count($0)) }),
      "suites": SuiteGroup.groups(of: self).map { group in
        JSONValue(["path": group.path, "name": group.name, "cases": group.cases.count, "seconds": group.seconds])
      },
      "cases": cases, "machine": machine.map { ["name": $0.name, "value": $0.value] },
    ])
  }
}

extension FileComparison.Report: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "verdict": isSame ? "same" : "different", "actual": actual, "expected": expected, "checks": outcomes,
      "information": information, "comparedFrames": comparedFrames,
      "difference": difference.map { JSONValue(["path": $0.path, "frames": $0.frames, "bytes": $0.bytes]) },
      "remarks": remarks, "elapsedSeconds": elapsedSeconds,
    ])
  }
}
