// SPDX-License-Identifier: MIT

import Glibc
import Temporary
import Testing

@testable import System

/// The rows are facts from libinput 1.28.1's quirks, MIT licence.
@Suite("libinput's quirks")
struct InputQuirksTests {
  private static let keyboard = device("AT Translated Set 2 keyboard", bus: 0x11, isKeyboard: true)
  private static let raw = device("AT Raw Set 2 keyboard", bus: 0x11, isKeyboard: true)
  private static let cover = device("Microsoft Surface Type Cover Keyboard", bus: 3, isKeyboard: true)
  private static let virtualButton = device("Intel Virtual Button driver", bus: 0x19)

  private static func device(_ name: String, bus: UInt16, isKeyboard: Bool = false) -> KernelInput {
    var device = KernelInput()
    (device.name, device.bus) = (name, bus)
    if isKeyboard { device.keys = KernelInput.BitSet(0x01...0x1f) }
    return device
  }

  private func quirks(
    _ device: KernelInput, dmi: String = "", deviceTree: [String] = [], _ texts: String...
  ) -> InputQuirks {
    QuirkDatabase(of: MachineIdentity(dmi: dmi, deviceTree: deviceTree), texts: texts).quirks(of: device)
  }

  private static func dmi(_ vendor: String, _ product: String, version: String = "1") -> String {
    "dmi:bvnX:bvr1:bd01/01/2020:svn\(vendor):pn\(product):pvr\(version):rvnX:rn1:"
  }

  @Test(arguments: [
    (keyboard, dmi("DellInc.", "Latitude52902-in-1")), (keyboard, dmi("DellInc.", "Inspiron7706 2-in-1")),
    (keyboard, dmi("DellInc.", "Latitude7275")), (keyboard, dmi("HP", "HPSpectrex360Convertible15-bl0XX")),
    (keyboard, dmi("HP", "HPSpectrex360Convertible15-ch0xx")),
    (keyboard, dmi("LENOVO", "20JES1", version: "ThinkPadX1Yoga2nd")),
    (keyboard, dmi("LENOVO", "4298", version: "ThinkPadX220Tablet")),
    (raw, dmi("LENOVO", "81A5", version: "LenovoMIIX720-12IKB")),
    (raw, dmi("LENOVO", "82AT", version: "IdeaPadDuet3-10IGL5")),
    (raw, dmi("LENOVO", "82AS", version: "YogaDuet713IML05")),
    (keyboard, dmi("Acer", "SwitchSA5-271")), (keyboard, dmi("MicroComputer(HK)TechLimited", "V3")),
  ])
  func `keyboards with a tablet's buttons stay on`(_ device: KernelInput, _ dmi: String) {
    #expect(quirks(device, dmi: dmi).staysOnInTabletMode)
  }

  @Test(arguments: [
    (keyboard, ""), (keyboard, dmi("DellInc.", "XPS139310")),
    (raw, dmi("LENOVO", "4298", version: "ThinkPadX220Tablet")),
    (cover, dmi("DellInc.", "Latitude7275")), (keyboard, dmi("LENOVO", "20K", version: "Yoga7")),
  ])
  func `other keyboards do not stay on`(_ device: KernelInput, _ dmi: String) {
    #expect(!quirks(device, dmi: dmi).staysOnInTabletMode)
  }

  @Test func `keyboards that are part of their machine are known`() {
    #expect(quirks(Self.cover, dmi: Self.dmi("MicrosoftCorporation", "SurfacePro7")).isInternal == true)
    #expect(quirks(Self.cover, dmi: Self.dmi("DellInc.", "XPS139310")).isInternal == nil)
    let other = Self.device("USB Keyboard", bus: 3, isKeyboard: true)
    #expect(quirks(other, dmi: Self.dmi("MicroComputer(HK)TechLimited", "V3")).isInternal == true)
    #expect(quirks(other).isInternal == nil)
    let chromebook = Self.device("cros_ec", bus: 6, isKeyboard: true)
    #expect(quirks(chromebook, deviceTree: ["google,lazor-rev3"]).isInternal == true)
    #expect(quirks(Self.device("cros_ec_buttons", bus: 6)).isInternal == nil)
    #expect(quirks(Self.keyboard, dmi: Self.dmi("HP", "HPElitex21013G3")).isInternal == false)
  }

  @Test func `unreliable tablet switches are known`() {
    let flip = Self.dmi("ASUSTeKCOMPUTERINC.", "VivoBookFlip14_ASUSFlipTP412UA")
    #expect(quirks(Self.virtualButton, dmi: flip).isTabletSwitchUnreliable)
    #expect(quirks(Self.virtualButton, dmi: Self.dmi("HP", "HPElitex21013G3")).isTabletSwitchUnreliable)
    #expect(!quirks(Self.virtualButton, dmi: Self.dmi("HP", "HPSpectre")).isTabletSwitchUnreliable)
  }

  @Test func `every condition of a section must hold`() {
    let text = """
      [One]
      MatchName=Foo *
      MatchBus=usb
      MatchVendor=0x048D
      MatchProduct=0x5000;0x5001
      MatchVersion=0x0111
      MatchUdevType=keyboard
      MatchDeviceTree=*lazor*
      AttrKeyboardIntegration=internal
      """
    var device = Self.device("Foo Keyboard", bus: 3, isKeyboard: true)
    (device.vendor, device.product, device.version) = (0x048d, 0x5001, 0x111)
    #expect(quirks(device, deviceTree: ["google,lazor"], text).isInternal == true)
    #expect(quirks(device, deviceTree: ["google,trogdor"], text).isInternal == nil)
    for change: (inout KernelInput) -> Void in [
      { $0.name = "Bar Foo " }, { $0.bus = 5 }, { $0.vendor = 1 }, { $0.product = 0x5002 },
      { $0.version = 0 }, { $0.keys = KernelInput.BitSet() },
    ] {
      var other = device
      change(&other)
      #expect(quirks(other, deviceTree: ["google,lazor"], text).isInternal == nil)
    }
  }

  @Test func `a later section overrides an earlier one`() {
    let on = "[A]\nMatchName=*\nModelTabletModeNoSuspend=1\nAttrKeyboardIntegration=internal"
    let off = "[B]\nMatchName=*\nModelTabletModeNoSuspend=0\nAttrKeyboardIntegration=external"
    #expect(quirks(Self.raw, on, off) == InputQuirks(isInternal: false))
    #expect(quirks(Self.raw, off, on) == InputQuirks(isInternal: true, staysOnInTabletMode: true))
  }

  @Test(arguments: [
    "", "[", "[]", "=", "===", "MatchName", "[A]\nMatchName=\nAttrKeyboardIntegration=internal",
    "[A]\nMatchNewWord=x\nModelTabletModeNoSuspend=1", "[A]\nMatchBus=quantum\nModelTabletModeNoSuspend=1",
    "[A]\nMatchVendor=zz\nModelTabletModeNoSuspend=1", "[A]\nMatchName=[\nModelTabletModeNoSuspend=1",
    "[A]\n#MatchName=*\n#ModelTabletModeNoSuspend=1", "\u{FFFD}\0\n[A\nAttrKeyboardIntegration=maybe",
  ])
  func `a file of another format has no quirks`(_ text: String) {
    #expect(quirks(Self.keyboard, text) == InputQuirks())
  }

  @Test func `files are read in the order of their names`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("[A]\nMatchName=*\nAttrKeyboardIntegration=external\n", to: "50-a.quirks")
    try directory.write("[A]\nMatchName=*\nAttrKeyboardIntegration=internal\n", to: "10-b.quirks")
    try directory.write("[A]\nMatchName=*\nAttrKeyboardIntegration=internal\n", to: "99-c.txt")
    try directory.makeDirectory("99-d.quirks")
    let texts = QuirkDatabase.installedTexts(directory: directory.path)
    #expect(texts.count == 2)
    #expect(QuirkDatabase(of: MachineIdentity(), texts: texts).quirks(of: Self.raw).isInternal == false)
    #expect(QuirkDatabase.installedTexts(directory: directory["nowhere"]) == [])
  }

  @Test func `a pipe among the files is not read`() throws {
    let directory = try TemporaryDirectory()
    try #require(mkfifo(directory["10-pipe.quirks"], 0o600) == 0)
    #expect(QuirkDatabase.installedTexts(directory: directory.path).isEmpty)
  }

  @Test func `a section may contain only an unreliable switch`() {
    let text = "[A]\nMatchName=*\nModelTabletModeSwitchUnreliable=1\n"
    #expect(quirks(Self.raw, text).isTabletSwitchUnreliable)
  }

  @Test func `a long file is read to its end`() throws {
    let directory = try TemporaryDirectory()
    let lines = String(repeating: "# a comment\n", count: 20_000)
    try directory.write(lines + "[A]\nMatchName=*\nAttrKeyboardIntegration=internal\n", to: "a.quirks")
    let database = QuirkDatabase(
      of: MachineIdentity(), texts: QuirkDatabase.installedTexts(directory: directory.path), known: [])
    #expect(database.quirks(of: Self.raw).isInternal == true)
  }

  /// Without the table, the installed files give the same quirks.
  @Test(.enabled(if: SystemFile.isFile("/usr/share/libinput/50-system-lenovo.quirks"), "no libinput"))
  func `the installed files are read`() {
    let texts = QuirkDatabase.installedTexts(directory: "/usr/share/libinput")
    let tablet = MachineIdentity(dmi: Self.dmi("LENOVO", "4298", version: "ThinkPadX220Tablet"))
    let database = QuirkDatabase(of: tablet, texts: texts, known: [])
    #expect(
      database.quirks(of: Self.keyboard) == InputQuirks(isInternal: true, staysOnInTabletMode: true))
    let surface = MachineIdentity(dmi: Self.dmi("MicrosoftCorporation", "SurfacePro7"))
    #expect(
      QuirkDatabase(of: surface, texts: texts, known: []).quirks(of: Self.cover).isInternal == true)
  }
}
