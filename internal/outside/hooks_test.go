package outside

import (
	"errors"
	"testing"
)

func TestHooksOf(t *testing.T) {
	for manifest, want := range map[string]HookSetup{
		`{"scripts": {"prepare": "husky"}}`:                                       {"husky", "npm run prepare", ".husky/_"},
		`{"scripts": {"prepare": "tsc && husky || true"}}`:                        {"husky", "npm run prepare", ".husky/_"},
		`{"scripts": {"prepare": "husky install"}}`:                               {"husky", "npm run prepare", ".husky"},
		`{"scripts": {"postinstall": "simple-git-hooks"}}`:                        {"simple-git-hooks", "npm run postinstall", ""},
		`{"scripts": {"install": "lefthook install"}}`:                            {"lefthook", "npm run install", ""},
		`{"devDependencies": {"lefthook": "^1"}}`:                                 {"lefthook", "npx lefthook install", ""},
		`{"devDependencies": {"husky": "^9"}, "scripts": {"test": "husky"}}`:      {},
		`{"scripts": {"prepare": "node scripts/husky.js"}, "dependencies": {}}`:   {},
		`{"scripts": ["husky"]}`:                                                  {},
		`husky`:                                                                   {},
		`{"scripts": {"prepare": "echo husky-like"}, "devDependencies": {"a":1}}`: {},
	} {
		read := func(path string) ([]byte, error) {
			if path != "/p/package.json" {
				return nil, errors.New("another file")
			}
			return []byte(manifest), nil
		}
		if got := HooksOf([]string{"/usr/bin/npm", "install"}, "/p", read); got != want {
			t.Errorf("%s: %+v, want %+v", manifest, got, want)
		}
		if got := HooksOf([]string{"npm", "test"}, "/p", read); got != (HookSetup{}) {
			t.Errorf("%s at npm test: %+v", manifest, got)
		}
	}
}
