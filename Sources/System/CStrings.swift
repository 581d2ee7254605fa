// SPDX-License-Identifier: MIT

/// A copy of `text` with a zero byte after it, to be deallocated by the caller.
func allocateCString(_ text: String) -> UnsafeMutablePointer<CChar> {
  let bytes = text.utf8CString
  let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  for (offset, byte) in bytes.enumerated() { copy[offset] = byte }
  return copy
}

/// Lends a `NULL`-ended array of C strings.
package func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let copies = strings.map(allocateCString)
  defer { for copy in copies { copy.deallocate() } }
  let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: copies.count + 1)
  defer { list.deallocate() }
  for (offset, copy) in copies.enumerated() { (list + offset).initialize(to: copy) }
  (list + copies.count).initialize(to: nil)
  return body(list)
}
