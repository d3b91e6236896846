package scene

import (
	"context"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/internal/bridge"
	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/dress"
)

// Live is a scene as a world that a program steps by itself.
type Live struct {
	// World has a handle for each cloth, body and obstacle, under its name in the scene: see toile.World.Find.
	World *toile.World

	close func() error
}

// Build makes the world of a scene at t = 0. Garments are sewn and put on before that, which ctx can stop; the same
// scene gives the same world, bit for bit. What can only be wrong with a mesh in place, such as a pin that holds
// nothing, is returned as Faults. Close it after use. Scenes of yarns have no world yet: package run plays them.
func (s *Scene) Build(ctx context.Context) (*Live, error) {
	built, err := s.build(ctx)
	if err != nil {
		return nil, public(err)
	}
	return &Live{World: bridge.Adopt(built.World).(*toile.World), close: built.Close}, nil
}

func (s *Scene) build(ctx context.Context) (*build.Built, error) {
	if !s.file.Dresses() {
		return build.World(s.file)
	}
	dressed, err := dress.Scene(ctx, s.file, dress.Options{})
	if err != nil {
		return nil, err
	}
	return dress.World(s.file, dressed)
}

// Close closes the files that obstacles are read from while the world advances. The world can be looked at afterwards,
// but not advanced.
func (l *Live) Close() error { return l.close() }
