package meshio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// hostile is a malformed input: what must be said about it, and where.
type hostile struct {
	name  string
	data  string
	want  string // part of the message
	place string // "line", "line:column", "byte N" or a JSON path
}

const tri = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

var hostileOBJ = []hostile{
	{"empty", "", "no vertices", "1:1"},
	{"only comments", "# a\n# b\n", "no vertices", "3:1"},
	{"no faces", tri, "no faces", "4:1"},
	{"only lines", tri + "l 1 2 3\n", "no faces", "5:1"},
	{"faces without vertices", "f 1 2 3\n", "vertex index 3, but the file has 0", "1:7"},
	{"vertex without numbers", "v\n", "0 numbers", "1:2"},
	{"vertex with one number", "v 1\n", "1 numbers", "1:4"},
	{"vertex with two numbers", tri + "v 1 2\n", "2 numbers", "4:6"},
	{"vertex with five numbers", "v 1 2 3 4 5\n", "5 numbers", "1:12"},
	{"vertex with nine numbers", "v 1 2 3 4 5 6 7 8 9\n", "at most 7", "1:19"},
	{"vertex with eight numbers", "v 1 2 3 4 5 6 7 8\n", "8 numbers", "1:18"},
	{"NaN", "v 0 nan 0\n", `"nan" is not a finite number`, "1:5"},
	{"infinity", "v 0 0 -Inf\n", "not a finite", "1:7"},
	{"overflow", "v 1e999 0 0\n", "not a finite", "1:3"},
	{"hexadecimal", "v 0x1p3 0 0\n", "not a finite", "1:3"},
	{"underscore", "v 1_0 0 0\n", "not a finite", "1:3"},
	{"letters", "v a b c\n", "not a finite", "1:3"},
	{"comma", "v 0,5 0 0\n", "not a finite", "1:3"},
	{"two signs", "v --1 0 0\n", "not a finite", "1:3"},
	{"NUL byte", "v 0 \x00 0\n", "not a finite", "1:5"},
	{"huge colour", "v 0 0 0 1e300 0 0\n", "too large", "1:18"},
	{"endless word", "v " + strings.Repeat("9", 100000) + " 0 0\n", "...", "1:3"},
	{"texture vertex empty", tri + "vt\n", "missing", "4:3"},
	{"texture vertex NaN", tri + "vt NaN 0\n", "not a finite", "4:4"},
	{"texture vertex second", tri + "vt 0 zero\n", "not a finite", "4:6"},
	{"normal short", tri + "vn 0 1\n", "missing", "4:7"},
	{"normal NaN", tri + "vn 0 1 nan\n", "not a finite", "4:8"},
	{"index zero", tri + "f 0 1 2\n", "indices start at 1", "4:3"},
	{"index beyond", tri + "f 1 2 4\n", "vertex index 4, but the file has 3", "4:7"},
	{"index far beyond", tri + "f 1 2 2147483647\n", "vertex index 2147483647", "4:7"},
	{"index over 32 bits", tri + "f 1 2 4294967297\n", "not a vertex index", "4:7"},
	{"relative beyond", tri + "f -1 -2 -4\n", "reaches back", "4:9"},
	{"relative least", tri + "f -1 -2 -2147483648\n", "reaches back", "4:9"},
	{"relative before any", "f -1 -2 -3\n" + tri, "reaches back", "1:3"},
	{"index float", tri + "f 1 2 3.0\n", "not a vertex index", "4:7"},
	{"index word", tri + "f one 2 3\n", "not a vertex index", "4:3"},
	{"texture index beyond", tri + "vt 0 0\nf 1/1 2/1 3/2\n", "texture vertex index 2, but the file has 1", "5:11"},
	{"texture index zero", tri + "vt 0 0\nf 1/0 2/1 3/1\n", "indices start at 1", "5:3"},
	{"texture relative", tri + "vt 0 0\nf 1/-2 2/1 3/1\n", "reaches back", "5:3"},
	{"normal index beyond", tri + "f 1//1 2//1 3//1\n", "normal index 1, but the file has 0", "4:3"},
	{"normal relative", tri + "f 1//-1 2 3\n", "reaches back", "4:3"},
	{"four parts", tri + "f 1/1/1/1 2 3\n", "at most vertex/texture/normal", "4:3"},
	{"no vertex part", tri + "vt 0 0\nf /1 2 3\n", "not a vertex index", "5:3"},
	{"face of two", tri + "f 1 2\n", "2 corners", "4:6"},
	{"face of none", tri + "f\n", "0 corners", "4:2"},
	{"face cut off", tri + "f 1 2", "2 corners", "4:6"},
	{"points beyond", tri + "f 1 2 3\ng a\np 7\n", "vertex index 7", "6:3"},
	{"line zero", tri + "f 1 2 3\nl 0 1\n", "indices start at 1", "5:3"},
	{"continued line", tri + "f 1 \\\n 2 \\\n 9\n", "vertex index 9", "6:2"},
	{"too many groups at once", tri + "g" + manyNames(70) + "\nf 1 2 3\n", "more than 64 groups", "4:195"},
	{"overlapping groups", tri + overlapping(3), "members for each vertex", "10:1"},
	{"binary", "\x7fELF\x02\x01\x01\x00\x00", "no vertices", "1:10"},
}

func manyNames(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " %c%c", 'a'+i/26, 'a'+i%26)
	}
	return b.String()
}

// overlapping puts one triangle into n times 30 groups.
func overlapping(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "g%s\nf 1 2 3\n", strings.ReplaceAll(manyNames(30), " ", fmt.Sprintf(" %d", i)))
	}
	return b.String()
}

const (
	plyXYZ  = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
	plyFace = "element face 1\nproperty list uchar int vertex_indices\n"
	plyA    = "ply\nformat ascii 1.0\n"
	plyBin  = "ply\nformat binary_little_endian 1.0\n"
	plyPts  = "0 0 0\n1 0 0\n0 1 0\n"
)

// plyB is a binary file up to its vertices; what follows is a face.
var plyB = plyBin + plyXYZ + plyFace + "end_header\n" + string(floatBytes(0, 0, 0, 1, 0, 0, 0, 1, 0))

// plyWith is an ASCII file of a triangle with a change to the header or the data.
func plyWith(face, data string) string { return plyA + plyXYZ + face + "end_header\n" + data }

var hostilePLY = []hostile{
	{"empty", "", "must be \"ply\"", "1:1"},
	{"not PLY", "plx\n", "must be \"ply\"", "1:1"},
	{"only magic", "ply\n", "end_header", "2:1"},
	{"no end", plyA + plyXYZ, "end_header", "7:1"},
	{"no format", "ply\n" + plyXYZ + plyFace + "end_header\n", "no format", "8:1"},
	{"unknown format", "ply\nformat binary 1.0\nend_header\n", "unknown format", "2:8"},
	{"format missing", "ply\nformat\n", "unknown format", "2:7"},
	{"version", "ply\nformat ascii 2.0\n", "only 1.0", "2:14"},
	{"unknown word", plyA + "elemental vertex 3\n", "unknown header word", "3:1"},
	{"endless word", plyA + strings.Repeat("x", 1<<20) + "\n", "unknown header word", "3:1"},
	{"element without name", plyA + "element\n", "name and a count", "3:8"},
	{"element without count", plyA + "element vertex\n", "not a whole number", "3:15"},
	{"negative count", plyA + "element vertex -3\n", "not a whole number", "3:16"},
	{"huge count", plyA + "element vertex 99999999999999999999\n", "not a whole number", "3:16"},
	{"more vertices than indices", plyA + "element vertex 4294967295\n", "more than", "3:16"},
	{"fraction count", plyA + "element vertex 1.5\n", "not a whole number", "3:16"},
	{"element twice", plyA + plyXYZ + plyXYZ, "declared twice", "7:9"},
	{"too many elements", plyA + manyLines("element e%d 1\n", 70), "more than 64 elements", "67:1"},
	{
		"too many properties",
		plyA + "element vertex 1\n" + manyLines("property float p%d\n", 1100),
		"more than 1024",
		"1028:1",
	},
	{"property first", plyA + "property float x\n", "before the first element", "3:1"},
	{"unknown type", plyA + "element vertex 3\nproperty real x\n", `unknown type "real"`, "4:10"},
	{"no type", plyA + "element vertex 3\nproperty\n", "unknown type", "4:9"},
	{"no property name", plyA + "element vertex 3\nproperty float\n", "no name", "4:15"},
	{"property twice", plyA + plyXYZ + "property float x\n", "declared twice", "7:16"},
	{"list count type", plyA + "element face 1\nproperty list float int vertex_indices\n", "integer type", "4:15"},
	{"list of unknown", plyA + "element face 1\nproperty list uchar index vertex_indices\n", "unknown type", "4:21"},
	{"list unfinished", plyA + "element face 1\nproperty list uchar\n", "unknown type", "4:20"},
	{
		"no z",
		plyA + "element vertex 1\nproperty float x\nproperty float y\n" + plyFace + "end_header\n0 0\n3 0 0 0\n",
		"x, y and z",
		"3",
	},
	{
		"x is a list",
		plyA + "element vertex 1\nproperty list uchar float x\nproperty float y\nproperty float z\nend_header\n1 0 0 0\n",
		"x, y and z",
		"3",
	},
	{"vertex without properties", plyA + "element vertex 1000000\nend_header\n", "x, y and z", "3"},
	{"no vertices", plyA + plyFace + "end_header\n3 0 1 2\n", "there are 0 vertices", "6:7"},
	{"no face element", plyA + plyXYZ + "end_header\n" + plyPts, "no faces", "3"},
	{"no faces", plyWith("element face 0\nproperty list uchar int vertex_indices\n", plyPts), "no faces", "7"},
	{"no vertex element", plyA + "end_header\n", "no vertices", "1"},
	{
		"strips",
		plyWith("element tristrips 1\nproperty list uchar int vertex_indices\n", plyPts+"3 0 1 2\n"),
		"no faces",
		"7",
	},
	{"no list", plyWith("element face 1\nproperty int vertex_indices\n", plyPts+"3\n"), "must have the list", "7"},
	{"ends early", plyWith(plyFace, "0 0 0\n1 0 0\n"), "are left", "10:1"},
	{"no data", plyWith(plyFace, ""), "are left", "10:1"},
	{
		"face missing",
		plyWith("element face 2\nproperty list uchar int vertex_indices\n", plyPts+"3 0 1 2\n\n\n"),
		"ends early",
		"16:1",
	},
	{"short vertex line", plyWith(plyFace, "0 0\n1 0 0\n0 1 0\n3 0 1 2\n"), "line ends early", "10:4"},
	{"long vertex line", plyWith(plyFace, "0 0 0 7\n1 0 0\n0 1 0\n3 0 1 2\n"), "more than the header", "10:7"},
	{"ASCII NaN", plyWith(plyFace, "0 0 nan\n1 0 0\n0 1 0\n3 0 1 2\n"), "not a finite", "10:5"},
	{"ASCII word", plyWith(plyFace, "0 0 0\n1 hello 0\n0 1 0\n3 0 1 2\n"), "not a finite", "11:3"},
	{"face of two", plyWith(plyFace, plyPts+"2 0 1    \n"), "2 corners", "13:5"},
	{"face of none", plyWith(plyFace, plyPts+"0 \n"), "0 corners", "13:1"},
	{
		"negative list count",
		plyWith("element face 1\nproperty list char int vertex_indices\n", plyPts+"-3 0 1 2\n"),
		"more than the rest",
		"13:1",
	},
	{"list count too large for type", plyWith(plyFace, plyPts+"256 0 1 2\n"), "declared type", "13:1"},
	{"list count lies", plyWith(plyFace, plyPts+"200 0 1 2\n"), "more than the rest", "13:1"},
	{"list count fraction", plyWith(plyFace, plyPts+"3.0 0 1 2\n"), "declared type", "13:1"},
	{"list too short", plyWith(plyFace, plyPts+"3 0 1           \n"), "line ends early", "13:17"},
	{"list too long", plyWith(plyFace, plyPts+"3 0 1 2 0\n"), "more than the header", "13:9"},
	{"index beyond", plyWith(plyFace, plyPts+"3 0 1 3\n"), "vertex index 3", "13:7"},
	{"index negative", plyWith(plyFace, plyPts+"3 0 -1 2\n"), "vertex index -1", "13:8"},
	{
		"index fraction",
		plyWith("element face 1\nproperty list uchar float vertex_indices\n", plyPts+"3 0 1.5 2\n"),
		"vertex index 1.5",
		"13:9",
	},
	{
		"UV odd",
		plyWith(plyFace+"property list uchar float texcoord\n", plyPts+"3 0 1 2 5 0 0 0 0 0\n"),
		"not two for each corner",
		"14:19",
	},
	{
		"UV too few",
		plyWith(plyFace+"property list uchar float texcoord\n", plyPts+"3 0 1 2 4 0 0 0 0\n"),
		"2 texture points for 3",
		"14:17",
	},
	{
		"attribute too large",
		plyA + plyXYZ + "property double a\n" + plyFace + "end_header\n0 0 0 1e300\n1 0 0 0\n0 1 0 0\n3 0 1 2\n",
		"too large",
		"11:7",
	},
	{"binary without data", plyBin + plyXYZ + plyFace + "end_header\n", "are left", "byte 169"},
	{
		"binary huge count",
		plyBin + strings.Replace(plyXYZ, "3", "200000000", 1) + plyFace + "end_header\n" + "abc",
		"but 3 are left",
		"byte 177",
	},
	{"binary huge face count", strings.Replace(plyB, "face 1", "face 4000000000", 1) + "\x03", "are left", "byte 210"},
	{"binary cut in a face", plyB + "\x03\x00\x00\x00\x00\x01\x00", "more than the rest", "byte 205"},
	{"binary no face", plyB, "are left", "byte 201"},
	{
		"binary index beyond",
		plyB + "\x03\x00\x00\x00\x00\x01\x00\x00\x00\x03\x00\x00\x00",
		"vertex index 3",
		"byte 214",
	},
	{
		"binary index negative",
		plyB + "\x03\x00\x00\x00\x00\x01\x00\x00\x00\xff\xff\xff\xff",
		"vertex index -1",
		"byte 214",
	},
	{"binary face of two", plyB + "\x02\x00\x00\x00\x00\x01\x00\x00\x00", "2 corners", "byte 210"},
	{
		"binary NaN",
		strings.Replace(
			plyB,
			string(floatBytes(1)),
			string(floatBytes(float32(math.NaN()))),
			1,
		) + "\x03\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00",
		"is NaN",
		"byte 181",
	},
	{
		"binary infinity",
		strings.Replace(
			plyB,
			string(floatBytes(1)),
			string(floatBytes(float32(math.Inf(-1)))),
			1,
		) + "\x03\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00",
		"is -Inf",
		"byte 181",
	},
	{
		"binary NaN index",
		strings.Replace(plyB, "uchar int", "uchar float", 1) + "\x03" + string(floatBytes(0, 1, float32(math.NaN()))),
		"vertex index NaN",
		"byte 216",
	},
	{
		"binary big list",
		strings.Replace(plyB, "uchar int", "uint int", 1) + "\xff\xff\xff\xff",
		"more than the rest",
		"byte 204",
	},
	{
		"binary NaN UV",
		strings.Replace(
			plyB,
			"end_header",
			"property list uchar float texcoord\nend_header",
			1,
		) + "\x03\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x06" + string(
			floatBytes(0, 0, 0, 0, 0, float32(math.NaN())),
		),
		"texture coordinate",
		"byte 274",
	},
}

func manyLines(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// sq builds a variant of the square as a string.
func sq(pairs ...string) string { return string(squareGLB(make([]byte, 64), pairs...)) }

// cut returns the first n bytes of a good file, with the declared length made to fit or not.
func cut(n int, fit bool) string {
	b := squareGLB(nil)[:n]
	if fit {
		binary.LittleEndian.PutUint32(b[8:], uint32(n))
	}
	return string(b)
}

// patched returns a good file with 32 bits replaced.
func patched(offset int, value uint32) string {
	b := squareGLB(nil)
	binary.LittleEndian.PutUint32(b[offset:], value)
	return string(b)
}

const (
	extraView = `,{"buffer":0,"byteOffset":56,"byteLength":64}`
	scalar4   = `,{"bufferView":2,"componentType":5126,"count":4,"type":"SCALAR"`
	accessor2 = "accessors[2]"
)

var hostileGLB = []hostile{
	{"empty", "", "ends inside", "byte 0"},
	{"short header", "glTF\x02", "ends inside", "byte 5"},
	{"not GLB", "solid x but long enough", "not a GLB", "byte 0"},
	{"text glTF", `{"asset":{"version":"2.0"}}`, "not a GLB", "byte 0"},
	{"version 1", patched(4, 1), "version 1", "byte 4"},
	{"length too long", patched(8, 1<<31), "declares", "byte 8"},
	{"length too short", patched(8, 3), "declares", "byte 8"},
	{"header only", cut(12, true), "no JSON chunk", "byte 12"},
	{"cut in chunk header", cut(16, true), "chunk header", "byte 12"},
	{"cut in JSON", cut(100, true), "the chunk declares", "byte 12"},
	{"cut", cut(100, false), "declares", "byte 8"},
	{"chunk length huge", patched(12, 0xFFFFFFFF), "the chunk declares 4294967295", "byte 12"},
	{"chunk length zero", patched(12, 0), "the chunk declares", "byte 20"},
	{"first chunk not JSON", patched(16, 0x004E4942), "not JSON", "byte 16"},
	{"JSON not an object", string(glbOf("[]", nil)), "cannot unmarshal array", "byte 20"},
	{"JSON broken", string(glbOf(`{"asset":{"version":"2.0"}`, nil)), "unexpected end", "byte 48"},
	{"JSON wrong type", string(glbOf(`{"asset":{"version":2}}`, nil)), "cannot unmarshal", "byte 20"},
	{
		"JSON deep",
		string(glbOf(strings.Repeat(`{"a":`, 20000)+"1"+strings.Repeat("}", 20000), nil)),
		"depth",
		"byte 50021",
	},
	{"JSON deep array", string(glbOf(strings.Repeat("[", 1<<20), nil)), "depth", "byte 10021"},
	{"JSON huge number", sq("INDICES", "1e99"), "cannot unmarshal", "byte 20"},
	{"no version", string(glbOf(`{}`, nil)), "only 2", "asset.version"},
	{"glTF 1.0", string(glbOf(`{"asset":{"version":"1.0"}}`, nil)), "only 2", "asset.version"},
	{"no scene", string(glbOf(`{"asset":{"version":"2.0"}}`, nil)), "no triangles", "meshes"},
	{
		"null everywhere",
		string(glbOf(`{"asset":{"version":"2.0"},"nodes":[null],"meshes":[null],"accessors":[null]}`, nil)),
		"no triangles",
		"meshes",
	},
	{"scene beyond", strings.Replace(sq(), `"scene":0`, `"scene":7`, 1), "no scene 7", "scene"},
	{
		"scene negative",
		string(glbOf(`{"asset":{"version":"2.0"},"scene":-1,"scenes":[{}]}`, nil)),
		"no scene -1",
		"scene",
	},
	{
		"compressed",
		sq("DOC", `,"extensionsRequired":["KHR_draco_mesh_compression"]`),
		"KHR_draco",
		"extensionsRequired[0]",
	},
	{"root beyond", strings.Replace(sq(), `"nodes":[0]`, `"nodes":[9]`, 1), "no node 9", "scenes[0].nodes[0]"},
	{"child beyond", sq("NODE", `,"children":[5]`), "no node 5", "nodes[0].children[0]"},
	{"child negative", sq("NODE", `,"children":[-1]`), "no node -1", "nodes[0].children[0]"},
	{"node is its own child", sq("NODE", `,"children":[0]`), "reached twice", "nodes[0].children[0]"},
	{
		"node cycle",
		sq("NODE", `,"children":[1]`, "NODES", `,{"children":[0]}`),
		"reached twice",
		"nodes[1].children[0]",
	},
	{
		"two parents",
		sq("NODE", `,"children":[1,2]`, "NODES", `,{"children":[2]},{}`),
		"reached twice",
		"nodes[0].children[1]",
	},
	{"matrix short", sq("NODE", `,"matrix":[1,0,0]`), "3 numbers instead of 16", "nodes[0].matrix"},
	{"matrix perspective", sq("NODE", `,"matrix":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]`), "last row", "nodes[0].matrix"},
	{"translation long", sq("NODE", `,"translation":[1,0,0,0]`), "4 numbers instead of 3", "nodes[0].translation"},
	{"rotation short", sq("NODE", `,"rotation":[1]`), "1 numbers instead of 4", "nodes[0].rotation"},
	{"scale empty", sq("NODE", `,"scale":[]`), "0 numbers instead of 3", "nodes[0].scale"},
	{
		"scale overflows",
		sq("NODE", `,"scale":[1e308,1,1],"children":[1]`, "NODES", `,{"mesh":0,"scale":[1e308,1,1]}`),
		"range of numbers",
		"meshes[0].primitives[0].attributes.POSITION",
	},
	{"mesh beyond", strings.Replace(sq(), `"mesh":0`, `"mesh":3`, 1), "no mesh 3", "nodes[0].mesh"},
	{
		"no position",
		strings.Replace(sq(), `"POSITION":0`, `"POSITIOM":0`, 1),
		"no POSITION",
		"meshes[0].primitives[0].attributes",
	},
	{
		"accessor beyond",
		strings.Replace(sq(), `"POSITION":0`, `"POSITION":9`, 1),
		"no accessor 9",
		"meshes[0].primitives[0].attributes.POSITION",
	},
	{"mode unknown", sq("PRIM", `,"mode":7`), "unknown mode 7", "meshes[0].primitives[0].mode"},
	{"mode negative", sq("PRIM", `,"mode":-1`), "unknown mode -1", "meshes[0].primitives[0].mode"},
	{"only lines", sq("PRIM", `,"mode":1`), "only points or lines: yarns", "meshes"},
	{"strip of two", sq("PRIM", `,"mode":5`, "INDICES", "2"), "no triangles", "meshes"},
	{"two thirds of a triangle", sq("INDICES", "5"), "whole number of triangles", "meshes[0].primitives[0]"},
	{"material beyond", sq("PRIM", `,"material":0`), "no material 0", "meshes[0].primitives[0].material"},
	{"component type", strings.Replace(sq(), "5121", "5124", 1), "5124", "accessors[1].componentType"},
	{
		"indices are float",
		strings.Replace(sq("INDICES", "2"), "5121", "5126", 1),
		"unsigned",
		"accessors[1].componentType",
	},
	{"indices are VEC2", strings.Replace(sq(), `"SCALAR"`, `"VEC2"  `, 1), "SCALAR", "accessors[1]"},
	{
		"positions are VEC2",
		strings.Replace(sq(), `"VEC3"`, `"VEC2"`, 1),
		"instead of a VEC3",
		"meshes[0].primitives[0].attributes.POSITION",
	},
	{"positions are a matrix", strings.Replace(sq(), `"VEC3"`, `"MAT4"`, 1), "MAT4", "accessors[0].type"},
	{"no type", strings.Replace(sq(), `"VEC3"`, `""    `, 1), "type", "accessors[0].type"},
	{"count zero", sq("INDICES", "0"), "a count of 0", "accessors[1].count"},
	{"count negative", sq("INDICES", "-3"), "a count of -3", "accessors[1].count"},
	{"count huge", sq("INDICES", "2147483647"), "a count of 2147483647", "accessors[1].count"},
	{"count over the view", sq("INDICES", "9"), "run over the end", "accessors[1]"},
	{"count over everything", sq("INDICES", "200000000"), "out of proportion", "accessors[1]"},
	{
		"no view beyond",
		sq("ATTR", `,"_A":2`, "ACC", `,{"bufferView":9,"componentType":5126,"count":4,"type":"SCALAR"}`),
		"no such buffer view",
		accessor2 + ".bufferView",
	},
	{
		"view negative",
		sq("ATTR", `,"_A":2`, "ACC", `,{"bufferView":-1,"componentType":5126,"count":4,"type":"SCALAR"}`),
		"no such buffer view",
		accessor2 + ".bufferView",
	},
	{
		"offset negative",
		sq("ATTR", `,"_A":2`, "ACC", scalar4+`,"byteOffset":-4}`, "VIEWS", extraView),
		"run over",
		accessor2,
	},
	{
		"offset huge",
		sq("ATTR", `,"_A":2`, "ACC", scalar4+`,"byteOffset":9223372036854775807}`, "VIEWS", extraView),
		"run over",
		accessor2,
	},
	{
		"offset at the end",
		sq("ATTR", `,"_A":2`, "ACC", scalar4+`,"byteOffset":52}`, "VIEWS", extraView),
		"run over",
		accessor2,
	},
	{
		"view over the buffer",
		sq("ATTR", `,"_A":2`, "ACC", scalar4+`}`, "VIEWS", `,{"buffer":0,"byteOffset":64,"byteLength":64}`),
		"outside the buffer",
		"bufferViews[2]",
	},
	{
		"view offset huge",
		sq(
			"ATTR",
			`,"_A":2`,
			"ACC",
			scalar4+`}`,
			"VIEWS",
			`,{"buffer":0,"byteOffset":9223372036854775807,"byteLength":64}`,
		),
		"outside the buffer",
		"bufferViews[2]",
	},
	{
		"view length huge",
		sq(
			"ATTR",
			`,"_A":2`,
			"ACC",
			scalar4+`}`,
			"VIEWS",
			`,{"buffer":0,"byteOffset":8,"byteLength":9223372036854775807}`,
		),
		"outside the buffer",
		"bufferViews[2]",
	},
	{
		"view length negative",
		sq("ATTR", `,"_A":2`, "ACC", scalar4+`}`, "VIEWS", `,{"buffer":0,"byteLength":-1}`),
		"outside the buffer",
		"bufferViews[2]",
	},
	{
		"view without buffer",
		sq("ATTR", `,"_A":2`, "ACC", scalar4+`}`, "VIEWS", `,{"byteLength":16}`),
		"no such buffer",
		"bufferViews[2].buffer",
	},
	{
		"view buffer beyond",
		sq("ATTR", `,"_A":2`, "ACC", scalar4+`}`, "VIEWS", `,{"buffer":4,"byteLength":16}`),
		"no such buffer",
		"bufferViews[2].buffer",
	},
	{
		"stride too small",
		sq("ATTR", `,"_A":2`, "ACC", scalar4+`}`, "VIEWS", `,{"buffer":0,"byteLength":64,"byteStride":2}`),
		"a stride of 2",
		"bufferViews[2].byteStride",
	},
	{
		"stride negative",
		sq("ATTR", `,"_A":2`, "ACC", scalar4+`}`, "VIEWS", `,{"buffer":0,"byteLength":64,"byteStride":-4}`),
		"a stride of -4",
		"bufferViews[2].byteStride",
	},
	{
		"stride huge",
		sq(
			"ATTR",
			`,"_A":2`,
			"ACC",
			scalar4+`}`,
			"VIEWS",
			`,{"buffer":0,"byteLength":64,"byteStride":9223372036854775807}`,
		),
		"a stride of",
		"bufferViews[2].byteStride",
	},
	{
		"stride over the view",
		sq("ATTR", `,"_A":2`, "ACC", scalar4+`}`, "VIEWS", `,{"buffer":0,"byteLength":64,"byteStride":32}`),
		"run over",
		accessor2,
	},
	{"buffer too long", sq("LENGTH", "10000"), "10000 bytes are declared", "buffers[0].byteLength"},
	{"buffer negative", sq("LENGTH", "-1"), "-1 bytes are declared", "buffers[0].byteLength"},
	{
		"buffer in a file",
		sq("BUFFERS", `,{"byteLength":4,"uri":"../../../etc/passwd"}`),
		"in another file",
		"buffers[1].uri",
	},
	{
		"buffer on a host",
		sq("BUFFERS", `,{"byteLength":4,"uri":"file:///etc/passwd"}`),
		"in another file",
		"buffers[1].uri",
	},
	{"buffer without data", sq("BUFFERS", `,{"byteLength":4}`), "no data", "buffers[1]"},
	{
		"no binary chunk",
		string(glbOf(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":4}]}`, nil)),
		"no data",
		"buffers[0]",
	},
	{
		"data URI not base64",
		sq("BUFFERS", `,{"byteLength":4,"uri":"data:text/plain,hello"}`),
		"not in base64",
		"buffers[1].uri",
	},
	{
		"data URI broken",
		sq("BUFFERS", `,{"byteLength":4,"uri":"data:;base64,####"}`),
		"illegal base64",
		"buffers[1].uri",
	},
	{
		"data URI short",
		sq("BUFFERS", `,{"byteLength":4,"uri":"data:;base64,AAA="}`),
		"4 bytes are declared",
		"buffers[1].byteLength",
	},
	{
		"zeros from nowhere",
		sq("ATTR", `,"_A":2`, "ACC", `,{"componentType":5126,"count":100000000,"type":"SCALAR"}`),
		"without a buffer view",
		accessor2 + ".count",
	},
	{
		"uint attribute",
		sq(
			"ATTR",
			`,"_A":2`,
			"ACC",
			`,{"bufferView":2,"componentType":5125,"count":4,"type":"SCALAR"}`,
			"VIEWS",
			extraView,
		),
		"for indices only",
		accessor2 + ".componentType",
	},
	{
		"attribute count",
		sq(
			"ATTR",
			`,"_A":2`,
			"ACC",
			`,{"bufferView":2,"componentType":5126,"count":3,"type":"SCALAR"}`,
			"VIEWS",
			extraView,
		),
		"3 elements for 4 vertices",
		"meshes[0].primitives[0].attributes._A",
	},
	{
		"normal count",
		sq(
			"ATTR",
			`,"NORMAL":2`,
			"ACC",
			`,{"bufferView":2,"componentType":5126,"count":3,"type":"VEC3"}`,
			"VIEWS",
			extraView,
		),
		"3 elements for 4 vertices",
		"meshes[0].primitives[0].attributes.NORMAL",
	},
	{
		"UV type",
		sq("ATTR", `,"TEXCOORD_0":2`, "ACC", scalar4+`}`, "VIEWS", extraView),
		"SCALAR instead of a VEC2",
		"meshes[0].primitives[0].attributes.TEXCOORD_0",
	},
	{
		"colour type",
		sq("ATTR", `,"COLOR_0":2`, "ACC", scalar4+`}`, "VIEWS", extraView),
		"VEC3 or VEC4",
		"meshes[0].primitives[0].attributes.COLOR_0",
	},
	{
		"NaN position",
		strings.Replace(sq(), string(floatBytes(1)), string(floatBytes(float32(math.NaN()))), 1),
		"element 1 is NaN",
		"accessors[0]",
	},
	{
		"infinite position",
		strings.Replace(sq(), string(floatBytes(1)), string(floatBytes(float32(math.Inf(1)))), 1),
		"element 1 is +Inf",
		"accessors[0]",
	},
	{"index beyond", strings.Replace(sq(), "\x00\x01\x02\x03", "\x00\x01\x04\x03", 1), "index 2 is 4", "accessors[1]"},
	{
		"sparse count",
		sq(
			"ATTR",
			`,"_A":2`,
			"ACC",
			`,{"componentType":5126,"count":4,"type":"SCALAR","sparse":{"count":5,"indices":{"bufferView":2,"componentType":5121},"values":{"bufferView":2}}}`,
			"VIEWS",
			extraView,
		),
		"5 replacements",
		accessor2 + ".sparse.count",
	},
	{
		"sparse not ascending",
		sq(
			"ATTR",
			`,"_A":2`,
			"ACC",
			`,{"componentType":5126,"count":4,"type":"SCALAR","sparse":{"count":2,"indices":{"bufferView":2,"componentType":5121},"values":{"bufferView":2}}}`,
			"VIEWS",
			extraView,
		),
		"must ascend",
		accessor2 + ".sparse.indices",
	},
	{
		"sparse without view",
		sq(
			"ATTR",
			`,"_A":2`,
			"ACC",
			`,{"componentType":5126,"count":4,"type":"SCALAR","sparse":{"count":2,"indices":{"componentType":5121},"values":{"bufferView":2}}}`,
			"VIEWS",
			extraView,
		),
		"no such buffer view",
		accessor2 + ".sparse.indices.bufferView",
	},
	{
		"sparse values over",
		sq(
			"ATTR",
			`,"_A":2`,
			"ACC",
			`,{"componentType":5126,"count":4,"type":"SCALAR","sparse":{"count":4,"indices":{"bufferView":2,"componentType":5121},"values":{"bufferView":2,"byteOffset":56}}}`,
			"VIEWS",
			extraView,
		),
		"run over",
		accessor2 + ".sparse.values",
	},
	{
		"sparse index type",
		sq(
			"ATTR",
			`,"_A":2`,
			"ACC",
			`,{"componentType":5126,"count":4,"type":"SCALAR","sparse":{"count":1,"indices":{"bufferView":2,"componentType":5126},"values":{"bufferView":2}}}`,
			"VIEWS",
			extraView,
		),
		"unsigned",
		accessor2 + ".sparse.indices.componentType",
	},
	{
		"ids at different places",
		sq("ATTR", `,"_ID":2`, "ACC", scalar4+`}`, "VIEWS", extraView),
		"different places",
		"meshes[0]",
	},
	{
		"instances without end",
		sq(
			"NODE",
			`,"children":[`+strings.TrimSuffix(manyLines("%d,", 40000)[2:], ",")+`]`,
			"NODES",
			strings.Repeat(`,{"mesh":0}`, 39999),
			"PRIMS",
			strings.Repeat(`,{"attributes":{"POSITION":0},"mode":5}`, 600),
		),
		"out of proportion",
		"meshes[0].primitives[520]",
	},
	{
		"attributes without end",
		sq(
			"ATTR",
			manyLines(`,"_%d":0`, 300),
			"PRIMS",
			strings.Repeat(`,{"attributes":{"POSITION":0},"mode":5}`, 3000),
		),
		"out of proportion",
		"meshes",
	},
	{"groups odd", badGroups(`{"name":"g","ranges":[1]}`), "pairs", "meshes[0].extras.toile_groups[0]"},
	{"groups beyond", badGroups(`{"name":"g","ranges":[2,2]}`), "stay below 3", "meshes[0].extras.toile_groups[0]"},
	{
		"groups overflow",
		badGroups(`{"name":"g","ranges":[2,2147483647]}`),
		"stay below 3",
		"meshes[0].extras.toile_groups[0]",
	},
	{"groups negative", badGroups(`{"name":"g","ranges":[-1,2]}`), "must ascend", "meshes[0].extras.toile_groups[0]"},
	{"groups descend", badGroups(`{"name":"g","ranges":[1,1,0,1]}`), "must ascend", "meshes[0].extras.toile_groups[0]"},
	{"groups of another type", badGroups(`5`), "toile_groups", "meshes[0].extras"},
	{
		"groups without end",
		badGroups(strings.Repeat(`{"name":"g","ranges":[0,3]},`, 65) + `{"name":"g","ranges":[0,3]}`),
		"members for each vertex",
		"meshes[0].extras.toile_groups[64]",
	},
}

// badGroups is a file of one triangle with the given list of groups in its extras.
func badGroups(groups string) string {
	m := &Mesh{
		Positions: []r3.Vec{{}, {X: 1}, {Y: 1}},
		Triangles: [][3]int32{{0, 1, 2}},
		Groups:    []Group{{Name: "g", Vertices: []int32{0}}},
	}
	var b bytes.Buffer
	if err := Write(&b, GLB, m, DefaultWriteOptions()); err != nil {
		panic(err)
	}
	json, bin, _ := partsOf(b.Bytes())
	return string(glbOf(strings.Replace(json, `{"name":"g","ranges":[0,1]}`, groups, 1), bin))
}

func TestHostileInput(t *testing.T) {
	total := 0
	for _, set := range []struct {
		format Format
		inputs []hostile
	}{{OBJ, hostileOBJ}, {PLY, hostilePLY}, {GLB, hostileGLB}} {
		for _, h := range set.inputs {
			total++
			t.Run(set.format.String()+"/"+h.name, func(t *testing.T) { checkHostile(t, set.format, h) })
		}
	}
	if total < 120 {
		t.Errorf("only %d inputs", total)
	}
}

func checkHostile(t *testing.T, format Format, h hostile) {
	m, err := Read(strings.NewReader(h.data), format, DefaultReadOptions())
	if err == nil {
		t.Fatalf("accepted as %d vertices, %d triangles", len(m.Positions), len(m.Triangles))
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%T is not an *Error: %v", err, err)
	}
	place := fmt.Sprintf("byte %d", e.Offset)
	switch {
	case e.Line > 0 && e.Column > 0:
		place = fmt.Sprintf("%d:%d", e.Line, e.Column)
	case e.Line > 0:
		place = fmt.Sprint(e.Line)
	case e.Path != "":
		place = e.Path
		if e.Offset < 20 || e.Offset >= int64(len(h.data)) {
			t.Errorf("byte %d is outside the JSON", e.Offset)
		}
	}
	if place != h.place || !strings.Contains(e.Msg, h.want) {
		t.Errorf("got place %q: %v\nwant place %q and %q", place, err, h.place, h.want)
	}
	if len(e.Msg) > 400 {
		t.Errorf("a message of %d bytes", len(e.Msg))
	}
}

// A few bytes that declare gigabytes must not cost them.
func TestHostileInputIsCheap(t *testing.T) {
	var before, after runtime.MemStats
	for _, set := range [][]hostile{hostileOBJ, hostilePLY, hostileGLB} {
		for _, h := range set {
			runtime.ReadMemStats(&before)
			for f := range everyFormat {
				_, _ = Read(strings.NewReader(h.data), f, DefaultReadOptions())
			}
			runtime.ReadMemStats(&after)
			if spent, limit := after.TotalAlloc-before.TotalAlloc, uint64(256<<20+500*len(h.data)); spent > limit {
				t.Errorf("%s: %d bytes allocated for an input of %d", h.name, spent, len(h.data))
			}
		}
	}
}

// Every prefix of a good file is an error or a good mesh, never a panic.
func TestPrefixes(t *testing.T) {
	for f := range everyFormat {
		data := mustWrite(t, f, seamed(), DefaultWriteOptions())
		for n := range data {
			m, err := Read(bytes.NewReader(data[:n]), f, DefaultReadOptions())
			if err == nil && m.Validate() != nil {
				t.Fatalf("%v: %d bytes: %v", f, n, m.Validate())
			}
			if err == nil && f != OBJ && f != PLYASCII {
				t.Fatalf("%v: accepted %d of %d bytes", f, n, len(data))
			}
		}
	}
}
