// SPDX-License-Identifier: MIT

// GNOME does not report the focused window to programs. This extension publishes it on the session bus, as the
// property Focus of org.autorotate.Focus1, and does nothing else.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Meta from 'gi://Meta';
import Shell from 'gi://Shell';

import * as Main from 'resource:///org/gnome/shell/ui/main.js';
import {Extension} from 'resource:///org/gnome/shell/extensions/extension.js';

const NAME = 'org.autorotate.Focus1';
const PATH = '/org/autorotate/Focus1';

// Focus is empty while no window has focus. Otherwise:
//   window       t   the window that decides: of a dialog, the window it belongs to
//   identifiers  as  all names of the application: desktop file, WM_CLASS or app_id, sandbox
//   fullscreen   b
//   monitor      i   the number of the logical monitor, as in Mutter's GetCurrentState
//   transient    b   whether a dialog of it has focus
//   auxiliary    b   whether it is a dock, a menu, a notification or the desktop
const INTERFACE = `
<node>
  <interface name="${NAME}">
    <property name="Focus" type="a{sv}" access="read"/>
  </interface>
</node>`;

const APPLICATION_TYPES = [
    Meta.WindowType.NORMAL, Meta.WindowType.DIALOG, Meta.WindowType.MODAL_DIALOG,
    Meta.WindowType.UTILITY, Meta.WindowType.TOOLBAR,
];
// Dialogs of dialogs are not deeper than this; windows that point at each other are.
const LONGEST_CHAIN = 8;

function chainOf(window) {
    const chain = [window];
    for (;;) {
        const owner = chain.at(-1).get_transient_for();
        if (!owner || chain.includes(owner) || chain.length === LONGEST_CHAIN)
            return chain;
        chain.push(owner);
    }
}

function identifiersOf(window) {
    const id = Shell.WindowTracker.get_default().get_window_app(window)?.get_id();
    // An application without a desktop file is called after its window there.
    const desktop = id?.endsWith('.desktop') ? id.slice(0, -'.desktop'.length) : null;
    const names = [
        window.get_wm_class(), window.get_wm_class_instance(), desktop,
        window.get_gtk_application_id(), window.get_sandboxed_app_id(),
    ];
    return [...new Set(names.filter(name => name))];
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

export default class FocusExtension extends Extension {
    enable() {
        this._focus = {};
        this._told = null;
        this._windows = [];
        this._exported = Gio.DBusExportedObject.wrapJSObject(INTERFACE, this);
        this._exported.export(Gio.DBus.session, PATH);
        this._name = Gio.bus_own_name_on_connection(
            Gio.DBus.session, NAME, Gio.BusNameOwnerFlags.NONE, null, null);

        const update = () => this._update();
        global.display.connectObject(
            'notify::focus-window', update,
            'in-fullscreen-changed', update,
            'window-entered-monitor', update, this);
        Shell.WindowTracker.get_default().connectObject('notify::focus-app', update, this);
        Main.overview.connectObject('hidden', update, this);
        this._update();
    }

    disable() {
        global.display.disconnectObject(this);
        Shell.WindowTracker.get_default().disconnectObject(this);
        Main.overview.disconnectObject(this);
        this._follow([]);
        Gio.bus_unown_name(this._name);
        this._exported.unexport();
        this._exported = null;
        this._focus = {};
    }

    get Focus() {
        return this._focus;
    }

    _update() {
        const window = global.display.focus_window;
        // A menu or the overview of the Shell is open: who had focus gets it back, or another one gets it.
        if (!window && Main.modalCount > 0)
            return;
        this._follow(window ? chainOf(window) : []);
        this._focus = window ? describe(window) : {};
        const focus = new GLib.Variant('a{sv}', this._focus);
        if (this._told?.equal(focus))
            return;
        this._told = focus;
        this._exported.emit_property_changed('Focus', focus);
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
