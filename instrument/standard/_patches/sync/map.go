package sync

// Added:

// rangeOver does what Range does, with nothing on the stack that can't be saved: it walks
// the keys that the map had at the beginning, and passes over those that were deleted since.
func (m *Map) rangeOver(f func(key, value any) bool) {
	var keys, values []any
	m.m.Range(func(key, value any) bool {
		keys, values = append(keys, key), append(values, value)
		return true
	})
	for i, key := range keys {
		value, ok := m.Load(key)
		if key != key { // it can't be looked up
			value, ok = values[i], true
		}
		if ok && !f(key, value) {
			return
		}
	}
}
