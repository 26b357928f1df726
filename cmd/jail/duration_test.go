package main

import (
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90": 90 * time.Second, "0.5": 500 * time.Millisecond, ".25s": 250 * time.Millisecond, "2m": 2 * time.Minute,
		"1h30m": 90 * time.Minute, "1d": 24 * time.Hour, "0.5d": 12 * time.Hour, "1e3": 1000 * time.Second, "1ns": 1,
		"": 0, "0": 0, "-5": 0, "5y": 0, "1e300": 0, "-1e300": 0, "Inf": 0, "nan": 0, "200000d": 0, "0x": 0,
	} {
		got, err := duration(text)
		if (err != nil) != (want == 0) || err == nil && got != want {
			t.Errorf("%q is %v, %v; want %v", text, got, err, want)
		}
	}
	for d, want := range map[time.Duration]uint64{0: 0, 1: 1, time.Millisecond: 1, time.Millisecond + 1: 2, time.Minute: 60000} {
		if got := milliseconds(d); got != want {
			t.Errorf("%v is %d ms, want %d", d, got, want)
		}
	}
}
