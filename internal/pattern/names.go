package pattern

import (
	"fmt"
	"strings"
)

func edgeNames(p *Panel) []string {
	var out []string
	for i := range p.Edges {
		if p.Edges[i].Name != "" {
			out = append(out, p.Edges[i].Name)
		}
	}
	return out
}

// edgeName names an edge for messages.
func edgeName(p *Panel, e int) string {
	if name := p.Edges[e].Name; name != "" {
		return "edge " + name
	}
	return fmt.Sprintf("edge number %d", e+1)
}

func dartName(p *Panel, i int) string {
	return featureName("dart", p.Darts[i].Name, i, p.Darts[i].Edge)
}

func pleatName(p *Panel, i int) string {
	return featureName("pleat", p.Pleats[i].Name, i, p.Pleats[i].Edge)
}

func featureName(kind, name string, i int, edge string) string {
	if name != "" {
		return fmt.Sprintf("%s %s on edge %s", kind, name, edge)
	}
	return fmt.Sprintf("%s number %d on edge %s", kind, i+1, edge)
}

// chainName names a side of a seam for messages.
func chainName(refs []EdgeRef) string {
	if len(refs) == 0 {
		return "nothing"
	}
	names := make([]string, len(refs))
	for i, r := range refs {
		names[i] = r.String()
	}
	return strings.Join(names, " + ")
}
