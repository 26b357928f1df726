package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A job is real work, done outside and inside by turns.
type job struct {
	name  string
	needs []string          // programs and files without which it is left out
	files map[string]string // of its project
	setUp []string          // once, outside
	clean []string          // what is removed before each run
	args  []string
}

// jobs are what people wait for.
func jobs() []job {
	return []job{
		{
			name: "npm ci", needs: []string{"npm"}, clean: []string{"node_modules"},
			files: map[string]string{"package.json": `{"name": "p", "private": true, "devDependencies": {"eslint": "^9", "jest": "^30", "vite": "^7"}}`},
			setUp: []string{"npm", "install", "--package-lock-only", "--no-audit", "--no-fund"},
			args:  []string{"npm", "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"},
		},
		{
			name: "pytest", needs: []string{"/usr/lib/python3/dist-packages/pytest"}, files: pythonTests(),
			args: []string{"/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"},
		},
		{
			name: "cargo build", needs: []string{"cargo", "/usr/share/cargo/registry"}, clean: []string{"target"}, files: rustCrate(),
			args: []string{"cargo", "build", "--offline", "-q"},
		},
		{
			name: "go build", needs: []string{"go"},
			files: map[string]string{
				"go.mod":  "module example.test/p\n\ngo 1.21\n",
				"main.go": "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(1) }\n",
			},
			args: []string{"go", "build", "-a", "-o", "out", "."},
		},
	}
}

func pythonTests() map[string]string {
	files := map[string]string{}
	for i := range 20 {
		var b strings.Builder
		b.WriteString("import json, os\nimport pytest\n")
		for j := range 20 {
			fmt.Fprintf(&b, "def test_%d(tmp_path):\n    p = tmp_path / 'f'\n    p.write_text(json.dumps(list(range(2000))))\n    assert len(json.loads(p.read_text())) == 2000\n    assert os.stat(p).st_size > 0\n", j)
		}
		files[fmt.Sprintf("tests/test_%d.py", i)] = b.String()
	}
	return files
}

func rustCrate() map[string]string {
	return map[string]string{
		"Cargo.toml":         "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\nregex = \"1\"\n",
		".cargo/config.toml": "[source.crates-io]\nreplace-with = \"system\"\n[source.system]\ndirectory = \"/usr/share/cargo/registry\"\n",
		"src/main.rs":        "fn main() { println!(\"{}\", serde_json::json!({\"a\": regex::Regex::new(\"a+\").unwrap().is_match(\"aa\")})); }\n",
	}
}

// work measures the jobs. Each round does each of them outside and inside, in turn,
// on the same files and with warm caches.
func work(rounds int) error {
	dir, err := os.MkdirTemp("", "jail-bench-work-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := setUp(dir, 1)
	if err != nil {
		return err
	}
	for _, j := range jobs() {
		if missing := j.missing(); missing != "" {
			fmt.Printf("        %s: left out, there is no %s\n", j.name, missing)
			continue
		}
		if err := s.measure(j, rounds); err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
	}
	return nil
}

func (j *job) missing() string {
	for _, n := range j.needs {
		if filepath.IsAbs(n) {
			if _, err := os.Stat(n); err != nil {
				return n
			}
		} else if _, ok := program(n); !ok {
			return n
		}
	}
	return ""
}

func (s *set) measure(j job, rounds int) error {
	project := filepath.Join(s.dir, strings.ReplaceAll(j.name, " ", "-"))
	if err := os.MkdirAll(filepath.Join(project, ".ai-jail"), 0o755); err != nil {
		return err
	}
	for name, text := range j.files {
		path := filepath.Join(project, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	env := os.Environ()
	env = append(env, "XDG_DATA_HOME="+filepath.Join(s.dir, "data"), "XDG_CONFIG_HOME="+filepath.Join(s.dir, "config"))
	if len(j.setUp) > 0 {
		c := exec.Command(j.setUp[0], j.setUp[1:]...)
		c.Dir, c.Env = project, env
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("set up: %w\n%s", err, out)
		}
	}
	path, _ := program(j.args[0])
	outside := contender{name: "outside", args: append([]string{path}, j.args[1:]...), env: env, dir: project}
	inside := contender{name: "inside", args: append([]string{s.bin("jail"), "--quiet"}, j.args...), env: env, dir: project}
	pair := []*contender{&outside, &inside}
	for i := -1; i < rounds; i++ { // the first fills caches
		for k := range pair {
			c := pair[(i+1+k)%2]
			for _, name := range j.clean {
				if err := os.RemoveAll(filepath.Join(project, name)); err != nil {
					return err
				}
			}
			took, used, err := c.run()
			if err != nil {
				return err
			}
			if i >= 0 {
				c.took, c.used = append(c.took, took), append(c.used, used)
			}
		}
	}
	// What the processors did varies less than the time, on a machine that is shared.
	fmt.Printf("%6.3f  %-12s inside against outside: median %.2f s against %.2f s, fastest %.2f s against %.2f s; of the processors %.3f, %d rounds\n",
		ratio(inside.took, outside.took), j.name,
		median(inside.took).Seconds(), median(outside.took).Seconds(),
		slices.Min(inside.took).Seconds(), slices.Min(outside.took).Seconds(), ratio(inside.used, outside.used), rounds)
	return nil
}

// ratio is that of the medians of a and b.
func ratio(a, b []time.Duration) float64 { return float64(median(a)) / float64(median(b)) }
