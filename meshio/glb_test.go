package meshio

import (
	"encoding/binary"

	"github.com/toile-sim/toile/internal/format/gltf"
)

// glbOf packs a JSON text and binary data into a GLB file.
func glbOf(json string, bin []byte) []byte {
	for len(json)%4 != 0 {
		json += " "
	}
	le := binary.LittleEndian
	b := le.AppendUint32([]byte("glTF\x02\x00\x00\x00"), 0)
	b = append(le.AppendUint32(le.AppendUint32(b, uint32(len(json))), gltf.ChunkJSON), json...)
	if bin != nil {
		b = append(le.AppendUint32(le.AppendUint32(b, uint32(len(bin))), gltf.ChunkBIN), bin...)
	}
	le.PutUint32(b[8:], uint32(len(b)))
	return b
}

// partsOf takes apart what glbOf packs; data that are no sound file are not ok.
func partsOf(data []byte) (json string, bin []byte, ok bool) {
	if len(data) < gltf.HeadSize {
		return "", nil, false
	}
	chunks := [][]byte{nil, nil}
	data = data[gltf.HeadSize:]
	for i := range chunks {
		if len(data) < gltf.ChunkHeadSize {
			break
		}
		n, _ := gltf.ReadChunkHead(data)
		if data = data[gltf.ChunkHeadSize:]; n > int64(len(data)) {
			return "", nil, false
		}
		chunks[i], data = data[:n], data[n:]
	}
	return string(chunks[0]), chunks[1], chunks[0] != nil
}
