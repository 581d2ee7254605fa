// SPDX-License-Identifier: MIT

// The daemon on the session bus. An absent daemon or a missing property has the value that does nothing.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';

import * as Main from 'resource:///org/gnome/shell/ui/main.js';

const NAME = 'org.autorotate.Autorotate1';
const PATH = '/org/autorotate/Autorotate1';

export class Daemon {
    // update is called whenever a property may have changed, or the daemon has started or ended.
    constructor(update) {
        this._cancellable = new Gio.Cancellable();
        this._proxy = null;
        Gio.DBusProxy.new(
            Gio.DBus.session, Gio.DBusProxyFlags.DO_NOT_AUTO_START, null, NAME, PATH, NAME, this._cancellable,
            (_source, result) => this._adopt(result, update));
    }

    destroy() {
        this._cancellable.cancel();
        this._proxy?.disconnectObject(this);
        this._proxy = null;
    }

    get isRunning() {
        return Boolean(this._proxy?.g_name_owner);
    }

    // The locked orientation; empty while auto-rotation is not locked.
    get lock() {
        return this._property('Lock', '');
    }

    get isPaused() {
        return this._property('OnHold', false);
    }

    get orientation() {
        return this._property('InterfaceOrientation', '');
    }

    // The orientation that is offered while locked; empty if none is.
    get suggestion() {
        return this._property('Suggestion', '');
    }

    // The connector of the rotated output.
    get output() {
        return this._property('Output', '');
    }

    // Not while GNOME rotates the screen, nor while GNOME's lock keeps autorotate from it.
    get isRotating() {
        return this.isRunning && !this._property('ReasonCodes', []).includes('desktop.turns');
    }

    // Pauses end first, then locks.
    toggle() {
        if (this.isPaused)
            this._call('Hold', new GLib.Variant('(b)', [false]));
        else
            this._call('ToggleLock');
    }

    takeSuggestion() {
        this._call('TakeSuggestion');
    }

    _adopt(result, update) {
        try {
            this._proxy = Gio.DBusProxy.new_finish(result);
        } catch (error) {
            if (!error.matches(Gio.IOErrorEnum, Gio.IOErrorEnum.CANCELLED))
                console.warn(`autorotate: the session bus cannot be used: ${error.message}`);
            return;
        }
        this._proxy.connectObject('g-properties-changed', update, 'notify::g-name-owner', update, this);
        update();
    }

    _property(name, absent) {
        const value = this._proxy?.get_cached_property(name)?.deepUnpack();
        return typeof value === typeof absent ? value : absent;
    }

    _call(method, parameters = null) {
        this._proxy?.call(method, parameters, Gio.DBusCallFlags.NONE, -1, this._cancellable, (proxy, result) => {
            try {
                proxy.call_finish(result);
            } catch (error) {
                if (error.matches(Gio.IOErrorEnum, Gio.IOErrorEnum.CANCELLED))
                    return;
                Gio.DBusError.strip_remote_error(error);
                Main.notify('autorotate', error.message);
            }
        });
    }
}
