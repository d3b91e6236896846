# make check is what a change must pass; the rest are parts of it.

.PHONY: check build test short race lint verify verify-full bench api mutants

build:
	CGO_ENABLED=0 go build -o toile ./cmd/toile

check:
	bash .ci/run

test:
	go test ./...

short:
	go test -short ./...

race:
	go test -race -short ./internal/par ./internal/sparse ./internal/body ./internal/solve ./internal/engine ./internal/player ./internal/runfolder

lint:
	bash .ci/run lint

verify: build
	./toile verify

# verify-full writes the table and the plots that docs/verification is copied from.
verify-full: build
	./toile verify --full -o out/verify

bench: build
	./toile bench

# mutants puts faults into a copy, turns them on one at a time, and reports whether tests notice.
mutants:
	go run ./internal/mutants

# api rewrites the list of exported names after an intended change.
api:
	go test ./internal/house -run TestExportedNames -update
