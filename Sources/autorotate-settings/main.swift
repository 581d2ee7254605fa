// SPDX-License-Identifier: MIT

import CAdwaita

// The kernel's and GTK's words for "the person closed it" is 0.
exit(SettingsApplication().run())
