package cputime

import (
	"testing"
	"time"
)

func TestSpent(t *testing.T) {
	start := Spent()
	time.Sleep(50 * time.Millisecond)
	slept := Spent() - start
	for end := time.Now().Add(time.Minute); Spent()-start < 20*time.Millisecond; {
		if time.Now().After(end) {
			t.Fatal("work does not count")
		}
	}
	if slept >= 50*time.Millisecond {
		t.Errorf("sleep counts: %v", slept)
	}
}
