package engine

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Rows of any length and with any matrices, frames that do not belong to their normals, and laws are kept.
func TestSnapshotKeepsAnyRow(t *testing.T) {
	e := contact.FrameOf(r3.V(0, 0, 1))
	turned := r3.Rows(r3.V(0, 0, 1), r3.V(0.6, 0.8, 0), r3.V(-0.8, 0.6, 0))
	var long []contact.Term
	for i := range int32(33) {
		m := r3.Rows(r3.V(1, float64(i), 0), r3.V(0, 2, 0), r3.V(0, 0, 3))
		long = append(long, contact.Term{Block: i, W: 0.5, M: m})
	}
	in := func(k int64) contact.ID { return contact.ID{A: contact.Feature{ID: k}} }
	want := &Snapshot{lastStep: 1e-3, pos: []r3.Vec{}, vel: []r3.Vec{}, force: []r3.Vec{}, contacts: []contactState{
		{Contact: contact.Contact{ID: in(1), A: 0, B: 1, Frame: e, Mu: 0.3}, impulse: r3.V(1, 2, 3), state: Slide},
		{Contact: contact.Contact{ID: in(2), A: 0, B: 1, Frame: e, Law: contact.NormalOnly}, row: []contact.Term{
			{Block: 0, W: 0.25, M: e.Scale(0.25)},
			{Block: 1, W: -1, M: e.Scale(-1)},
			{Block: 2, W: 0.75, M: e.Scale(0.75)},
		}},
		{Contact: contact.Contact{ID: in(3), A: 0, B: 1, Frame: e, Law: contact.Bilateral}, row: long},
		{Contact: contact.Contact{ID: in(4), A: 0, B: 1, Frame: turned, Mu: 0.1}},
	}}
	data, err := want.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var got Snapshot
	if err := got.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.contacts, want.contacts) {
		t.Errorf("got %+v", got.contacts)
	}
	if again, _ := got.MarshalBinary(); !bytes.Equal(again, data) {
		t.Error("written again it is another state")
	}
	var all solvedContacts
	if err := all.restore(&got, 33, 1); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(all.state(), want.contacts) {
		t.Error("a world restored from it has other contacts")
	}
}
