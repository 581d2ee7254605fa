// SPDX-License-Identifier: MIT

/// The version of all there is here. Packages and recipes read this line: `packaging/version`.
package let version = "1.0.0-rc1"
