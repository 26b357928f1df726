package doctor

import (
	"strconv"
	"strings"
)

// some lists names, and not all of many.
func some(list []string) string {
	const most = 8
	if len(list) > most {
		return strings.Join(list[:most], ", ") + " and " + strconv.Itoa(len(list)-most) + " more"
	}
	return strings.Join(list, ", ")
}
