// SPDX-License-Identifier: MIT

// The toggle in Quick Settings: auto-rotation on or locked. It is hidden while the daemon does not run, and while GNOME
// rotates the screen: then GNOME's own toggle locks it (gnomeToggle.js).

import GObject from 'gi://GObject';
import Shell from 'gi://Shell';

import * as Main from 'resource:///org/gnome/shell/ui/main.js';
import * as QuickSettings from 'resource:///org/gnome/shell/ui/quickSettings.js';

const SETTINGS = 'org.autorotate.Settings.desktop';
// As the settings window names them, except normal: there it is landscape or portrait, by the panel.
const ORIENTATIONS = {
    normal: 'Upright', left: 'Left Edge Up', inverted: 'Upside Down', right: 'Right Edge Up',
};

const RotationToggle = GObject.registerClass(
class RotationToggle extends QuickSettings.QuickMenuToggle {
    _init(daemon, gettext) {
        super._init({title: gettext('Auto-Rotation'), visible: false});
        this._daemon = daemon;
        this._gettext = gettext;
        this.menu.setHeader('rotation-allowed-symbolic', gettext('Auto-Rotation'));
        this.menuEnabled = Shell.AppSystem.get_default().lookup_app(SETTINGS) !== null;
        if (this.menuEnabled)
            this.menu.addSettingsAction(gettext('Rotation Settings…'), SETTINGS);
        this.connect('clicked', () => daemon.toggle());
    }

    update() {
        const isOn = !this._daemon.lock && !this._daemon.isPaused;
        this.visible = this._daemon.isRotating;
        this.checked = isOn;
        this.iconName = isOn ? 'rotation-allowed-symbolic' : 'rotation-locked-symbolic';
        const words = ORIENTATIONS[this._daemon.orientation];
        this.subtitle = words ? this._gettext(words) : null;
    }
});

export class QuickToggle {
    constructor(daemon, gettext) {
        this._toggle = new RotationToggle(daemon, gettext);
        this._indicator = new QuickSettings.SystemIndicator();
        this._indicator.quickSettingsItems.push(this._toggle);
        Main.panel.statusArea.quickSettings.addExternalIndicator(this._indicator);
    }

    update() {
        this._toggle.update();
    }

    destroy() {
        this._toggle.menu.destroy(); // not destroyed with its toggle
        this._toggle.destroy();
        this._indicator.destroy();
    }
}
