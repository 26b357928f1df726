package main

import (
	"fmt"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// A stopwatch says where the time of a launch went. A nil one takes no time.
type stopwatch struct {
	last time.Time
	laps []lap
}

type lap struct {
	name string
	took time.Duration
}

// newStopwatch counts what came before main, the kernel's execve and Go's
// runtime, as the processor time that this process has used: nobody wrote down
// when it began.
func newStopwatch() *stopwatch {
	w := &stopwatch{last: time.Now()}
	var used unix.Timespec
	if unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &used) == nil {
		w.laps = append(w.laps, lap{"start this program", time.Duration(used.Nano())})
	}
	return w
}

// lap ends a stage.
func (w *stopwatch) lap(name string) {
	if w == nil {
		return
	}
	now := time.Now()
	w.laps = append(w.laps, lap{name, now.Sub(w.last)})
	w.last = now
}

// observer is what hears of the stages of a launch, or nil.
func (w *stopwatch) observer() func(string) {
	if w == nil {
		return nil
	}
	return w.lap
}

func (w *stopwatch) print(to io.Writer) {
	if w == nil {
		return
	}
	var all time.Duration
	for _, l := range w.laps {
		all += l.took
		fmt.Fprintf(to, "jail: %8.2f ms  %s\n", milli(l.took), l.name)
	}
	fmt.Fprintf(to, "jail: %8.2f ms  in all\n", milli(all))
}

func milli(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
