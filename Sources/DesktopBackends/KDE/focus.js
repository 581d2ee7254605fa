// SPDX-License-Identifier: MIT

// The script that KWin runs for autorotate: it reports the focus on each change. KWinScript.swift puts two constants
// before it: `target`, the method to call, and `maximumTitleLength`, 0 for no titles.
/* global KWin, callDBus, workspace, target, maximumTitleLength */

// KWin 6 renamed clients to windows.
const isKWin5 = workspace.windowActivated === undefined;
const maximumChain = 8;
const maximumLength = 256;
const auxiliaryKinds = [
  "desktopWindow", "dock", "splash", "notification", "criticalNotification", "onScreenDisplay",
  "appletPopup", "popupWindow", "popupMenu", "dropdownMenu", "menu", "tooltip", "comboBox",
  "inputMethod", "dndIcon", "outline", "lockScreen"];
const meaningful = [
  "fullScreenChanged", "outputChanged", "screenChanged", "desktopFileNameChanged",
  "windowClassChanged", "transientChanged", "minimizedChanged"];
if (maximumTitleLength > 0) meaningful.push("captionChanged");
const isAuxiliary = window => auxiliaryKinds.some(kind => window[kind] === true);
let application = null;
let watched = [];
let lastReport = null;

function chainOf(window) {
  const chain = [window];
  let owner = window.transientFor;
  while (owner && chain.indexOf(owner) < 0 && chain.length < maximumChain) {
    chain.push(owner);
    owner = owner.transientFor;
  }
  return chain;
}

function watch(windows) {
  const each = (window, action) => meaningful.forEach(name => {
    if (window[name] && window[name].connect) window[name][action](update);
  });
  watched.filter(window => windows.indexOf(window) < 0).forEach(window => each(window, "disconnect"));
  windows.filter(window => watched.indexOf(window) < 0).forEach(window => each(window, "connect"));
  watched = windows;
}

// KWin 5 knows screens by their number only. The area is an output's place in the layout.
function areaOf(window) {
  if (!isKWin5) return "";
  const area = workspace.clientArea(KWin.ScreenArea, window.screen, workspace.currentDesktop);
  return [area.x, area.y, area.width, area.height].map(Math.round).join(" ");
}

// sd-bus refuses a message with a noncharacter, and this is not sent again.
function isAccepted(code) {
  const isSurrogate = code >= 0xD800 && code <= 0xDFFF;
  return !isSurrogate && (code & 0xFFFE) !== 0xFFFE && !(code >= 0xFDD0 && code <= 0xFDEF);
}

function text(value) {
  const given = value === undefined || value === null ? "" : String(value);
  const accepted = each => isAccepted(each.codePointAt(0)) ? each : "\uFFFD";
  return Array.from(given.slice(0, maximumLength), accepted).join("");
}

// callDBus accepts nine arguments at most after the method.
function report(chain) {
  const top = chain[chain.length - 1];
  const isX11 = text(top).indexOf("X11") >= 0;
  return [
    text(top.internalId), chain.some(isAuxiliary) ? "auxiliary" : "application",
    text(top.resourceClass), isX11 ? text(top.resourceName) : "", text(top.desktopFileName),
    text(chain.some(window => window.fullScreen === true)),
    isKWin5 || !top.output ? "" : text(top.output.name), areaOf(top),
    maximumTitleLength > 0 ? text(top.caption).slice(0, maximumTitleLength) : ""];
}

// A dialog counts as its parent window. While a panel or the desktop is active, the application behind it is reported,
// until it is closed or minimized.
function update() {
  const active = isKWin5 ? workspace.activeClient : workspace.activeWindow;
  let chain = active ? chainOf(active) : [];
  if (active && chain.some(isAuxiliary)) {
    if (!application || application.minimized) chain = [];
  } else if (active) {
    application = chain[chain.length - 1];
  }
  watch(application && chain.indexOf(application) < 0 ? chain.concat([application]) : chain);
  const now = chain.length > 0 ? report(chain) : ["", "", "", "", "", "", "", "", ""];
  if (lastReport !== null && lastReport.join("\n") === now.join("\n")) return;
  lastReport = now;
  callDBus.apply(null, target.concat(now));
}

(isKWin5 ? workspace.clientActivated : workspace.windowActivated).connect(update);
(isKWin5 ? workspace.clientRemoved : workspace.windowRemoved).connect(window => {
  watched = watched.filter(other => other !== window);
  if (window === application) application = null;
  update();
});
workspace.virtualScreenGeometryChanged.connect(update);
update();
