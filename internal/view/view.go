// Package view serves a run folder to a browser, read-only, while the run is still being written or afterwards.
//
// The page is embedded. It asks for the facts of the run (/api/run), for frames as arrays that a graphics card takes as
// they are (/api/frames/12?fields=position,normal), and for the statistics (/api/stats). docs/viewer.md describes them.
//
// What the server promises:
//   - It only reads, answers GET and HEAD alone, and knows a fixed list of addresses: no part of an address is ever
//     used as a path on the disk; a frame is asked for by its number.
//   - It answers only requests that name it as localhost or by the address it is bound to, and that come from its own
//     page: another site cannot read a run through the browser of its owner, nor by a name that it points here.
//   - Its memory does not grow with the number of frames. A folder is listed once; from then on a look at the disk
//     costs a few stats, however many frames there are. Statistics are read as they grow, never twice.
//   - A file that is damaged, half written or gone is an error of one request, in words, and nothing else.
package view

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
)

// Serve answers on l until ctx ends, which is no error. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s,
		MaxHeaderBytes:    maxHeader,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          log.New(io.Discard, "", 0), // strangers do not write to the terminal

		DisableGeneralOptionsHandler: true,
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		_ = server.Close() // whoever still reads has had the time
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setHeaders(w.Header())
	if err := s.guard(r); err != nil {
		answerError(w, err)
		return
	}
	if err := s.route(w, r); err != nil {
		answerError(w, err)
	}
}

// route finds what answers an address. Addresses are compared as they were sent: none is cleaned up or decoded.
func (s *Server) route(w http.ResponseWriter, r *http.Request) error {
	path := r.URL.EscapedPath()
	if n, ok := frameNumber(path); ok {
		return s.frame(w, r, n)
	}
	switch path {
	case "/api/run":
		return s.run(w, r)
	case "/api/frames/at":
		return s.frameAt(w, r)
	case "/api/stats":
		return s.stats(w, r)
	case "/api/stats/columns":
		return s.columns(w, r)
	case "/api/worst":
		return s.worst(w, r)
	}
	return s.page.serve(w, r, path)
}
