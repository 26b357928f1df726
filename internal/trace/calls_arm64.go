package trace

// oldCalls are those that newer architectures do not have.
func oldCalls() []oldCall { return nil }
