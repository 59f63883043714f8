package shadow

// Error is error, whose name a package may declare anew.
type Error = error

// Unwound is what a function returns as its error when it returns because the goroutine is saving.
// Its caller finds that out where it finds an error, and saves its own frame: nobody else sees it.
var Unwound Error = unwound{}

type unwound struct{}

func (unwound) Error() string { return "the function has returned for a checkpoint" }

// UnwoundAs returns [Unwound] if T is error, and the zero value of other types.
func UnwoundAs[T any]() (v T) {
	if err, ok := any(&v).(*error); ok {
		*err = Unwound
	}
	return v
}
