package runfolder

import (
	"errors"
	"io/fs"

	"github.com/toile-sim/toile/meshio"
)

// Frame reads frame n and checks that it is what was written.
func (f *Folder) Frame(n int) (*Frame, error) {
	frame, err := ReadFrame(f.FramePath(n))
	if err != nil {
		return nil, err
	}
	if frame.Number != n {
		return nil, damaged(f.FramePath(n), "it is frame %d under the name of frame %d", frame.Number, n)
	}
	if err := f.fillIn(frame); err != nil {
		return nil, err
	}
	return frame, nil
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
	// read the file once, with its digest
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
	// frames tell which file they belong to
	if s.digest != digest {
		return nil, damaged(path, "it is not the one that this frame was written with")
	}
	return s.meshes, nil
}
