import AudioToolbox
import Testing

@Test func theModuleImports() { #expect(Bool(true)) }
