// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

/// The size of an output in the layout, from its mode and from what the compositor reports.
@MainActor
struct WlrootsSizeTests {
  private func size(
    _ width: Int, _ height: Int, scale: Double = 1, transform: Int = 0, reported: PixelSize?
  ) -> PixelSize {
    var output = CompositorOutput(name: "eDP-1", width: width, height: height, scale: scale)
    output.transform = transform
    output.resize(reported: reported)
    return output.rectangle.size
  }

  private func size(reported width: Int, _ height: Int) -> PixelSize {
    size(2000, 100, reported: PixelSize(width: width, height: height))
  }

  @Test func `two pixels or a hundredth are rounding`() {
    for (width, height) in [(2020, 100), (1980, 100), (2000, 102), (2000, 98)] {
      #expect(size(reported: width, height) == PixelSize(width: width, height: height))
    }
    for (width, height) in [(2021, 100), (1979, 100), (2000, 103), (2000, 97)] {
      #expect(size(reported: width, height) == PixelSize(width: 2000, height: 100))
    }
  }

  @Test func `the mode is divided by the scale and rotated`() {
    #expect(size(1920, 1080, scale: 1.5, reported: nil) == PixelSize(width: 1280, height: 720))
    #expect(size(1920, 1080, scale: 1.5, transform: 1, reported: nil) == PixelSize(width: 720, height: 1280))
    #expect(size(1920, 1080, transform: 6, reported: nil) == PixelSize(width: 1920, height: 1080))
    #expect(size(1, 1, scale: 2, reported: nil) == PixelSize(width: 1, height: 1))
  }

  @Test(
    arguments: [(0, 0, 1), (1920, 1080, 0), (1920, 1080, 1025), (65_536, 1, 1), (1920, 1080, 0.003)]
      as [(Int, Int, Double)])
  func `without a plausible mode and scale the report counts`(width: Int, height: Int, scale: Double) {
    let reported = PixelSize(width: 800, height: 600)
    #expect(size(width, height, scale: scale, reported: reported) == reported)
    let nothing = PixelSize(width: 0, height: 0)
    #expect(size(width, height, scale: scale, reported: PixelSize(width: 0, height: 600)) == nothing)
    #expect(size(width, height, scale: scale, reported: nil) == nothing)
  }

  @Test func `the extreme scales are plausible`() {
    #expect(size(1024, 2048, scale: 1024, reported: nil) == PixelSize(width: 1, height: 2))
    #expect(size(2, 1, scale: 1.0 / 256, reported: nil) == PixelSize(width: 512, height: 256))
  }
}
