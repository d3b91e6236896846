module example.com/consumer

go 1.26

require github.com/toile-sim/toile v0.0.0

replace github.com/toile-sim/toile => ../..
