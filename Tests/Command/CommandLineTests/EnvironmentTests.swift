import TestSupport
import Testing

@Suite("Environment variables of the program")
struct EnvironmentTests {
  @Test("A value that a variable does not take is an error that names both, before anything is done")
  func wrongValues() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 100).bytes, to: "in.wav")
    let result = try Program.shell(
      #"""
      for line in ISA=avx3 ISA=AVX2 THREADS=0 THREADS=257 THREADS=two MAXIMUM_FRAMES=0 MAXIMUM_FRAMES=1e3 MEMORY=much LOG=yes \
        COMPONENT_LOG=2 DEVICE_RATE=1 DEVICE_FRAMES=0 DEVICE_CLOCK=fast DEVICE_SECONDS=-1 DEVICE_SECONDS=3000001 SCANNER=/none \
        DECODER=/none; do
        env "AUBENCH_$line" "$AUBENCH" convert in.wav out.wav 2>err.txt; code=$?
        grep -q "AUBENCH_${line%%=*}.*${line#*=}" err.txt && echo "$code $(wc -l <err.txt)" || cat err.txt
      done
      ls; env AUBENCH_ISA= AUBENCH_THREADS= AUBENCH_SCANNER= AUBENCH_DECODER= AUBENCH_LOG=0 "$AUBENCH" convert in.wav out.wav -q; echo "code $?"
      env AUBENCH_ISA=baseline AUBENCH_THREADS=2 AUBENCH_LOG=1 "$AUBENCH" convert in.wav out.wav -q; echo "code $?"
      """#, in: folder)
    let expected = String(repeating: "2 1\n", count: 17) + "err.txt\nin.wav\ncode 0\ncode 0\n"
    #expect(result.output == expected && result.errors.isEmpty, "\(result.output)\(result.errors)")
  }

  @Test("A scenario lasts 3000000 s at the most; a transcript of another version is named so, and not called different")
  func versionsAndBounds() throws {
    let folder = TemporaryFolder()
    folder.write(#"{"version": 1, "device": {"clock": "free"}, "seconds": 3000001}"#, to: "long.json")
    folder.write(
      #"""
      {"version": 1, "nodes": [{"id": "io", "unit": "remoteIO", "scenario": "long.json"}, {"id": "n", "unit": "lowPassFilter"}],
       "connections": ["n -> io"]}
      """#, to: "g.json")
    for (version, text) in [
      ("2", "is a transcript of version 2; this program reads version 1"), ("x", "is no transcript"),
      ("", "is no transcript"),
    ] {
      folder.write("aubench transcript \(version)\n\nthread\n", to: "t\(version).txt")
      let result = try Program.run("trace", "--golden", "t\(version).txt", "true", in: folder)
      #expect(result.code == 4 && result.errors.contains(text), "\(result.errors)")
    }
    let long = try Program.run("render", "g.json", "-o", "x.wav", in: folder)
    #expect(long.code != 0 && long.errors.contains("3000000") && !folder.exists("x.wav"), "\(long.errors)")
  }
}
