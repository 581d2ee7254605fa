// SPDX-License-Identifier: MIT

import CAdwaita

exit(SettingsApplication().run())
