package lost

import (
	"slices"
	"strings"
)

// Downloads reports whether a path below the home lies in a cache of downloads, of which a
// message may say how a command can write there. Of others none does: a command chooses
// what it leaves, and shells, prompts and editors run what lies in theirs, such as
// ~/.cache/gitstatus, ~/.cache/antidote and ~/.cache/nvim.
func Downloads(below string) bool {
	parts := strings.Split(below, "/")
	switch {
	case slices.Contains(parts, "..") || len(parts) < 2:
		return false
	case parts[0] == ".gradle":
		return parts[1] == "caches"
	case parts[0] == ".m2":
		return parts[1] == "repository"
	case parts[0] == ".nuget":
		return parts[1] == "packages"
	}
	return parts[0] == ".cache" && slices.Contains(downloads[:], parts[1])
}

// downloads are the names of such caches in ~/.cache, sorted.
var downloads = [...]string{
	"Cypress", "R", "bazel", "bazelisk", "ccache", "clip", "composer", "coursier", "deno", "electron", "electron-builder", "go-build",
	"golangci-lint", "helm", "huggingface", "matplotlib", "mill", "ms-playwright", "ms-playwright-go", "node", "node-gyp", "pdm", "pip",
	"pipenv", "pnpm", "prisma", "puppeteer", "pypoetry", "sccache", "selenium", "spacy", "torch", "trivy", "tts", "turbo", "uv", "whisper",
	"yarn", "zig",
}
