// SPDX-License-Identifier: MIT

import System
import Testing

@MainActor
struct EnvironmentTests {
  @Test func `a variable that is set replaces an inherited one`() {
    let environment = Environment.adding([("PATH", "/only"), ("NEW_NAME", "a=b")])
    #expect(environment.filter { $0.hasPrefix("PATH=") } == ["PATH=/only"])
    #expect(environment.suffix(2) == ["PATH=/only", "NEW_NAME=a=b"])
  }

  @Test func `other variables are inherited`() {
    let path = "PATH=\(Environment.variable("PATH") ?? "")"
    #expect(Environment.adding([]).contains(path))
    #expect(Environment.adding([("PAT", "x"), ("ATH", "y")]).contains(path))
    #expect(Environment.adding([]).allSatisfy { $0.contains("=") })
  }
}
