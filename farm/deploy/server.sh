#!/bin/sh
# Starts the Temporal server on PostgreSQL: makes or renews its two databases, writes its settings, and becomes the server.
# From the environment: DB_HOST, DB_PORT, DB_PASSWORD (of the account temporal), SCHEMA, PORT (the first of its ports), BIND
# (the address it listens at), TLS_DIR (a folder with ca.pem, server.pem and server.key; without it, there is no TLS).
set -eu
: "${DB_HOST:?}" "${DB_PASSWORD:?}"
db_port=${DB_PORT:-5432} schema=${SCHEMA:-/usr/share/temporal/schema} port=${PORT:-7233} bind=${BIND:-0.0.0.0}
self=${ADVERTISE:-$(hostname -i | cut -d' ' -f1)}
settings=$(mktemp -d)

for pair in temporal:temporal temporal_visibility:visibility; do
  export SQL_PASSWORD="$DB_PASSWORD"
  sql() { temporal-sql --ep "$DB_HOST" -p "$db_port" -u temporal --pl postgres12 --db "${pair%%:*}" "$@"; }
  sql create || true
  sql setup-schema -v 0.0 || true
  sql update-schema -d "$schema/${pair##*:}/versioned"
done

store() {
  cat <<END
      sql: {pluginName: postgres12, databaseName: $1, connectAddr: "$DB_HOST:$db_port", connectProtocol: tcp,
            user: temporal, password: "$DB_PASSWORD", maxConns: 20, maxIdleConns: 20}
END
}
tls=
if [ -n "${TLS_DIR:-}" ]; then
  tls="tls:
    frontend:
      server: {certFile: $TLS_DIR/server.pem, keyFile: $TLS_DIR/server.key, requireClientAuth: true, clientCaFiles: [$TLS_DIR/ca.pem]}
      client: {serverName: temporal, rootCaFiles: [$TLS_DIR/ca.pem]}
    systemWorker: {certFile: $TLS_DIR/server.pem, keyFile: $TLS_DIR/server.key, client: {serverName: temporal, rootCaFiles: [$TLS_DIR/ca.pem]}}"
fi
umask 077
printf 'matching.enableFairness:\n  - value: true\n' >"$settings/dynamic.yaml"
cat >"$settings/server.yaml" <<END
log: {stdout: true, level: warn}
persistence:
  defaultStore: main
  visibilityStore: visibility
  numHistoryShards: ${SHARDS:-512}
  datastores:
    main:
$(store temporal)
    visibility:
$(store temporal_visibility)
global:
  membership: {maxJoinDuration: 30s, broadcastAddress: "$self"}
  $tls
services:
  frontend: {rpc: {grpcPort: $port, membershipPort: $((port + 100)), bindOnIP: "$bind"}}
  history: {rpc: {grpcPort: $((port + 1)), membershipPort: $((port + 101)), bindOnIP: "$bind"}}
  matching: {rpc: {grpcPort: $((port + 2)), membershipPort: $((port + 102)), bindOnIP: "$bind"}}
  worker: {rpc: {grpcPort: $((port + 3)), membershipPort: $((port + 103)), bindOnIP: "$bind"}}
clusterMetadata:
  enableGlobalNamespace: false
  failoverVersionIncrement: 10
  masterClusterName: active
  currentClusterName: active
  clusterInformation:
    active: {enabled: true, initialFailoverVersion: 1, rpcName: frontend, rpcAddress: "127.0.0.1:$port"}
dcRedirectionPolicy: {policy: noop}
dynamicConfigClient: {filepath: $settings/dynamic.yaml, pollInterval: 60s}
END
exec temporal-server --config-file "$settings/server.yaml" --allow-no-auth start
