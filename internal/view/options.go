package view

// Status is how a run is doing, as far as its folder cannot tell.
type Status struct {
	State   State
	Message string // for people; may be empty
}

// State is what a run is doing.
type State string

// The states of a run.
const (
	Running  State = "running"  // or about to begin
	Finished State = "finished" // its last frame is written
	Stopped  State = "stopped"  // before its end; it can be continued
	Failed   State = "failed"   // or its folder cannot be read
)

// Options say how a folder is served.
type Options struct {
	// Names are names of hosts, beside localhost, under which the server may be asked for. A name that somebody else
	// can point to this machine does not belong here.
	Names []string
	// Status, if not nil, tells how the run is doing: for a run of the same process. Otherwise it is told from the
	// folder.
	Status func() Status
}
