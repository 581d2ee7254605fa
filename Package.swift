// swift-tools-version: 6.2
import Glibc
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  // Newer libraries deprecate what the oldest that are supported need.
  .treatWarning("DeprecatedDeclaration", as: .warning),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
/// The program's own: without the standard library's regular expressions (System/TextSearch.swift).
let lean =
  strict + [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])]
let onOneThread = lean + [.defaultIsolation(MainActor.self)]

/// C as distributions build it.
let guards = ["-fstack-protector-strong", "-fstack-clash-protection", "-Wformat", "-Werror=format-security"]
let hardened: [CSetting] = [
  .define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release)), .unsafeFlags(guards),
]
let hardenedCXX: [CXXSetting] = [
  .define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release)), .define("_GLIBCXX_ASSERTIONS"),
  .unsafeFlags(guards),
]

// In a tarball of `make dist` its sources lie beside ours, and nothing is fetched.
let parser = "vendor/swift-argument-parser"
let isVendored = access("\(Context.packageDirectory)/\(parser)/Package.swift", F_OK) == 0

let package = Package(
  name: "autorotate",
  products: [
    .executable(name: "autorotate", targets: ["autorotate"]),
    .executable(name: "autorotate-settings", targets: ["autorotate-settings"]),
    .executable(name: "trace-classifier", targets: ["trace-classifier"]),
  ],
  dependencies: [
    isVendored
      ? .package(path: parser)
      : .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    // Layer 3: the program
    .executableTarget(
      name: "autorotate",
      dependencies: [
        "Autorotation", "Language", "System", "SensorSources", "DesktopBackends", "Configuration",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: lean),

    // The settings window, a separate program, which calls the other over the bus
    .executableTarget(
      name: "autorotate-settings",
      dependencies: ["Autorotation", "Configuration", "Language", "System", "CAdwaita"],
      resources: [.embedInCode("window.ui")],
      swiftSettings: onOneThread),

    // Layer 2: sensors, desktops and files
    .target(
      name: "SensorSources",
      dependencies: ["Autorotation", "Language", "System", "CEvdev", "CLibIIO", "CSystemd"],
      swiftSettings: onOneThread),
    .target(
      name: "DesktopBackends",
      dependencies: [
        "Autorotation", "Language", "System", "CDRM", "CLibWacom", "CWayland", "CWaylandProtocols",
        "CXCB",
      ],
      resources: [.embedInCode("KDE/focus.js")],
      swiftSettings: onOneThread),
    .target(
      name: "Configuration",
      dependencies: ["Autorotation", "Language", "System", "CToml"],
      swiftSettings: lean),

    // Between 1 and 2: messages in the user's language
    .target(name: "Language", dependencies: ["Autorotation", "System", "CIntl"], swiftSettings: lean),

    // Layer 1: the rotation logic, and access to the system: D-Bus, a loop, processes and files
    .target(name: "Autorotation", swiftSettings: lean),
    .target(
      name: "System",
      dependencies: ["CJson", "CSystemd", "CSystemdShims"],
      swiftSettings: onOneThread),

    // Layer 0: C
    .systemLibrary(name: "CAdwaita", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
    .systemLibrary(name: "CDRM", providers: [.apt(["linux-libc-dev"])]),
    .systemLibrary(name: "CEvdev", providers: [.apt(["linux-libc-dev"])]),
    .systemLibrary(name: "CIntl", providers: [.apt(["libc6-dev"])]),
    .systemLibrary(name: "CJson", pkgConfig: "json-c", providers: [.apt(["libjson-c-dev"])]),
    .target(name: "CLibIIO", dependencies: ["CLoader"], cSettings: hardened),
    .target(name: "CLibWacom", dependencies: ["CLoader"], cSettings: hardened),
    .target(name: "CLoader", cSettings: hardened),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(
      name: "CSystemdShims",
      cSettings: hardened + [.define("WITHOUT_DISPATCH", .when(configuration: .release))]),
    .target(name: "CToml", cxxSettings: hardenedCXX),
    .systemLibrary(
      name: "CWayland", pkgConfig: "wayland-client", providers: [.apt(["libwayland-dev"])]),
    .target(
      name: "CWaylandProtocols", dependencies: ["CWayland"], exclude: ["generate", "protocols"],
      cSettings: hardened),
    .systemLibrary(
      name: "CXCB", pkgConfig: "xcb xcb-randr xcb-shm xcb-xinput",
      providers: [.apt(["libxcb1-dev", "libxcb-randr0-dev", "libxcb-shm0-dev", "libxcb-xinput-dev"])]),

    // For the benchmarks, not installed: the classifier on a trace, and the rules of other programs beside it
    .target(name: "Peers", dependencies: ["Autorotation"], path: "Benchmarks/Peers", swiftSettings: lean),
    .executableTarget(
      name: "trace-classifier",
      dependencies: [
        "Autorotation", "Language", "Peers", "SensorSources",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Benchmarks/trace-classifier", swiftSettings: onOneThread),

    .testTarget(
      name: "AutorotationTests", dependencies: ["Autorotation", "Peers"],
      exclude: ["Scenarios"], swiftSettings: strict),
    .testTarget(
      name: "SensorSourcesTests",
      dependencies: [
        "SensorSources", "Autorotation", "System", "CEvdev", "PrivateBus", "Mutations", "Temporary",
        "Waiting",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DesktopBackendsTests",
      dependencies: [
        "DesktopBackends", "Autorotation", "System", "CLibWacom", "PrivateBus", "FakeCompositor", "Mutations",
        "Temporary", "Waiting",
      ],
      exclude: ["SocketCompositors/Hyprland/Exchanges", "SocketCompositors/Niri/Exchanges"],
      swiftSettings: strict),
    .target(
      name: "FakeCompositor", dependencies: ["CWaylandProtocols"], path: "Tests/FakeCompositor",
      linkerSettings: [.linkedLibrary("wayland-server")]),
    .testTarget(
      name: "ConfigurationTests",
      dependencies: ["Configuration", "Autorotation", "System", "Mutations", "Temporary", "Waiting"],
      exclude: ["Broken"], swiftSettings: strict),
    .testTarget(
      name: "SystemTests", dependencies: ["System", "PrivateBus", "Temporary", "Waiting"],
      swiftSettings: strict),
    .testTarget(
      name: "AutorotateTests",
      dependencies: [
        "autorotate", "Autorotation", "Language", "System", "PrivateBus", "Temporary", "Waiting",
      ],
      exclude: ["Released"], swiftSettings: strict),
    .target(
      name: "PrivateBus", dependencies: ["System", "Temporary", "Waiting"], path: "Tests/PrivateBus",
      swiftSettings: onOneThread),
    .target(name: "Mutations", dependencies: ["Waiting"], path: "Tests/Mutations", swiftSettings: strict),
    .target(name: "Temporary", path: "Tests/Temporary", swiftSettings: strict),
    .target(
      name: "Waiting", dependencies: ["System", "CSystemd"], path: "Tests/Waiting", swiftSettings: onOneThread
    ),
    .testTarget(name: "FloorTests", swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)
