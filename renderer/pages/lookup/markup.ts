// The markup and the script to copy.

export interface Piece {
  text: string
  /** How it is coloured: as the element's name, or as a value. */
  as?: 'tag' | 'value'
}

const oneLine = 64

/** The element with these attributes, in pieces; one attribute per line if there are many. */
export function markupOf(attributes: Readonly<Record<string, string>>): Piece[] {
  const entries = Object.entries(attributes)
  const length = entries.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 20)
  const before = length > oneLine ? '\n  ' : ' '
  const pieces = entries.flatMap(([name, value]): Piece[] =>
    value === ''
      ? [{ text: `${before}${name}` }]
      : [{ text: `${before}${name}=` }, { text: `"${escapeAttribute(value)}"`, as: 'value' }],
  )
  const end = length > oneLine ? '\n>' : '>'
  return [
    { text: '<' },
    { text: 'svc-lookup-field', as: 'tag' },
    ...pieces,
    { text: `${end}</` },
    { text: 'svc-lookup-field', as: 'tag' },
    { text: '>' },
  ]
}

export const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')

const escapeAttribute = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** The module that sets the source of the field and listens to it. */
export function scriptOf(source: string): string {
  const used = ['arraySource', 'fetchSource'].filter((name) => source.includes(`${name}(`))
  const names = used.length === 0 ? '' : `{ ${used.join(', ')} } from `
  return `import ${names}'./index.js'

const field = document.querySelector('svc-lookup-field')
${source}
field.addEventListener('svc-lookup-change', ({ detail }) => {
  console.log(detail.value, detail.label)
})
field.addEventListener('svc-lookup-clear', () => console.log('none'))
`
}
