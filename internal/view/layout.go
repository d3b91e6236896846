package view

// Frames as the page gets them: a head in JSON that says where the arrays are, and the arrays, which a browser takes as
// they are. Little endian:
//
//	0   "TOIL"
//	4   layout, 1
//	8   size of the head [byte]
//	12  0
//	16  the head, JSON, filled up with spaces to a multiple of 8
//	    arrays, each from a multiple of 8 on
//
// docs/viewer.md describes the head.

const (
	layoutVersion = 1
	layoutMagic   = "TOIL"
	layoutAlign   = 8
	layoutStart   = 16
)

type frameHead struct {
	Frame  int        `json:"frame"`
	Time   float64    `json:"time"`
	Step   int        `json:"step"`
	Hash   string     `json:"hash"`
	Bodies []bodyHead `json:"bodies"`
}

type bodyHead struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"` // cloth, yarn, solid, rigid or obstacle
	Shape string `json:"shape,omitempty"`
	// Radius is that of yarns [m].
	Radius   float64 `json:"radius,omitempty"`
	Topology string  `json:"topology"`
	Geometry string  `json:"geometry,omitempty"`
	// Direction says what the directions of contact impulses are.
	Direction string               `json:"contactDirection,omitempty"`
	Arrays    map[string]arrayHead `json:"arrays"`
}

type arrayHead struct {
	Offset     int    `json:"offset"` // from the start of the file [byte]
	Count      int    `json:"count"`  // of pieces
	Components int    `json:"components"`
	Type       string `json:"type"` // f32 or u32
}
