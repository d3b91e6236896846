// Package knit turns a chart of stitches into yarns in space: loops that hang in each other as the chart says.
//
// Parse reads a chart, Make lays it out as a Fabric: flat or as a tube, on a plane or on any surface. A fabric is plain
// data, the control points of its yarns. It knows which loop a point belongs to, and where yarns cross and with which
// sign, so that one can tell at any time whether the loops still hang as they were made (Watch).
//
// Wales are the columns of loops, counted from the left, courses the rows, counted from the cast on. Lengths are in
// metres. Spacings and loop lengths that belong to the shape of a loop are in yarn diameters D, twice the radius.
package knit
