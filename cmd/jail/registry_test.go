package main_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"

	"github.com/rogpeppe/go-internal/testscript"
)

// newRegistry serves left-pad, and nothing else, as npm wants it: tests of an install
// need no network.
func newRegistry() (*httptest.Server, error) {
	tgz, err := leftPad()
	if err != nil {
		return nil, err
	}
	sum := sha512.Sum512(tgz)
	server := httptest.NewServer(nil)
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/left-pad":
			json.NewEncoder(w).Encode(map[string]any{
				"name": "left-pad", "dist-tags": map[string]string{"latest": "1.3.0"},
				"versions": map[string]any{"1.3.0": map[string]any{"name": "left-pad", "version": "1.3.0", "dist": map[string]string{
					"tarball": server.URL + "/left-pad.tgz", "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
				}}},
			})
		case "/left-pad.tgz":
			w.Write(tgz)
		default:
			http.NotFound(w, r)
		}
	})
	return server, nil
}

// leftPad is the package as npm packs it.
func leftPad() ([]byte, error) {
	var tgz bytes.Buffer
	zip := gzip.NewWriter(&tgz)
	archive := tar.NewWriter(zip)
	var failed error
	for _, f := range [][2]string{
		{"package.json", `{"name": "left-pad", "version": "1.3.0"}`},
		{"index.js", "module.exports = (text, length) => text.padStart(length)\n"},
	} {
		err := archive.WriteHeader(&tar.Header{Name: "package/" + f[0], Mode: 0o644, Size: int64(len(f[1])), Typeflag: tar.TypeReg})
		_, err2 := archive.Write([]byte(f[1]))
		failed = errors.Join(failed, err, err2)
	}
	failed = errors.Join(failed, archive.Close(), zip.Close())
	return tgz.Bytes(), failed
}

// registry gives a script such a registry, past any proxy.
func registry(ts *testscript.TestScript, neg bool, args []string) {
	takes(ts, neg, args, 0)
	server, err := newRegistry()
	ts.Check(err)
	ts.Defer(server.Close)
	ts.Setenv("npm_config_registry", server.URL+"/")
	ts.Setenv("npm_config_noproxy", "127.0.0.1")
}
