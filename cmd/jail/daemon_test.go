package main

import (
	"strings"
	"testing"
)

func TestLeavesDaemon(t *testing.T) {
	for line, want := range map[string]string{
		"npx pm2 start s.js":                   "pm2: npx pm2 start s.js --no-daemon",
		"node_modules/.bin/pm2 resurrect":      "pm2: node_modules/.bin/pm2 resurrect --no-daemon",
		"gunicorn -w 2 -D app:app":             "gunicorn: gunicorn -w 2 app:app",
		"python3 -m gunicorn --daemon app:app": "gunicorn: python3 -m gunicorn app:app",
		"npx pm2 start s.js --no-daemon":       ": ",
		"npx pm2 ls":                           ": ",
		"npx turbo run build":                  ": ",
		"npx pm2 logs":                         ": ",
		"npm run start pm2":                    ": ",
		"npm install pm2":                      ": ",
		"gunicorn app:app":                     ": ",
		"npm":                                  ": ",
	} {
		name, foreground := leavesDaemon(strings.Fields(line))
		if got := name + ": " + strings.Join(foreground, " "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
