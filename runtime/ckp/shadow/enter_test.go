package shadow

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

var walkFunction, stepFunction = Function{Description: &Description{Name: "main.walk"}}, Function{Description: &Description{Name: "main.step"}}

type walkFrame struct{ At int }

func (f *walkFrame) ResumePoint() (*Function, int) { return &walkFunction, f.At }

// A goroutine that is to continue a checkpoint takes up its frames, the outermost first, and stops
// where the program does not enter the functions that they belong to.
func TestEnter(t *testing.T) {
	assert.Nil(t, Enter(&walkFunction), "nothing is restored")
	outer, inner := &walkFrame{At: 1}, &walkFrame{At: 2}
	Restore([]Frame{inner, outer})
	defer remove()

	assert.PanicsWithValue(t, "shadow: the checkpoint continues in main.walk but the program entered main.step", func() { Enter(&stepFunction) })
	assert.Same(t, outer, Enter(&walkFunction))
	assert.Nil(t, Enter(&Function{Description: &Description{Name: poolOfReflect}}), "package reflect stands between the two")
	assert.Same(t, inner, Enter(&walkFunction))
	assert.PanicsWithValue(t, "shadow: main.step was entered below the innermost frame of the checkpoint", func() { Enter(&stepFunction) })
}
