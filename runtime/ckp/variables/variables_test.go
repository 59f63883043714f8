package variables

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnknown(t *testing.T) {
	require.Empty(t, Unknown([]string{"PATH=/bin", "CKP_DIR=d", "CKP_AGAIN=1:2:3:", "CKPGEN=x", "CKP=", "=C:=x"}))
	const known = "the variables of ckpgen are CKP_DIR, CKP_INTERVAL, CKP_EXIT_AFTER, CKP_TORTURE, CKP_KEEP, CKP_EARLY, CKP_INCREMENTS, CKP_COMPRESS"
	require.Equal(t, "CKP_INTERVALL is set and means nothing; "+known, Unknown([]string{"CKP_INTERVALL=5s", "CKP_DIR=d"}))
	require.Equal(t, "CKP_A, CKP_B are set and mean nothing; "+known, Unknown([]string{"CKP_B=", "CKP_A=x", "CKP_B="}))
}
