package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

// maxTimeout is how far a timer can be set: some hundred years.
const maxTimeout = math.MaxInt64 / time.Duration(2)

// timeout reads the value of --timeout.
func timeout(o *options, v string) error {
	d, err := duration(v)
	o.timeout = d
	return err
}

// duration reads a time as timeout(1) does, seconds or a number with a unit of s,
// m, h or d, and as Go does: 1m30s, 250ms.
func duration(v string) (time.Duration, error) {
	d, err := time.ParseDuration(v)
	if err != nil {
		if d, err = number(v); err != nil {
			return 0, fmt.Errorf("%q is not a duration such as 90, 90s or 1h30m", v)
		}
	}
	switch {
	case d <= 0:
		return 0, errors.New("it must be more than nothing")
	case d > maxTimeout:
		return 0, errors.New("it is too long")
	}
	return d, nil
}

// number is a count of seconds, or of days.
func number(v string) (time.Duration, error) {
	unit := time.Second
	if n := len(v); n > 0 && v[n-1] == 'd' {
		v, unit = v[:n-1], 24*time.Hour
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || math.IsNaN(f) {
		return 0, errors.New("not a number")
	}
	// Within what a Duration can hold, or the conversion means nothing.
	return time.Duration(min(max(f*float64(unit), -1), float64(maxTimeout)*1.5)), nil
}

// milliseconds counts at least one for any time at all: none means for ever.
func milliseconds(d time.Duration) uint64 {
	if d <= 0 {
		return 0
	}
	return uint64((d + time.Millisecond - 1) / time.Millisecond)
}
