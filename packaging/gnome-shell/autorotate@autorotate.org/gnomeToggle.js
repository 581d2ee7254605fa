// SPDX-License-Identifier: MIT

// GNOME's own toggle in Quick Settings, hidden while autorotate's is shown: each locks only the rotations of its own
// program.

import * as Main from 'resource:///org/gnome/shell/ui/main.js';
import * as SystemActions from 'resource:///org/gnome/shell/misc/systemActions.js';

// As GNOME decides it: true while Mutter manages the orientation of the panel.
function isOffered() {
    return SystemActions.getDefault().canLockOrientation;
}

export class GNOMEToggle {
    constructor(daemon) {
        this._daemon = daemon;
        this._toggle = null;
    }

    update() {
        this._toggle ??= this._find();
        this._sync();
    }

    destroy() {
        this._toggle?.disconnectObject(this);
        this._show(isOffered());
        this._toggle = null;
    }

    // Private names: missing until Quick Settings are built, and maybe in other versions.
    _find() {
        const toggle = Main.panel.statusArea.quickSettings?._autoRotate?.quickSettingsItems?.[0];
        if (!toggle || typeof isOffered() !== 'boolean')
            return null;
        toggle.connectObject('notify::visible', () => this._sync(), this);
        return toggle;
    }

    _sync() {
        this._show(isOffered() && !this._daemon.isRotating);
    }

    _show(isVisible) {
        if (this._toggle && this._toggle.visible !== isVisible)
            this._toggle.visible = isVisible;
    }
}
