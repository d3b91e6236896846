package servers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
)

// Postgres is a database server in a folder of its own.
type Postgres struct {
	dir  string
	bin  string
	port int
}

// account is whom PostgreSQL runs as if we are root, whom it refuses.
const account = "postgres"

// NewPostgres prepares PostgreSQL below dir.
func NewPostgres(dir string, port int) (*Postgres, error) {
	program, err := exec.LookPath("postgres")
	if err != nil {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
		if len(found) == 0 {
			return nil, err
		}
		program = found[len(found)-1]
	}
	if program, err = filepath.EvalSymlinks(program); err != nil {
		return nil, err
	}
	return &Postgres{dir: filepath.Join(dir, "postgres"), bin: filepath.Dir(program), port: port}, nil
}

func (p *Postgres) run(name string, args ...string) error {
	cmd := exec.Command(filepath.Join(p.bin, name), args...)
	if os.Geteuid() == 0 {
		cmd = exec.Command("runuser", append([]string{"-u", account, "--", filepath.Join(p.bin, name)}, args...)...)
	}
	cmd.Dir = "/"
	// The output goes to a file: the server that pg_ctl starts would keep a pipe open.
	out, err := os.OpenFile(p.dir+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w; see %s", name, err, out.Name())
	}
	return nil
}

// Start starts the database, which is made if there is none.
func (p *Postgres) Start() error {
	if _, err := os.Stat(filepath.Join(p.dir, "PG_VERSION")); err != nil {
		if err := os.MkdirAll(p.dir, 0o700); err != nil {
			return err
		}
		if err := p.own(); err != nil {
			return err
		}
		if err := p.run("initdb", "-D", p.dir, "-A", "trust", "-U", "temporal"); err != nil {
			return err
		}
	}
	return p.run("pg_ctl", "-D", p.dir, "-w", "-l", filepath.Join(p.dir, "log"), "-o", fmt.Sprintf("-p %d -k %s", p.port, p.dir), "start")
}

// own gives the folder to the database's account, and lets it pass through those above.
func (p *Postgres) own() error {
	if os.Geteuid() != 0 {
		return nil
	}
	u, err := user.Lookup(account)
	if err != nil {
		return err
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return err
	}
	return os.Chown(p.dir, uid, -1)
}

// Stop ends the database in good order.
func (p *Postgres) Stop() error { return p.run("pg_ctl", "-D", p.dir, "-m", "fast", "stop") }

// PID is that of its first process.
func (p *Postgres) PID() (int, error) {
	text, err := os.ReadFile(filepath.Join(p.dir, "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strconv.Atoi(first)
}

// Size returns the bytes of a database.
func (p *Postgres) Size(database string) (int64, error) {
	query := exec.Command(filepath.Join(p.bin, "psql"), "-h", "127.0.0.1", "-p", strconv.Itoa(p.port), "-U", "temporal", "-d", "postgres",
		"-Atc", "select pg_database_size('"+database+"')")
	out, err := query.Output()
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
}

// Server prepares the Temporal server on a database that runs. Ports from port on are its own.
func Server(dir string, db *Postgres, port int) (*Process, error) {
	program, err := Find("temporal-server")
	if err != nil {
		return nil, err
	}
	if err := makeSchemas(dir, db); err != nil {
		return nil, err
	}
	dynamic := filepath.Join(dir, "dynamic.yaml")
	if err := os.WriteFile(dynamic, []byte("matching.enableFairness:\n  - value: true\n"), 0o666); err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "server.yaml")
	if err := os.WriteFile(config, []byte(serverConfig(db.port, port, dynamic)), 0o666); err != nil {
		return nil, err
	}
	return &Process{
		Address: "127.0.0.1:" + strconv.Itoa(port), program: program,
		args: []string{"--config-file", config, "--allow-no-auth", "start"}, log: filepath.Join(dir, "server.log"),
	}, nil
}

// makeSchemas makes the two databases of the engine, once.
func makeSchemas(dir string, db *Postgres) error {
	done := filepath.Join(dir, "schemas")
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	tool, err := Find("temporal-sql")
	if err != nil {
		return err
	}
	for database, folder := range map[string]string{"temporal": "temporal", "temporal_visibility": "visibility"} {
		schema := filepath.Join(CacheFolder(), "schema", "postgresql", "v12", folder, "versioned")
		for _, step := range [][]string{{"create"}, {"setup-schema", "-v", "0.0"}, {"update-schema", "-d", schema}} {
			args := append([]string{
				"--ep", "127.0.0.1", "-p", strconv.Itoa(db.port), "-u", "temporal", "--pw", "temporal", "--pl", "postgres12", "--db", database,
			}, step...)
			if out, err := exec.Command(tool, args...).CombinedOutput(); err != nil && step[0] == "update-schema" {
				return fmt.Errorf("%s of %s: %w\n%s", step[0], database, err, out)
			}
		}
	}
	return os.WriteFile(done, nil, 0o666)
}

// serverConfig is the whole engine in one process.
func serverConfig(dbPort, port int, dynamic string) string {
	store := func(name string, conns int) string {
		return fmt.Sprintf(`      sql:
        pluginName: postgres12
        databaseName: %s
        connectAddr: "127.0.0.1:%d"
        connectProtocol: tcp
        user: temporal
        password: temporal
        maxConns: %d
        maxIdleConns: %d
`, name, dbPort, conns, conns)
	}
	service := func(name string, offset int) string {
		return fmt.Sprintf("  %s:\n    rpc: {grpcPort: %d, membershipPort: %d, bindOnLocalHost: true}\n", name, port+offset, port+100+offset)
	}
	return "log: {stdout: true, level: warn}\n" +
		"persistence:\n  defaultStore: main\n  visibilityStore: visibility\n  numHistoryShards: 4\n  datastores:\n    main:\n" + store("temporal", 20) +
		"    visibility:\n" + store("temporal_visibility", 5) +
		"global:\n  membership: {maxJoinDuration: 30s, broadcastAddress: \"127.0.0.1\"}\n" +
		"services:\n" + service("frontend", 0) + service("history", 1) + service("matching", 2) + service("worker", 3) +
		`clusterMetadata:
  enableGlobalNamespace: false
  failoverVersionIncrement: 10
  masterClusterName: active
  currentClusterName: active
  clusterInformation:
    active: {enabled: true, initialFailoverVersion: 1, rpcName: frontend, rpcAddress: "127.0.0.1:` + strconv.Itoa(port) + `"}
dcRedirectionPolicy: {policy: noop}
dynamicConfigClient: {filepath: "` + dynamic + `", pollInterval: 60s}
`
}

// MakeNamespace makes the namespace default on a server that runs.
func MakeNamespace(ctx context.Context, address string) error {
	tool, err := Find("temporal")
	if err != nil {
		return err
	}
	var out []byte
	for range 60 {
		describe := exec.CommandContext(ctx, tool, "operator", "namespace", "describe", "-n", "default", "--address", address)
		if describe.Run() == nil {
			return nil
		}
		create := exec.CommandContext(ctx, tool, "operator", "namespace", "create", "-n", "default", "--retention", "1d", "--address", address)
		out, err = create.CombinedOutput()
	}
	return fmt.Errorf("no namespace: %w\n%s", err, out)
}
