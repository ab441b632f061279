/// A unit whose rendering runs third-party code: it, and all that it pulls, stays on the rendering thread.
package protocol ForeignCodeUnit: Unit {}

extension Unit {
  package final var runsForeignCode: Bool { self is any ForeignCodeUnit }
}
