package runfolder

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/toile-sim/toile/meshio"
)

// shapeFile is obstacles.glb, read when it is first needed.
type shapeFile struct {
	mu     sync.Mutex // readers may ask for frames at the same time
	read   bool
	digest string
	meshes []*meshio.Mesh
}

// fillIn gives bodies whose meshes are kept apart their meshes.
func (f *Folder) fillIn(frame *Frame) error {
	for i := range frame.Bodies {
		o := &frame.Bodies[i]
		if !o.apart {
			continue
		}
		meshes, err := f.shapesOf(frame.shapes)
		if err != nil {
			return err
		}
		if o.shape < 0 || o.shape >= len(meshes) {
			return damaged(f.ObstaclesPath(), "it lacks the mesh of %q", o.Name)
		}
		o.Mesh = meshes[o.shape]
	}
	return nil
}

// shapesOf returns the meshes of the obstacles.glb with the given digest.
func (f *Folder) shapesOf(digest string) ([]*meshio.Mesh, error) {
	s := &f.shapes
	s.mu.Lock()
	defer s.mu.Unlock()
	path := f.ObstaclesPath()
	if !s.read {
		data, _, err := readWhole(path, maxFrame)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, damaged(path, "it is missing; run the same command again to have it made")
		}
		if err != nil {
			return nil, err
		}
		all, err := parseFrame(path, data)
		if err != nil {
			return nil, err
		}
		at, _ := findSeal(data)
		s.read, s.digest, s.meshes = true, string(data[at:at+len(noDigest)]), nil
		for i := range all.Bodies {
			s.meshes = append(s.meshes, all.Bodies[i].Mesh)
		}
	}
	if s.digest != digest {
		return nil, damaged(path, "it is not the one that this frame was written with")
	}
	return s.meshes, nil
}

// WriteShapes writes the meshes that frames do not repeat to obstacles.glb, if there are any and the file is not there
// already. It comes before the first frame, on resuming too.
func (w *Writer) WriteShapes(bodies []Body) error {
	var kept Frame
	for _, o := range bodies {
		if o.apart {
			o.apart = false
			kept.Bodies = append(kept.Bodies, o)
		}
	}
	if len(kept.Bodies) == 0 {
		return nil
	}
	path := w.ObstaclesPath()
	data, err := kept.encode()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	at, _ := findSeal(data)
	w.shapes.digest = string(data[at : at+len(noDigest)])
	if there, _, err := readWhole(path, maxFrame); err == nil && bytes.Equal(there, data) {
		return nil
	}
	return writeAtomic(path, data)
}
