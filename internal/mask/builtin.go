package mask

import (
	"slices"

	"jail/internal/sandbox/plan"
)

// layerBuiltin marks the patterns that nobody wrote. They alone ask a file's
// content before they hide it: who names a path has decided already.
const layerBuiltin = "built in"

// Builtin returns the patterns that hold where nobody configured anything, in the
// order in which they apply.
func Builtin() []plan.Pattern {
	var list []plan.Pattern
	add := func(action plan.Action, except bool, why string, texts ...string) {
		for _, t := range texts {
			list = append(list, plan.Pattern{
				Text: t, Action: action, Except: except,
				Reason: plan.Reason{Layer: layerBuiltin, Text: why},
			})
		}
	}
	add(plan.ActMask, false, "variables of a project, often with secrets", ".env", ".env.*")
	add(plan.ActMask, true, "a sample without secrets", ".env.example", ".env.sample", ".env.template")
	add(plan.ActMask, false, "credentials", "credentials.json", "secrets.yml", "secrets.yaml", "*token*.json")
	add(plan.ActMask, false, "what tools log in with", ".netrc", ".git-credentials", ".pgpass")
	add(plan.ActMask, false, "may hold a private key", "*.pem", "id_ed25519*", "id_rsa*")
	add(plan.ActMask, true, "a public key", "*.pub")
	add(plan.ActMask, false, "settings that hold a credential", toolSettings()...)
	add(plan.ActDeny, false, "a directory of secrets", "secrets/")
	add(plan.ActDeny, false, "a private key", "*.key")
	add(plan.ActDeny, false, "the keyring of GnuPG", ".gnupg/")
	return list
}

// A judge says which question a rule asks of a file before it hides it.
type judge uint8

const (
	judgeNone     judge = iota // hide whatever it is
	judgeVenv                  // a directory is left alone if it is a virtual environment
	judgePEM                   // a file, if it holds nothing but public PEM
	judgeToken                 // a file, if no value in it looks like a secret
	judgeSource                // a directory, if it is a source package
	judgeSettings              // a file of a tool's settings, if it holds no credential itself
)

// toolSettings are the files of a project in which package managers look for settings,
// and for what they log in with. Where a tool reads one, in the root and in the working
// directory, the command gets a copy of the rest of it.
func toolSettings() []string {
	return []string{
		".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", "pip.conf", "uv.toml", "bunfig.toml",
		"**/.cargo/config.toml", "**/.cargo/config", "**/.cargo/credentials.toml", "**/.cargo/credentials",
	}
}

func judgeOf(p *plan.Pattern) judge {
	if p.Reason.Layer != layerBuiltin || p.Except {
		return judgeNone
	}
	switch p.Text {
	case ".env", ".env.*":
		return judgeVenv
	case "*.pem":
		return judgePEM
	case "*token*.json":
		return judgeToken
	case "secrets/":
		return judgeSource
	}
	if slices.Contains(toolSettings(), p.Text) {
		return judgeSettings
	}
	return judgeNone
}
