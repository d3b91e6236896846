package view

// Server is the http.Handler of one run folder.
type Server struct {
	opt    Options
	live   *live
	frames *frameCache
	page   page
}

// New returns a server of the run in dir, which may not be there yet.
func New(dir string, opt Options) *Server {
	return &Server{opt: opt, live: newLive(dir), frames: newFrameCache(), page: loadPage()}
}
