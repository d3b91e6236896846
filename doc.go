// Package toile simulates cloth, rigid and soft bodies that touch and rub, with Coulomb's law as it is.
//
// A World owns the state and advances it. Add what is in it, each from a specification, keep the handles that come
// back, and take steps:
//
//	world, err := toile.New(toile.DefaultOptions())
//	table, err := world.AddObstacle(toile.ObstacleSpec{Name: "table", Shape: shape.Box{Half: r3.V(0.2, 0.2, 0.02)}})
//	sheet, err := world.AddCloth(toile.DefaultCloth("sheet", mesh, positions, fabric))
//	stats, err := world.Step(ctx, 0.002) // seconds
//	x = sheet.Positions(x)               // fills x
//
// All quantities are in SI units: metres, kilograms, seconds, newtons. The same program gives the same bits whatever
// the number of workers. Nothing crosses that did not cross before, as long as prescribed motions leave room: Stats has
// what crosses after every step, and how exact it was. A world and its handles belong to one goroutine at a time.
//
// Scenes in files, with garments, knits and keys over time, are played by the packages scene and run.
package toile
