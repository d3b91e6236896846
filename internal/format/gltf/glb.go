package gltf

import (
	"encoding/binary"
	"encoding/json"
	"math"
)

// A binary file is a header and chunks: JSON first, then binary data, if there are any.
const (
	Magic     = 0x46546C67 // "glTF"
	Version   = 2
	ChunkJSON = 0x4E4F534A // "JSON"
	ChunkBIN  = 0x004E4942 // "BIN\0"

	HeadSize      = 12 // [byte]: magic, version, length of the file
	ChunkHeadSize = 8  // [byte]: length of the chunk without its head, kind
)

// MaxSize is the largest file that the format can tell the length of [byte].
const MaxSize = math.MaxUint32

// ReadHead returns what the first HeadSize bytes of a file say.
func ReadHead(data []byte) (magic, version uint32, length int64) {
	le := binary.LittleEndian
	return le.Uint32(data), le.Uint32(data[4:]), int64(le.Uint32(data[8:]))
}

// ReadChunkHead returns what the first ChunkHeadSize bytes of a chunk say.
func ReadChunkHead(data []byte) (length int64, kind uint32) {
	le := binary.LittleEndian
	return int64(le.Uint32(data)), le.Uint32(data[4:])
}

// Text returns a document as the JSON of a file, whose length is a multiple of 4.
func Text(doc any) ([]byte, error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	return text, nil
}

// FileSize returns the length of a file with so much JSON and binary data [byte].
func FileSize(text, bin int64) int64 {
	size := HeadSize + ChunkHeadSize + text
	if bin > 0 {
		size += ChunkHeadSize + bin
	}
	return size
}

// AppendHead writes everything before the binary data, which have the given length, a multiple of 4. Without any there
// is no chunk for them.
func AppendHead(b, text []byte, bin int64) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, Magic)
	b = le.AppendUint32(b, Version)
	b = le.AppendUint32(b, uint32(FileSize(int64(len(text)), bin)))
	b = le.AppendUint32(b, uint32(len(text)))
	b = le.AppendUint32(b, ChunkJSON)
	b = append(b, text...)
	if bin > 0 {
		b = le.AppendUint32(b, uint32(bin))
		b = le.AppendUint32(b, ChunkBIN)
	}
	return b
}
