// Package view has the command toile view, which shows a run in the browser.
package view

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/view"
	"github.com/toile-sim/toile/internal/words"
)

// viewPort is where the viewer is unless somebody else is there.
const viewPort = 7070

// Flags are the flags of everything that opens a viewer.
type Flags struct {
	port     int
	listen   string
	noOpen   bool
	wait     bool
	frame    int
	fragment string // what the page is to show, after the #
}

// Command returns toile view.
func Command(t *cli.Term) *cobra.Command {
	var f Flags
	cmd := &cobra.Command{
		Use:   "view DIR",
		Short: "Look at a run in the browser, while it runs or afterwards",
		Long: `Look at a run in the browser: play and scrub its frames, colour them by stretch, speed
or contact, and read the statistics of every step. A run that is still going on keeps
growing on screen. Nothing is written, and nothing is loaded from anywhere else.

The viewer answers this machine only, at a port of its own. --listen lets other machines
in: whoever can reach that address can look at the run. From afar, a tunnel is safer:
  ssh -L 7070:localhost:7070 HOST

` + cli.ExitCodes,
		Example: `  toile view scene.run
  toile view scene.run --frame 12
  toile view scene.run --no-open --port 8000
  toile view next.run --wait`,
		Args: cli.NeedArgs("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			// the frame to show first
			if cmd.Flags().Changed("frame") {
				f.fragment = fmt.Sprintf("#frame=%d&color=%s", f.frame, runfolder.AttrState)
			}
			return viewRun(cmd.Context(), t, args[0], &f)
		},

		ValidArgsFunction: cli.Complete(cobra.ShellCompDirectiveFilterDirs),
	}
	// where it is shown, and what
	f.Add(cmd)
	cmd.Flags().BoolVar(&f.wait, "wait", false, "wait for a run that does not exist yet")
	cmd.Flags().IntVar(&f.frame, "frame", 0, "`number` of the frame to show first, coloured by what contacts do")
	cli.AddJSON(cmd, t)
	return cmd
}

// Add gives a command the flags.
func (f *Flags) Add(cmd *cobra.Command) {
	cmd.Flags().IntVarP(
		&f.port, "port", "p", 0,
		fmt.Sprintf("`port` on this machine (default %d, or another if it is taken)", viewPort),
	)
	cmd.Flags().StringVar(&f.listen, "listen", "", "`address:port` to answer at, for other machines too")
	cmd.Flags().BoolVar(&f.noOpen, "no-open", false, "print the address and do not open the browser")
}

func viewRun(ctx context.Context, t *cli.Term, dir string, f *Flags) error {
	waits, err := checkViewed(dir, f.wait)
	if err != nil {
		return err
	}
	if err := f.checkFrame(dir); err != nil {
		return err
	}
	l, names, err := f.Open(t)
	if err != nil {
		return err
	}
	ctx, stop := cli.UntilInterrupt(ctx, func() {})
	defer stop()
	f.Announce(t, l, dir)
	if waits != "" {
		t.Say("%s; the page waits for it.", waits)
	}
	return view.New(dir, view.Options{Names: names}).Serve(ctx, l)
}

// checkFrame reports a frame that the run never has. One that is not there yet is waited for.
func (f *Flags) checkFrame(dir string) error {
	if f.frame < 0 {
		return cli.BadUsage("--frame %d: write the number of a frame, from 0", f.frame)
	}
	folder, err := runfolder.Open(dir)
	if err != nil {
		return nil // there is no run yet, which checkViewed allowed
	}
	if last := folder.Manifest.Time.Frames - 1; f.frame > last {
		return cli.BadUsage("--frame %d: %s has frames 0 to %d", f.frame, dir, last)
	}
	return nil
}

// checkViewed returns what is still to come before there is something to see, if it is worth waiting for.
func checkViewed(dir string, wait bool) (waits string, err error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil && wait:
		return fmt.Sprintf("%s does not exist yet", dir), nil
	case err != nil:
		return "", cli.BadInput(fmt.Errorf("%s does not exist%s", dir, insteadOf(dir)))
	case !info.IsDir():
		return "", cli.BadInput(fmt.Errorf("%s is a file%s", dir, insteadOf(dir)))
	}
	folder, err := cli.OpenRun(dir)
	if err != nil {
		if empty(dir) || wait && !cli.Exists(filepath.Join(dir, runfolder.ManifestName)) {
			return fmt.Sprintf("%s has no run yet", dir), nil
		}
		if !cli.Exists(filepath.Join(dir, runfolder.ManifestName)) {
			return "", cli.BadInput(fmt.Errorf("%w%s", err, insteadOf(dir)))
		}
		return "", err
	}
	if !cli.Exists(folder.FramePath(0)) {
		if frames, err := folder.Frames(); err == nil && len(frames) == 0 {
			return fmt.Sprintf("%s has no frames yet", dir), nil
		}
	}
	return "", nil
}

// empty reports whether a folder has nothing in it but what a run that begins may have put there.
func empty(dir string) bool {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			return false
		}
	}
	return err == nil
}

// insteadOf says what to write instead of a name that is not a run folder.
func insteadOf(dir string) string {
	candidate := cli.RunFolder(dir)
	if candidate != dir && cli.Exists(filepath.Join(candidate, runfolder.ManifestName)) {
		return "; write: toile view " + words.ShellWord(candidate)
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return "; write: toile run " + words.ShellWord(dir)
	}
	if found, err := fs.Glob(os.DirFS(dir), "*/"+runfolder.ManifestName); err == nil && len(found) > 0 {
		return "; write: toile view " + words.ShellWord(filepath.Join(dir, filepath.Dir(filepath.FromSlash(found[0]))))
	}
	return "; toile run SCENE makes run folders, and --wait waits for one"
}

// Open begins to listen. names are names of hosts to answer to, beside localhost.
func (f *Flags) Open(t *cli.Term) (l net.Listener, names []string, err error) {
	// a port of this machine
	if f.port < 0 || f.port > 65535 {
		return nil, nil, cli.BadUsage("--port %d: write a port from 1 to 65535, or 0 for any", f.port)
	}
	if f.listen == "" {
		return f.openHere()
	}
	// an address that the user named
	if f.port != 0 {
		return nil, nil, cli.BadUsage("--listen and --port: write the port in --listen, as in 127.0.0.1:%d", f.port)
	}
	host, port, err := net.SplitHostPort(f.listen)
	if _, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil {
		return nil, nil, cli.BadUsage(
			"--listen %s: write an address and a port, such as 127.0.0.1:%d or [::1]:%d",
			f.listen,
			viewPort,
			viewPort,
		)
	}
	// listen there
	l, err = net.Listen("tcp", f.listen)
	if err != nil {
		return nil, nil, fmt.Errorf("--listen %s: %w", f.listen, err)
	}
	// the viewer answers to this name
	if _, err := netip.ParseAddr(host); err != nil && host != "" {
		names = append(names, host)
	}
	// others may look
	if !l.Addr().(*net.TCPAddr).IP.IsLoopback() {
		t.Note("whoever can reach %s can look at this run; without --listen only this machine can", l.Addr())
	}
	return l, names, nil
}

// openHere listens on this machine alone.
func (f *Flags) openHere() (net.Listener, []string, error) {
	here := func(port int) (net.Listener, error) {
		return net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	}
	if f.port != 0 {
		l, err := here(f.port)
		if err != nil {
			err = fmt.Errorf("--port %d: %w; without --port one that is free is taken", f.port, err)
		}
		return l, nil, err
	}
	l, err := here(viewPort)
	if err != nil {
		l, err = here(0)
	}
	return l, nil, err
}

// viewEvent says where a run is to be seen.
type viewEvent struct {
	Event string `json:"event"`
	Dir   string `json:"dir"`
	URL   string `json:"url"`
}

// Announce says where the viewer is, and opens it.
func (f *Flags) Announce(t *cli.Term, l net.Listener, dir string) (url string) {
	addr := l.Addr().(*net.TCPAddr)
	host := addr.IP.String()
	if addr.IP.IsUnspecified() {
		host = "localhost"
	}
	url = "http://" + net.JoinHostPort(host, strconv.Itoa(addr.Port)) + "/" + f.fragment
	t.Emit(viewEvent{"view", dir, url})
	t.Say("%s is at %s; Ctrl-C stops the viewer.", dir, t.Paint(cli.Bold, url))
	if !f.noOpen && !t.JSON {
		openBrowser(url)
	}
	return url
}
