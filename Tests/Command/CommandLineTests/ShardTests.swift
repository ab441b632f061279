import Foundation
import TestSupport
import Testing

/// A batch in parts, and the parts as tasks of a Slurm that stands in for one.
@Suite("Shards on the command line")
struct ShardTests {
  private let folder = TemporaryFolder()

  private func run(_ script: String) throws -> Program.Result { try Program.shell(script, in: folder) }

  init() throws {
    folder.write(
      """
      {"version": 1, "inputs": "\(Program.audio)/*.flac", "output": "out/{name}.wav", "sampleRate": 32000}
      """, to: "job.json")
  }

  @Test func makeTheWholeAndAreMerged() throws {
    let shards = try run(
      "for k in 1 2 3; do \"$AUBENCH\" batch job.json --shard $k/3 --json | grep -c '\"status\"'; done; ls *.journal")
    #expect(shards.code == 0, "\(shards.errors)")
    let lines = shards.output.split(separator: "\n")
    let jobs: Int = lines.prefix(3).compactMap { Int($0) }.reduce(0, +)
    #expect(jobs == 8)
    #expect(
      lines.dropFirst(3) == ["job.shard-1-of-3.journal", "job.shard-2-of-3.journal", "job.shard-3-of-3.journal"])
    let merged = try run("\"$AUBENCH\" batch merge job.json --csv r.csv; ls *.journal")
    #expect(merged.output == "8 of 8 files made\n\(merged.output.split(separator: "\n")[1])\njob.journal\n")
    #expect(try run("grep -c ,made, r.csv").output == "8\n")
    // From another folder it is the same job, and so are its shards.
    let again = try run(
      "cd /; \"$AUBENCH\" batch \"$OLDPWD/job.json\"; \"$AUBENCH\" batch \"$OLDPWD/job.json\" --shard 1/2")
    #expect(again.output.hasPrefix("0 of 8 files made, 8 up to date\n"), "\(again.output)")
    #expect(again.output.contains("\n0 of ") && again.errors.isEmpty)
  }

  @Test func ofLongAgoDoNotHideWhatWasMadeSince() throws {
    let result = try run(
      """
      mkdir in; cp '\(Program.audio)'/[bd]*.flac in; sed -i 's|"inputs": "[^"]*"|"inputs": "in/*.flac"|' job.json
      for k in 1 2; do "$AUBENCH" batch job.json --shard $k/2 -q; done
      cp '\(Program.audio)/guitar.flac' in/bass.flac; "$AUBENCH" batch job.json
      "$AUBENCH" batch merge job.json; echo "code $?"; "$AUBENCH" batch job.json
      """)
    #expect(result.errors.isEmpty && result.output.contains("code 0\n"), "\(result.output)\(result.errors)")
    #expect(result.output.hasSuffix("0 of 2 files made, 2 up to date\n"), "\(result.output)")
  }

  @Test func thatAreMissingAreFailures() throws {
    let merged = try run(
      "\"$AUBENCH\" batch job.json --shard 1/2 --quiet; rm -f out/$(ls out | head -n 1); \"$AUBENCH\" batch merge job.json"
    )
    #expect(merged.code == 5)
    #expect(merged.errors.hasPrefix("aubench: warning: there is no journal of shard 2/2\n"), "\(merged.errors)")
    #expect(merged.errors.contains(".wav: has not been made; run the job, or its shard, again\n"))
    #expect(merged.errors.contains(".wav: was made, and has been changed or removed since;"))
    let named = try run("\"$AUBENCH\" batch merge job.json none.journal")
    #expect(named.code == 4 && named.errors.hasPrefix("aubench: none.journal: "), "\(named.errors)")
  }

  @Test func areCommandsOfTwoWordsAndJobsMayBeCalledSo() throws {
    #expect(try run("\"$AUBENCH\" help batch merge").output.hasPrefix("Usage: aubench batch merge JOB [JOURNAL...]"))
    #expect(try run("\"$AUBENCH\" batch submit --help").output.hasPrefix("Usage: aubench batch submit JOB"))
    let missing = try run("\"$AUBENCH\" batch merge")
    #expect(missing.code == 2 && missing.errors.hasPrefix("aubench: batch merge: JOB is missing"))
    let job = try run("cp job.json merge; \"$AUBENCH\" batch ./merge")
    #expect(job.code == 0 && job.output.hasPrefix("8 of 8 files made\n"))
    let wrong = try run("\"$AUBENCH\" batch job.json --shard 4/3")
    #expect(wrong.code == 2 && wrong.errors.hasPrefix("aubench: option --shard: \"4/3\" is not one of N parts"))
  }

  /// The text in front of a line: Slurm's commands, and their settings.
  private static let slurm = """
    export FAKE_SLURM="$PWD/slurm" PATH="\(Program.repository)/Tests/Cluster/fake-slurm:$PATH"
    mkdir -p slurm; trap '"\(Program.repository)/Tests/Cluster/fake-slurm/stop"' EXIT

    """

  @Test func areSubmittedAndAgainWhereTheyAreLost() throws {
    let result = try run(
      Self.slurm + "echo 1 >slurm/lose; \"$AUBENCH\" batch submit job.json --slurm --shards 1 --html r.html")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("8 of 8 files made\n"))
    let told = result.errors.split(separator: "\n")
    #expect(told.count == 3 && told[0] == "aubench: 1 shard submitted as Slurm's job 1", "\(told)")
    #expect(told[1] == "aubench: warning: shard 1 was lost (NODE_FAIL), and is submitted again")
    #expect(
      try run("ls; \"$AUBENCH\" batch job.json").output.hasPrefix("job.journal\njob.json\nout\nr.html\nslurm\n0 of 8"))
  }

  @Test func areGivenUpAtLastAndLogsStay() throws {
    let result = try run(
      Self.slurm
        + "printf '1\\n1\\n' >slurm/lose; \"$AUBENCH\" batch submit job.json --slurm --shards 1 --resubmit 1 -q")
    #expect(result.code == 5)
    #expect(result.errors.contains("shard 1 was lost each time, at last by NODE_FAIL; its log is "), "\(result.errors)")
    #expect(result.errors.contains("out/bass.wav: has not been made;"))
    // The next one begins anew.
    let again = try run(Self.slurm + "\"$AUBENCH\" batch submit job.json --slurm -q; ls job.shards 2>&1 | head -n 1")
    #expect(again.code == 0 && again.errors.isEmpty, "\(again.errors)")
  }

  @Test func areWatchedAgainByASecondProcess() throws {
    let result = try run(
      Self.slurm + """
        FAKE_SLURM_AT_ONCE=0 timeout --preserve-status -s INT 2 "$AUBENCH" batch submit job.json --slurm --shards 2; echo "code $?"
        cat job.json >kept; echo >>job.json; "$AUBENCH" batch submit job.json --slurm --shards 2; echo "code $?"
        mv kept job.json; for job in 1; do scancel 1; done
        timeout 60 "$AUBENCH" batch submit job.json --slurm --shards 2; echo "code $?"
        """)
    let codes = result.output.split(separator: "\n").filter { $0.hasPrefix("code") }
    #expect(codes.prefix(2) == ["code 130", "code 2"], "\(result.output) \(result.errors)")
    #expect(result.errors.contains("stopped by SIGINT while it watched: the shards go on"))
    #expect(result.errors.contains("2 shards of the job as it was are under way here, as Slurm's job 1;"))
    #expect(result.errors.contains("shards were submitted before, as Slurm's job 1: watching"))
    #expect(result.errors.contains("shard 1 was cancelled") && codes.last == "code 5")
  }

  /// A line break, quotes, `$()`, backquotes, `#`, a backslash, an accent behind a quote, `%A` and a byte that is not
  /// UTF-8, in a job's name and in its folder's. An unquoted part anywhere would make a file "door".
  @Test func areOfJobsWithAnyName() throws {
    let result = try run(
      Self.slurm + #"""
        name="$(printf '\n: >door\n#%%A \047\314\201"$(: >door2)`: >door3` \\ \377;: >door4\n')"
        mkdir -- "-$name"; mv job.json "./-$name/-$name.json"; cd -- "-$name" || exit 1
        timeout 120 "$AUBENCH" batch submit "./-$name.json" --slurm --shards 2 --quiet; echo "code $?"
        ls out | wc -l; ls -q | wc -l; find .. -maxdepth 2 -name 'door*'
        """#)
    #expect(result.output == "code 0\n8\n3\n", "\(result.output)\(result.errors)")
    #expect(result.errors.isEmpty, "\(result.errors)")
  }

  @Test func needASlurm() throws {
    let without = try run("PATH=/usr/bin:/bin; command -v sbatch || \"$AUBENCH\" batch submit job.json --slurm")
    if without.output.isEmpty {
      #expect(
        without.code == 5 && without.errors.hasPrefix("aubench: sbatch: is not installed here"), "\(without.errors)")
    }
    let unnamed = try run("\"$AUBENCH\" batch submit job.json")
    #expect(unnamed.code == 2 && unnamed.errors.hasPrefix("aubench: batch submit: what runs the shards is not named"))
    let refused = try run(Self.slurm + "\"$AUBENCH\" batch submit job.json --slurm --sbatch=--nonsense -q")
    #expect(refused.code == 5 && refused.errors.contains("sbatch: "), "\(refused.errors)")
  }
}
