// One row of the list: name, caption and second line, with the matches of the typed text marked
// (docs/reference/lookup-field.md).
import { make, set } from './dom.ts'
import { matches } from './fold.ts'
import { secondLine } from './options.ts'
import type { LookupOption } from './types.ts'

/** The content of the rows. */
export interface ListContent {
  options: readonly LookupOption[]
  query: string
  displayFields: readonly string[]
  /** Id of the record that is pointed at. */
  value: string
  /** The total; -1 if it is not known. */
  total: number
  /** Whether the source has more than these. */
  more: boolean
}

/** `id`: the id of the row. */
export function row(
  id: string,
  at: number,
  { options, query, displayFields, value, total }: ListContent,
): HTMLElement {
  const option = options[at]!
  const element = make(
    'div',
    {
      part: 'option',
      role: 'option',
      id,
      'aria-selected': 'false',
      'aria-setsize': total,
      'aria-posinset': at + 1,
    },
    make('span', { class: 'name' }, ...highlightMatches(option.label, query)),
  )
  point(element, option, value)
  const caption = option.group
  if (caption && options[at - 1]?.group !== caption)
    element.append(' ', make('span', { class: 'group' }, caption))
  const second = secondLine(option, displayFields)
  if (second !== '') element.append(' ', make('small', {}, ...highlightMatches(second, query)))
  return element
}

/** Marks whether it is the record that is pointed at. */
export function point(row: Element, option: LookupOption, value: string): void {
  set(row, { 'aria-current': option.value === value && value !== '' ? 'true' : null })
}

function highlightMatches(label: string, query: string): (Node | string)[] {
  // A letter and its accent can be separate characters.
  const text = label.normalize()
  const pieces: (Node | string)[] = []
  let at = 0
  for (const [start, end] of matches(text, query)) {
    pieces.push(text.slice(at, start), make('b', {}, text.slice(start, end)))
    at = end
  }
  return [...pieces, text.slice(at)]
}
