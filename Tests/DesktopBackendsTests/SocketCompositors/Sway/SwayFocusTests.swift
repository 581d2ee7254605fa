// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import DesktopBackends

/// The focus in sway's tree, with dialogs in front of windows.
@MainActor
struct SwayFocusTests {
  private struct View {
    var id: Int
    var process = 7
    var members = ""
  }

  /// A workspace with these floating windows, of which the first has the focus.
  private func tree(_ views: [View], container: String = "") throws -> SwayTree {
    let nodes = views.map {
      #"{"id":\#($0.id),"type":"floating_con","pid":\#($0.process),"focus":[]\#($0.members)}"#
    }
    let text = """
      {"id":1,"type":"root","focus":[2],"nodes":[{"id":2,"type":"output","name":"eDP-1","fullscreen_mode":1,
      "focus":[3],"nodes":[{"id":3,"type":"workspace","fullscreen_mode":1,"focus":[4],"nodes":[
      {"id":4,"type":"con"\(container),"focus":[\(views[0].id)],"floating_nodes":[\(nodes.joined(separator: ","))]}]}]}]}
      """
    return SwayTree(root: try #require(JSONValue(text)))
  }

  private func window(_ views: View..., container: String = "") throws -> Window? {
    var focus = SwayFocus()
    return focus.window(in: try tree(views, container: container), withTitle: true)
  }

  @Test func `a fullscreen container shows its window in full screen`() throws {
    #expect(try window(View(id: 9))?.isFullscreen == false)
    #expect(try window(View(id: 9), container: #","fullscreen_mode":1"#)?.isFullscreen == true)
    #expect(try window(View(id: 9), container: #","fullscreen_mode":0"#)?.isFullscreen == false)
  }

  private static func dialog(_ id: Int, window: Int, of owner: Int) -> View {
    View(id: id, members: #","window":\#(window),"window_properties":{"transient_for":\#(owner)}"#)
  }

  private static let main = View(
    id: 20, process: 9,
    members:
      #","window":200,"name":"Title","fullscreen_mode":1,"window_properties":{"class":"Main","instance":""}"#)

  @Test func `a dialog of a dialog belongs to the outermost window`() throws {
    let dialogs = [Self.dialog(10, window: 100, of: 150), Self.dialog(15, window: 150, of: 200)]
    let found = try window(dialogs[0], dialogs[1], Self.main)
    #expect(found?.id == 20 && found?.identifiers == ["Main"] && found?.title == "Title")
    #expect(found?.isFullscreen == true && found?.process == 9 && found?.output == "eDP-1")
  }

  @Test func `windows without focus are listed`() throws {
    let names = try tree([View(id: 9), Self.main]).views.map(\.identifiers)
    #expect(Set(names) == [[], ["Main"]])
  }

  @Test func `owners in a circle end`() throws {
    #expect(try window(Self.dialog(10, window: 100, of: 100))?.id == 10)
    let circle = [Self.dialog(10, window: 100, of: 150), Self.dialog(15, window: 150, of: 100)]
    #expect(try window(circle[0], circle[1])?.id == 15)
    #expect(try window(Self.dialog(10, window: 100, of: 999))?.id == 10, "its owner has closed")
  }

  @Test func `an owner without a name has that of its dialog`() throws {
    let owner = View(id: 20, members: #","window":200"#)
    let dialog = View(
      id: 10, members: #","window":100,"window_properties":{"class":"Dialog","transient_for":200}"#)
    let found = try window(dialog, owner)
    #expect(found?.id == 20 && found?.identifiers == ["Dialog"])
  }

  @Test func `a process beyond the kernel's numbers is unknown`() throws {
    #expect(try window(View(id: 9, process: 1 << 40))?.process == nil)
    #expect(try window(View(id: 9, process: 1 << 20))?.process == 1 << 20)
  }

  @Test func `only the reported window and the focused one may change the title`() throws {
    var focus = SwayFocus()
    _ = focus.window(in: try tree([View(id: 9)]))
    let mayShow = { (text: String) in focus.mayShow(JSONValue(text)) }
    #expect(mayShow(#"{"id":9}"#) && !mayShow(#"{"id":8}"#) && !mayShow(#"{"id":8,"focused":false}"#))
    #expect(mayShow(#"{"id":8,"focused":true}"#) && mayShow("{}") && focus.mayShow(nil))
  }
}
