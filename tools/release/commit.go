package main

import (
	"fmt"
	osexec "os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// commit is what a release is made from.
type commit struct {
	revision string    // all 40 digits
	date     time.Time // which all files of the release carry
	tag      string    // v1.2.3, or empty: a snapshot
	version  string    // 1.2.3, or 0.0.0-DATE-REVISION for a snapshot, as the go command calls commits
	changed  bool      // files were changed since
}

var versionTag = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.]+)?$`)

// readCommit asks git for the commit that is checked out in root. A commit with a tag makes a release, for which no
// file may be changed; any other makes a snapshot.
func readCommit(root string) (*commit, error) {
	// each question, and what its answer is taken for
	c := &commit{}
	for _, ask := range []struct {
		args []string
		read func(string) error
	}{
		{[]string{"rev-parse", "HEAD"}, func(s string) error { c.revision = s; return nil }},
		{[]string{"log", "-1", "--format=%ct"}, func(s string) error {
			seconds, err := strconv.ParseInt(s, 10, 64)
			c.date = time.Unix(seconds, 0).UTC()
			return err
		}},
		{[]string{"tag", "--points-at", "HEAD"}, func(s string) error { return c.readTags(strings.Fields(s)) }},
		{[]string{"status", "--porcelain"}, func(s string) error { c.changed = s != ""; return nil }},
	} {
		text, err := osexec.Command("git", append([]string{"-C", root}, ask.args...)...).Output()
		if err == nil {
			err = ask.read(strings.TrimSpace(string(text)))
		}
		if err != nil {
			return nil, fmt.Errorf("git %s: %w", strings.Join(ask.args, " "), err)
		}
	}

	// a tag or not
	if c.tag == "" {
		c.version = "0.0.0-" + c.date.Format("20060102150405") + "-" + c.revision[:12]
	} else if c.changed {
		return nil, fmt.Errorf("files were changed since %s: commit them, or put them away", c.tag)
	}
	return c, nil
}

// readTags takes the version from the tags of a commit, of which one at most may be a version.
func (c *commit) readTags(tags []string) error {
	for _, tag := range tags {
		if !versionTag.MatchString(tag) {
			continue
		}
		if c.tag != "" {
			return fmt.Errorf("the commit is %s and %s", c.tag, tag)
		}
		c.tag, c.version = tag, strings.TrimPrefix(tag, "v")
	}
	return nil
}
