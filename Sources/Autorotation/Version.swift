// SPDX-License-Identifier: MIT

/// The version of all programs and packages. Packages and recipes read this line: `packaging/version`.
package let version = "1.0.0"
