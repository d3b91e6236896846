package yarn

// ContactStats is replaced by the contact part.
type ContactStats struct{}
