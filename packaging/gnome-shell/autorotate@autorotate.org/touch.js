// SPDX-License-Identifier: MIT

// Whether a finger is on the screen. Rotations wait until it is lifted.

import Clutter from 'gi://Clutter';

export class TouchWatch {
    // report receives whether a finger is on the screen whenever that has changed.
    constructor(report) {
        this._report = report;
        this._slots = new Set();
        global.stage.connectObject('captured-event::touch', (_stage, event) => {
            this._handle(event);
            return Clutter.EVENT_PROPAGATE;
        }, 'notify::is-grabbed', () => {
            // A menu or dialog of the Shell gets the end of a touch that began before it opened.
            if (global.stage.is_grabbed)
                this._update(() => this._slots.clear());
        }, this);
    }

    destroy() {
        global.stage.disconnectObject(this);
    }

    _handle(event) {
        this._update(() => this._count(event));
    }

    _update(change) {
        const wasTouched = this._slots.size > 0;
        change();
        const isTouched = this._slots.size > 0;
        if (isTouched !== wasTouched)
            this._report(isTouched);
    }

    _count(event) {
        const slot = event.get_event_sequence()?.get_slot() ?? 0;
        switch (event.type()) {
        case Clutter.EventType.TOUCH_BEGIN:
            this._slots.add(slot);
            break;
        case Clutter.EventType.TOUCH_END:
        case Clutter.EventType.TOUCH_CANCEL:
            this._slots.delete(slot);
            break;
        }
    }
}
