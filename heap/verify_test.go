package heap

// In tests, what is captured is also looked at as closely as what is read.
func init() { verifyCaptures = true }
