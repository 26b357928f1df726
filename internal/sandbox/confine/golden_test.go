package confine

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"jail/internal/sandbox/plan"

	"golang.org/x/sys/unix"
)

// TestListing writes what every filter does in words, read back from its
// instructions: the strictest in full, of the others what differs.
func TestListing(t *testing.T) {
	for _, goarch := range []string{"amd64", "arm64"} {
		var b bytes.Buffer
		strictest := assemble(t, plan.Seccomp{}, goarch).listing(goarch)
		for _, f := range flavours() {
			if f.goarch != goarch {
				continue
			}
			p := assemble(t, f.s, goarch)
			fmt.Fprintf(&b, "# %v: %d instructions\n", f, len(p.raw))
			if f.s == (plan.Seccomp{}) {
				writeRanges(&b, strictest)
			} else {
				writeDifferences(&b, strictest, p.listing(goarch))
			}
			fmt.Fprintln(&b)
		}
		compareFile(t, "testdata/"+goarch+".golden", b.Bytes())
	}
}

// A line says what a filter does with one number.
type line struct{ call, does string }

// writeRanges writes neighbours that are all allowed, or all unknown, as one line.
func writeRanges(b *bytes.Buffer, lines []line) {
	for i := 0; i < len(lines); {
		end := i + 1
		for end < len(lines) && lines[end].does == lines[i].does && (lines[i].does == "allowed" || strings.HasSuffix(lines[end].call, unknown)) {
			end++
		}
		if end == i+1 {
			fmt.Fprintf(b, "%-24s %s\n", lines[i].call, lines[i].does)
		} else {
			fmt.Fprintf(b, "%s\n%-24s %s\n", lines[i].call, "  to "+strings.TrimSpace(lines[end-1].call), lines[i].does)
		}
		i = end
	}
}

func writeDifferences(b *bytes.Buffer, from, to []line) {
	for i := range from {
		if from[i] != to[i] {
			fmt.Fprintf(b, "%-24s %s\n%-24s instead of %s\n", to[i].call, to[i].does, "", from[i].does)
		}
	}
}

const unknown = "(unknown)"

// listing says what p does with each number by the native gate, and with one by every
// other.
func (p program) listing(goarch string) []line {
	table, audit := tableOf(goarch)
	var lines []line
	for nr := range uint32(470) {
		name, ok := table.SyscallNumbers[int(nr)]
		if !ok {
			name = unknown
		}
		lines = append(lines, line{fmt.Sprintf("%4d %s", nr, name), p.explain(call{arch: audit, nr: nr}, 0, "")})
	}
	for _, c := range []call{{arch: audit, nr: x32Bit}, {arch: audit, nr: ^uint32(0)}, {arch: auditI386}, {arch: auditARM}} {
		lines = append(lines, line{fmt.Sprintf("%#x by gate %#x", c.nr, c.arch), p.explain(c, 0, "")})
	}
	return lines
}

// explain follows p from pc for the number and gate of c. Where an argument decides
// it writes down both ways; loaded is that argument's name.
func (p program) explain(c call, pc int, loaded string) string {
	for {
		f := p.raw[pc]
		pc++
		switch f.Code {
		case unix.BPF_RET | unix.BPF_K:
			return verdict(f.K).String()
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			loaded = map[uint32]string{0: "number", 4: "gate"}[f.K]
			if f.K >= 16 {
				loaded = fmt.Sprintf("arg%d", (f.K-16)/8)
			}
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			loaded = fmt.Sprintf("(%s & %#x)", loaded, f.K)
		case unix.BPF_JMP | unix.BPF_JA:
			pc += int(f.K)
		default:
			acc, foreseen := map[string]uint32{"number": c.nr, "gate": c.arch}[loaded]
			if !foreseen {
				return fmt.Sprintf("%s ? %s : %s", condition(f, loaded),
					p.explain(c, pc+int(f.Jt), loaded), p.explain(c, pc+int(f.Jf), loaded))
			}
			pc += taken(f, holds(f, acc))
		}
	}
}

func holds(f unix.SockFilter, acc uint32) bool {
	switch f.Code {
	case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
		return acc == f.K
	case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
		return acc >= f.K
	}
	return acc&f.K != 0
}

func condition(f unix.SockFilter, loaded string) string {
	switch f.Code {
	case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
		return fmt.Sprintf("%s == %#x", loaded, f.K)
	case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
		return fmt.Sprintf("%s >= %#x", loaded, f.K)
	}
	return fmt.Sprintf("%s & %#x", loaded, f.K)
}
