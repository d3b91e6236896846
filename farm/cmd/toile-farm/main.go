// Command toile-farm plays sweeps on many machines: a durable workflow engine (Temporal) hands out the runs, and a
// store (S3 or a folder) keeps what came of them. docs/farm.md says how to set one up.
package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	"github.com/toile-sim/toile/farm/sandbox"
	"github.com/toile-sim/toile/farm/store"
	"github.com/toile-sim/toile/internal/runfolder"
)

// connection is how the engine and the store are reached.
type connection struct {
	address   string
	namespace string
	store     string
	log       *slog.Logger
}

func main() {
	if sandbox.Entering() {
		sandbox.Enter()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newRoot().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "toile-farm:", err)
		os.Exit(1)
	}
}

func newRoot() *cobra.Command {
	c := &connection{log: slog.New(slog.NewTextHandler(os.Stderr, nil))}
	build := runfolder.ThisBuild()
	root := &cobra.Command{
		Use:   "toile-farm",
		Short: "Play sweeps of Toile on many machines",
		Long: `Play sweeps of Toile on many machines. A Temporal server hands out the runs, and a store,
S3 or a shared folder, keeps what came of them under the key of each run.

Keys and certificates are taken from the environment, where ps and histories do not show
them: TEMPORAL_API_KEY, TEMPORAL_TLS_CLIENT_CERT_PATH, TEMPORAL_TLS_CLIENT_KEY_PATH,
TEMPORAL_TLS_SERVER_CA_CERT_PATH, TEMPORAL_TLS_SERVER_NAME; for S3 what Amazon's tools
read, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
		Version:       build.Words("toile-farm"),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	flags := root.PersistentFlags()
	flags.StringVar(&c.address, "address", cmp.Or(os.Getenv("TEMPORAL_ADDRESS"), "127.0.0.1:7233"), "`host:port` of the Temporal server")
	flags.StringVar(&c.namespace, "namespace", cmp.Or(os.Getenv("TEMPORAL_NAMESPACE"), "default"), "`namespace` there; one for each tenant")
	flags.StringVar(&c.store, "store", os.Getenv("TOILE_FARM_STORE"), "`address` of the store: s3://BUCKET?prefix=TENANT/ or file:///FOLDER?prefix=TENANT/")
	root.AddCommand(
		newSubmitCommand(c), newWorkerCommand(c), newStatusCommand(c), newFetchCommand(c), newCancelCommand(c), newCollectCommand(c),
		newVersionCommand(&build),
	)
	return root
}

// openStore opens the store and makes sure that it answers.
func (c *connection) openStore(ctx context.Context) (*store.Store, error) {
	if c.store == "" {
		return nil, errors.New("no store is named: write --store or set TOILE_FARM_STORE")
	}
	s, err := store.Open(ctx, c.store)
	if err != nil {
		return nil, err
	}
	if err := s.Check(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// dial connects to the engine, with TLS if anything of it is set.
func (c *connection) dial(ctx context.Context) (client.Client, error) {
	options := client.Options{HostPort: c.address, Namespace: c.namespace, Logger: log.NewStructuredLogger(c.log)}
	config, err := tlsConfig()
	if err != nil {
		return nil, err
	}
	options.ConnectionOptions.TLS = config
	if key := os.Getenv("TEMPORAL_API_KEY"); key != "" {
		if config == nil {
			return nil, errors.New("TEMPORAL_API_KEY is sent through TLS only: set TEMPORAL_TLS=true, or TEMPORAL_TLS_SERVER_CA_CERT_PATH")
		}
		options.Credentials = client.NewAPIKeyStaticCredentials(key)
	}
	engine, err := client.DialContext(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("the Temporal server at %s: %w", c.address, err)
	}
	return engine, nil
}

// tlsConfig reads what the environment says about TLS; nil is none.
func tlsConfig() (*tls.Config, error) {
	cert, key := os.Getenv("TEMPORAL_TLS_CLIENT_CERT_PATH"), os.Getenv("TEMPORAL_TLS_CLIENT_KEY_PATH")
	authority, name := os.Getenv("TEMPORAL_TLS_SERVER_CA_CERT_PATH"), os.Getenv("TEMPORAL_TLS_SERVER_NAME")
	if cert+key+authority+name == "" && os.Getenv("TEMPORAL_TLS") != "true" {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: name}
	if cert+key != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("the client's certificate: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if authority != "" {
		text, err := os.ReadFile(authority)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s holds no certificate", authority)
		}
	}
	return config, nil
}
