package report

import (
	_ "embed"
	"html/template"
)

var (
	//go:embed page.html
	pageText string
	//go:embed style.css
	styleText string

	//go:embed parts.html
	partsText string // that pages share

	page = newPage("page", pageText)
)

// newPage returns a page that may use the shared parts.
func newPage(name, text string) *template.Template {
	return template.Must(template.Must(template.New(name).Parse(partsText)).Parse(text))
}
