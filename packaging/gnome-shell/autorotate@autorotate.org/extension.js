// SPDX-License-Identifier: MIT

// What autorotate needs of GNOME Shell, which offers it to extensions only. org.autorotate.Focus1 on the session bus
// has the focused window and whether a finger is on the screen; the daemon is shown in Quick Settings and by a button.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';

import {Extension} from 'resource:///org/gnome/shell/extensions/extension.js';

import {Daemon} from './daemon.js';
import {FocusWatch} from './focus.js';
import {GNOMEToggle} from './gnomeToggle.js';
import {QuickToggle} from './quickToggle.js';
import {RotateButton} from './rotateButton.js';
import {TouchWatch} from './touch.js';

const NAME = 'org.autorotate.Focus1';
const PATH = '/org/autorotate/Focus1';

// focus.js describes Focus.
const INTERFACE = `
<node>
  <interface name="${NAME}">
    <property name="Focus" type="a{sv}" access="read"/>
    <property name="Touched" type="b" access="read"/>
  </interface>
</node>`;

class Reports {
    Focus = {};
    Touched = false;

    constructor() {
        this._exported = Gio.DBusExportedObject.wrapJSObject(INTERFACE, this);
        this._exported.export(Gio.DBus.session, PATH);
        this._name = Gio.bus_own_name_on_connection(
            Gio.DBus.session, NAME, Gio.BusNameOwnerFlags.NONE, null, null);
        this._focus = new FocusWatch(focus => {
            this.Focus = focus.deepUnpack();
            this._exported.emit_property_changed('Focus', focus);
        });
        this._touch = new TouchWatch(isTouched => {
            this.Touched = isTouched;
            this._exported.emit_property_changed('Touched', new GLib.Variant('b', isTouched));
        });
    }

    destroy() {
        this._focus.destroy();
        this._touch.destroy();
        Gio.bus_unown_name(this._name);
        this._exported.unexport();
    }
}

export default class AutorotateExtension extends Extension {
    enable() {
        const gettext = text => this.gettext(text);
        this._reports = new Reports();
        this._daemon = new Daemon(() => this._update());
        this._toggle = new QuickToggle(this._daemon, gettext);
        this._button = new RotateButton(this._daemon, gettext);
        this._gnomeToggle = new GNOMEToggle(this._daemon);
    }

    disable() {
        this._daemon.destroy();
        this._reports.destroy();
        this._toggle.destroy();
        this._button.destroy();
        this._gnomeToggle.destroy();
        this._daemon = this._reports = this._toggle = this._button = this._gnomeToggle = null;
    }

    _update() {
        this._toggle?.update();
        this._button?.update();
        this._gnomeToggle?.update();
    }
}
