package runfolder

import (
	"runtime/debug"
	"testing"
)

// TestReleased holds versions of releases apart from the names that the go command makes up.
func TestReleased(t *testing.T) {
	for version, want := range map[string]bool{
		"v1.2.3":                                    true,
		"v0.1.0-rc.1":                               true,
		"v0.1.0-20261119":                           true,
		"v1.2.3+dirty":                              false,
		"v0.0.0-20261119134444-0722b6981234":        false,
		"v1.2.4-0.20261119134444-0722b6981234":      false,
		"v1.2.4-rc.1.0.20261119134444-0722b6981234": false,
		"(devel)":                                   false,
		"(unknown)":                                 false,
		"":                                          false,
	} {
		b := Build{Version: version}
		if got := b.Released(); got != want {
			t.Errorf("%q is of a release: %v", version, got)
		}
		if got := b.Title(); want != (got == version) {
			t.Errorf("%q is called %q", version, got)
		}
	}
}

// TestBuildInformation reads version and revision of both programs: of toile, and of one whose module is below.
func TestBuildInformation(t *testing.T) {
	settings := []debug.BuildSetting{{Key: "vcs.revision", Value: "0722b698"}, {Key: "vcs.modified", Value: "true"}}
	for _, c := range []struct {
		info     debug.BuildInfo
		revision string
	}{
		{debug.BuildInfo{Main: debug.Module{Path: modulePath, Version: "v1.2.3"}, Settings: settings}, "0722b698"},
		{debug.BuildInfo{
			Main: debug.Module{Path: modulePath + "/farm", Version: "v9.9.9"}, Settings: settings,
			Deps: []*debug.Module{{Path: modulePath, Version: "v1.2.3"}},
		}, "0722b698"},
		{debug.BuildInfo{
			Main: debug.Module{Path: "another", Version: "v9.9.9"}, Settings: settings,
			Deps: []*debug.Module{{Path: modulePath, Version: "v1.2.3"}},
		}, ""},
	} {
		var b Build
		b.read(&c.info)
		if b.Version != "v1.2.3" || b.Revision != c.revision || b.Modified != (c.revision != "") {
			t.Errorf("%s: version %s, revision %s, modified %v", c.info.Main.Path, b.Version, b.Revision, b.Modified)
		}
	}
}
