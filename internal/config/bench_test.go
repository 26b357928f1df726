package config

import (
	"os"
	"path/filepath"
	"testing"
)

func benchLoad(b *testing.B, user, project string) {
	home := b.TempDir()
	dir := filepath.Join(home, "proj")
	if err := os.MkdirAll(filepath.Join(dir, markerName), 0o755); err != nil {
		b.Fatal(err)
	}
	in := Input{
		UserFile: filepath.Join(home, "config.toml"), OtherFile: filepath.Join(home, ".ai-jail"), Homes: []string{home}, Cwd: dir, UID: uint32(os.Getuid()),
		Projects: []ProjectFile{{Dir: dir, Usable: true}}, Command: Command{Preset: "npm", Args: []string{"npm", "run", "dev"}},
	}
	for path, text := range map[string]string{in.UserFile: user, filepath.Join(dir, markerName, fileName): project} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(in); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadNoFile(b *testing.B) { benchLoad(b, "", "") }
func BenchmarkLoadProject(b *testing.B) {
	benchLoad(b, "", "mask = ['*.tfstate']\n[commands.npm]\ncache = 'none'\n")
}
func BenchmarkLoadTwoFiles(b *testing.B) {
	benchLoad(b, everything, "mask = ['*.tfstate']\nnetwork = 'off'\n")
}
