package runfolder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
)

// A sealed file holds JSON with a member "digest" of 64 hexadecimal digits: the SHA-256 of the whole
// file, with those digits replaced by zeros. The member comes before anything a user has named, so
// the first "digest" in the file is the seal. Every byte of the file is covered, also those a JSON
// parser would pass over: the letter case of a digit, white space, padding.
var (
	sealKey   = []byte(`"digest"`)
	noDigest  = bytes.Repeat([]byte{'0'}, 2*sha256.Size)
	sealRange = 4096 // the seal is within this many bytes from the start
)

// findSeal returns where the digits of the digest start.
func findSeal(data []byte) (at int, ok bool) {
	at = bytes.Index(data[:min(len(data), sealRange)], sealKey)
	if at < 0 {
		return 0, false
	}
	at += len(sealKey)
	for at < len(data) && (data[at] == ':' || data[at] == ' ') {
		at++
	}
	at++ // the opening quote
	return at, at+len(noDigest) < len(data) && data[at-1] == '"' && data[at+len(noDigest)] == '"'
}

// digestOf returns the SHA-256 of data with the digits at the given place taken as zeros, in hex.
func digestOf(data []byte, at int) string {
	h := sha256.New()
	h.Write(data[:at])
	h.Write(noDigest)
	h.Write(data[at+len(noDigest):])
	return hex.EncodeToString(h.Sum(nil))
}

// seal fills in the digest of data, which must have a place for it, and returns it.
func seal(data []byte) string {
	at, ok := findSeal(data)
	if !ok {
		panic("cache: data to seal has no digest member")
	}
	digest := digestOf(data, at)
	copy(data[at:], digest)
	return digest
}

// checkSeal reports whether data is as it was when sealed, as a *Damage.
func checkSeal(file string, data []byte) error {
	if len(data) == 0 {
		return damaged(file, "it is empty")
	}
	at, ok := findSeal(data)
	if !ok {
		return damaged(file, "it carries no checksum, so it was not written by Toile or has been altered")
	}
	if digestOf(data, at) != string(data[at:at+len(noDigest)]) {
		return damaged(file, "its bytes do not give the checksum it carries; it was cut short or altered")
	}
	return nil
}
