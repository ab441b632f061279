// swift-tools-version: 6.2
// A package of somebody else's, with a unit of his own: what docs/own-units.md shows. `Scripts/test-own-units` builds it outside
// this repository.

import PackageDescription

let aubench = Context.environment["AUBENCH"] ?? "../.."

let package = Package(
  name: "OwnUnits",
  dependencies: [.package(name: "aubench", path: aubench)],
  targets: [
    .target(name: "OwnUnits", dependencies: [.product(name: "AudioUnits", package: "aubench")]),
    .testTarget(
      name: "OwnUnitsTests",
      dependencies: [
        "OwnUnits", .product(name: "AudioToolboxUnits", package: "aubench"),
        .product(name: "VerificationTesting", package: "aubench"),
      ]),
  ]
)
