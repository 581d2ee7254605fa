// SPDX-License-Identifier: MIT

// The button that accepts an offered rotation, in the bottom corner as on Android, for five seconds.

import GLib from 'gi://GLib';
import St from 'gi://St';

import * as Main from 'resource:///org/gnome/shell/ui/main.js';

const SECONDS = 5;
// Logical pixels between the button and the edges of the screen.
const MARGIN = 24;

// The monitor of the Shell that the daemon rotates, else the primary one; null without a monitor.
function monitorOf(daemon) {
    const index = global.backend.get_monitor_manager().get_monitor_for_connector(daemon.output);
    return Main.layoutManager.monitors[index] ?? Main.layoutManager.primaryMonitor;
}

export class RotateButton {
    constructor(daemon, gettext) {
        this._daemon = daemon;
        this._name = gettext('Rotate the Screen');
        this._offered = '';
        this._button = null;
        this._timeout = 0;
    }

    destroy() {
        this._hide();
    }

    update() {
        const offered = this._daemon.isRunning ? this._daemon.suggestion : '';
        if (offered === this._offered)
            return;
        this._offered = offered;
        this._hide();
        if (offered)
            this._show();
    }

    _show() {
        const monitor = monitorOf(this._daemon);
        if (!monitor)
            return;
        this._button = new St.Button({
            style_class: 'icon-button',
            child: new St.Icon({icon_name: 'object-rotate-right-symbolic', icon_size: 32}),
            accessible_name: this._name, can_focus: true, reactive: true,
        });
        this._button.connect('clicked', () => {
            this._hide();
            this._daemon.takeSuggestion();
        });
        Main.layoutManager.addTopChrome(this._button);
        const [, width] = this._button.get_preferred_width(-1);
        const [, height] = this._button.get_preferred_height(width);
        const margin = MARGIN * St.ThemeContext.get_for_stage(global.stage).scale_factor;
        this._button.set_position(
            monitor.x + monitor.width - width - margin, monitor.y + monitor.height - height - margin);
        this._timeout = GLib.timeout_add_seconds(GLib.PRIORITY_DEFAULT, SECONDS, () => {
            this._timeout = 0;
            this._hide();
            return GLib.SOURCE_REMOVE;
        });
    }

    _hide() {
        if (this._timeout)
            GLib.source_remove(this._timeout);
        this._timeout = 0;
        this._button?.destroy();
        this._button = null;
    }
}
