package view_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"github.com/toile-sim/toile/internal/view"
)

// A server begins before there is a run, and shows it when it comes.
func Example() {
	dir, err := os.MkdirTemp("", "example-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	done := make(chan error, 1)
	go func() { done <- view.New(filepath.Join(dir, "next.run"), view.Options{}).Serve(ctx, l) }()

	r, err := http.Get("http://" + l.Addr().String() + "/api/run")
	if err != nil {
		fmt.Println(err)
		return
	}
	var facts struct{ Folder, State, Message string }
	if err := json.NewDecoder(r.Body).Decode(&facts); err != nil {
		fmt.Println(err)
	}
	_ = r.Body.Close()
	fmt.Println(facts.Folder, facts.State)
	fmt.Println(facts.Message)

	stop()
	fmt.Println(<-done)
	// Output:
	// next.run running
	// Waiting for a run: there is no run.json in this folder yet.
	// <nil>
}
