// The statistics that can be plotted. Columns are named as in stats.csv, without their units.

export interface Curve {
  column: string
  label: string
  ink?: number // place in the list of colours, if it is not the curve's own
}

export interface PlotKind {
  id: string
  label: string
  unit: string
  log: boolean
  tolerance: boolean // draw the tolerance of the contact solver
  curves: Curve[]
}

const curve = (column: string, label = column): Curve => ({ column, label })

export const plotKinds: readonly PlotKind[] = [
  { id: 'residual', label: 'Residual', unit: 'm/s', log: true, tolerance: true, curves: [curve('residual')] },
  {
    id: 'contacts', label: 'Contacts', unit: '', log: false, tolerance: false,
    // In the colours that are nearest to those of the states on the cloth.
    curves: [curve('contacts', 'all'), { ...curve('sticking'), ink: 2 }, { ...curve('sliding'), ink: 1 }],
  },
  {
    id: 'energy', label: 'Energy', unit: 'J', log: false, tolerance: false,
    curves: [curve('total'), curve('gravity'), curve('kinetic'), curve('membrane'), curve('bending')],
  },
  {
    id: 'time', label: 'Step time', unit: 's', log: false, tolerance: false,
    curves: ['solve', 'detect', 'assemble', 'check', 'pose', 'integrate', 'refused', 'contact', 'rods', 'schedule'].map((phase) => curve(`clock ${phase}`, phase)),
  },
  { id: 'crossings', label: 'Crossings', unit: '', log: false, tolerance: false, curves: [curve('crossings')] },
  { id: 'updates', label: 'Updates', unit: '', log: false, tolerance: false, curves: [curve('updates')] },
  { id: 'closest', label: 'Closest', unit: 'm', log: false, tolerance: false, curves: [curve('closest')] },
]

// bareName takes the unit off the name of a column: "residual [m/s]" is "residual".
export function bareName(column: string): string {
  return column.replace(/ *\[[^\]]*\]$/, '')
}
