// SPDX-License-Identifier: MIT

import Glibc
import System

/// The script that KWin runs for us: it tells who has focus, each time that changes.
///
/// It is the way that is open to everybody. The Wayland protocol for windows (org_kde_plasma_window_management)
/// is shown only to programs with an installed desktop file that asks for it.
enum KWinScript {
  /// What KWin knows it by. One name, so that what a killed daemon left behind is found and unloaded.
  static let name = "autorotate"

  static let object = "/org/autorotate/KWinFocus"
  static let interface = "org.autorotate.KWinFocus"
  static let method = "Focused"

  /// The arguments of `method`, all of them strings; `KWinFocusReport` reads them.
  static let arguments = [
    "id", "role", "resourceClass", "resourceName", "desktopFile", "fullScreen", "output", "area",
  ]

  /// - Parameter service: our own name on the bus, the unique one: KWin's calls come to this process only.
  static func text(calling service: String) -> String {
    "const target = [\"\(service)\", \"\(object)\", \"\(interface)\", \"\(method)\"];\n" + program
  }

  /// KWin 6 calls windows what KWin 5 calls clients. KWin 5 knows screens by their number only, so it is
  /// asked for the area, which is an output's place in the layout. `callDBus` takes nine arguments at most
  /// behind the method.
  ///
  /// A dialog speaks for the window that it belongs to. While a panel or the desktop is active, the
  /// application behind it decides, for as long as it is there and not put away.
  private static let program = #"""
    "use strict";
    const isKWin5 = workspace.windowActivated === undefined;
    const longestChain = 8;
    const auxiliaryKinds = [
      "desktopWindow", "dock", "splash", "notification", "criticalNotification", "onScreenDisplay",
      "appletPopup", "popupWindow", "popupMenu", "dropdownMenu", "menu", "tooltip", "comboBox",
      "inputMethod", "dndIcon", "outline", "lockScreen"];
    const meaningful = [
      "fullScreenChanged", "outputChanged", "screenChanged", "desktopFileNameChanged",
      "windowClassChanged", "transientChanged", "minimizedChanged"];
    let application = null;
    let watched = [];
    let told = null;

    function activeWindow() {
      return (isKWin5 ? workspace.activeClient : workspace.activeWindow) || null;
    }

    function chainOf(window) {
      const chain = [window];
      let owner = window.transientFor;
      while (owner && chain.indexOf(owner) < 0 && chain.length < longestChain) {
        chain.push(owner);
        owner = owner.transientFor;
      }
      return chain;
    }

    function isAuxiliary(window) {
      return auxiliaryKinds.some(kind => window[kind] === true);
    }

    function watch(windows) {
      const each = (window, deed) => meaningful.forEach(name => {
        if (window[name] && window[name].connect) window[name][deed](tell);
      });
      watched.filter(window => windows.indexOf(window) < 0).forEach(window => each(window, "disconnect"));
      windows.filter(window => watched.indexOf(window) < 0).forEach(window => each(window, "connect"));
      watched = windows;
    }

    function areaOf(window) {
      if (!isKWin5) return "";
      const area = workspace.clientArea(KWin.ScreenArea, window.screen, workspace.currentDesktop);
      return [area.x, area.y, area.width, area.height].map(Math.round).join(" ");
    }

    function text(value) {
      return value === undefined || value === null ? "" : String(value);
    }

    function report(chain) {
      const top = chain[chain.length - 1];
      const isX11 = text(top).indexOf("X11") >= 0;
      return [
        text(top.internalId), chain.some(isAuxiliary) ? "auxiliary" : "application",
        text(top.resourceClass), isX11 ? text(top.resourceName) : "", text(top.desktopFileName),
        text(chain.some(window => window.fullScreen === true)),
        isKWin5 || !top.output ? "" : text(top.output.name), areaOf(top)];
    }

    function tell() {
      const active = activeWindow();
      let chain = active ? chainOf(active) : [];
      if (active && chain.some(isAuxiliary)) {
        if (!application || application.minimized) chain = [];
      } else if (active) {
        application = chain[chain.length - 1];
      }
      watch(application && chain.indexOf(application) < 0 ? chain.concat([application]) : chain);
      const now = chain.length > 0 ? report(chain) : ["", "", "", "", "", "", "", ""];
      if (told !== null && told.join("\n") === now.join("\n")) return;
      told = now;
      callDBus.apply(null, target.concat(now));
    }

    (isKWin5 ? workspace.clientActivated : workspace.windowActivated).connect(tell);
    (isKWin5 ? workspace.clientRemoved : workspace.windowRemoved).connect(window => {
      watched = watched.filter(other => other !== window);
      if (window === application) application = null;
      tell();
    });
    workspace.virtualScreenGeometryChanged.connect(tell);
    tell();

    """#
}

/// The script as a file that KWin can read: it takes a path, not a text.
final class KWinScriptFile {
  let path: String

  /// - Parameter directory: the person's own, such as `XDG_RUNTIME_DIR`.
  init(_ text: String, in directory: String) throws {
    var template = Array("\(directory)/autorotate-focus-XXXXXX.js".utf8CString)
    let file = mkstemps(&template, Int32(".js".utf8.count))
    guard file >= 0 else { throw SystemError(call: "writing into \(directory)", code: errno) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let bytes = Array(text.utf8)
    let written = write(file, bytes, bytes.count)
    let code = errno
    close(file)
    guard written == bytes.count else {
      unlink(path)
      throw SystemError(call: "writing \(path)", code: written < 0 ? code : ENOSPC)
    }
  }

  isolated deinit {
    unlink(path)
  }
}
