// SPDX-License-Identifier: MIT

// The focused window, which GNOME does not report to programs.

import GLib from 'gi://GLib';
import Meta from 'gi://Meta';
import Shell from 'gi://Shell';

import * as Main from 'resource:///org/gnome/shell/ui/main.js';

// The description is empty while no window has focus. Otherwise:
//   window       t   the window that decides: of a dialog, the window it belongs to
//   identifiers  as  all names of the application: desktop file, WM_CLASS or app_id, sandbox
//   fullscreen   b
//   monitor      i   the number of the logical monitor, as in Mutter's GetCurrentState
//   transient    b   whether a dialog of it has focus
//   auxiliary    b   whether it is a dock, a menu, a notification or the desktop
const APPLICATION_TYPES = [
    Meta.WindowType.NORMAL, Meta.WindowType.DIALOG, Meta.WindowType.MODAL_DIALOG,
    Meta.WindowType.UTILITY, Meta.WindowType.TOOLBAR,
];
// Dialogs of dialogs are not deeper than this; windows that point at each other are.
const LONGEST_CHAIN = 8;
const LONGEST_NAME = 256;

function chainOf(window) {
    const chain = [window];
    for (;;) {
        const owner = chain.at(-1).get_transient_for();
        if (!owner || chain.includes(owner) || chain.length === LONGEST_CHAIN)
            return chain;
        chain.push(owner);
    }
}

// The daemon's bus library refuses a message with a noncharacter, and this is not sent again.
function isAccepted(code) {
    const isSurrogate = code >= 0xD800 && code <= 0xDFFF;
    return !isSurrogate && (code & 0xFFFE) !== 0xFFFE && !(code >= 0xFDD0 && code <= 0xFDEF);
}

function text(name) {
    const accepted = each => isAccepted(each.codePointAt(0)) ? each : '\uFFFD';
    return Array.from(name.slice(0, LONGEST_NAME), accepted).join('');
}

function identifiersOf(window) {
    const id = Shell.WindowTracker.get_default().get_window_app(window)?.get_id();
    // An application without a desktop file is called after its window there.
    const desktop = id?.endsWith('.desktop') ? id.slice(0, -'.desktop'.length) : null;
    const names = [
        window.get_wm_class(), window.get_wm_class_instance(), desktop,
        window.get_gtk_application_id(), window.get_sandboxed_app_id(),
    ];
    return [...new Set(names.filter(name => name).map(text))];
}

function describe(window) {
    const chain = chainOf(window);
    const top = chain.at(-1);
    return {
        window: new GLib.Variant('t', top.get_id()),
        identifiers: new GLib.Variant('as', identifiersOf(top)),
        fullscreen: new GLib.Variant('b', chain.some(each => each.is_fullscreen())),
        monitor: new GLib.Variant('i', top.get_monitor()),
        transient: new GLib.Variant('b', chain.length > 1),
        auxiliary: new GLib.Variant('b', !APPLICATION_TYPES.includes(window.get_window_type())),
    };
}

export class FocusWatch {
    // report receives the description whenever it has changed.
    constructor(report) {
        this._report = report;
        this._reported = null;
        this._windows = [];
        const update = () => this._update();
        global.display.connectObject(
            'notify::focus-window', update,
            'in-fullscreen-changed', update,
            'window-entered-monitor', update, this);
        Shell.WindowTracker.get_default().connectObject('notify::focus-app', update, this);
        Main.overview.connectObject('hidden', update, this);
        this._update();
    }

    destroy() {
        global.display.disconnectObject(this);
        Shell.WindowTracker.get_default().disconnectObject(this);
        Main.overview.disconnectObject(this);
        this._follow([]);
    }

    _update() {
        const window = global.display.focus_window;
        // A menu or the overview of the Shell is open: who had focus gets it back, or another one gets it.
        if (!window && Main.modalCount > 0)
            return;
        this._follow(window ? chainOf(window) : []);
        const focus = new GLib.Variant('a{sv}', window ? describe(window) : {});
        if (this._reported?.equal(focus))
            return;
        this._reported = focus;
        this._report(focus);
    }

    // What a window is called may come after its focus.
    _follow(windows) {
        for (const window of this._windows)
            window.disconnectObject(this);
        this._windows = windows;
        for (const window of windows) {
            window.connectObject(
                'notify::fullscreen', () => this._update(),
                'notify::wm-class', () => this._update(),
                'notify::gtk-application-id', () => this._update(), this);
        }
    }
}
