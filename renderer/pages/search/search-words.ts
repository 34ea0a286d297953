// The words of a hit on the page: its place, and the matches in its text.
import type { ComponentType } from '#kernel/components/component.ts'
import type { SearchHit } from '../../api/search.ts'

export interface TextPart {
  text: string
  found: boolean
}

/** The excerpt in parts, with the matches among them. */
export function partsOf({ excerpt, marks }: SearchHit['places'][number]): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const [from, to] of marks) {
    if (from > at) parts.push({ text: excerpt.slice(at, from), found: false })
    parts.push({ text: excerpt.slice(from, to), found: true })
    at = to
  }
  if (at < excerpt.length) parts.push({ text: excerpt.slice(at), found: false })
  return parts
}

/** The key or the label in parts; in one part without a match. */
export function namedParts({ key, label, places }: SearchHit, name: 'key' | 'label'): TextPart[] {
  const place = places.find(({ path }) => path === `/${name}`)
  const text = name === 'key' ? key : label
  return place?.excerpt === text ? partsOf(place) : [{ text, found: false }]
}

/** The places other than key and label; an entry's key already names its set. */
export function innerPlaces({ type, places }: SearchHit): SearchHit['places'] {
  const named = ['/key', '/label', ...(type === 'config_entry' ? ['/body/set'] : [])]
  return places.filter(({ path }) => !named.includes(path))
}

/** `/body/fields/3/formula/expression` as `fields, 4, formula, expression`: lists are counted from one. */
export function placeWords(path: string): string {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const inside = steps[0] === 'body' && steps.length > 1 ? steps.slice(1) : steps
  return inside.map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : step)).join(', ')
}

export interface HitGroup {
  type: ComponentType
  hits: SearchHit[]
}

/** Groups hits by type, the type of the best hit first. */
export function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<ComponentType, SearchHit[]>()
  for (const hit of hits) {
    const group = groups.get(hit.type)
    if (group === undefined) groups.set(hit.type, [hit])
    else group.push(hit)
  }
  return [...groups].map(([type, found]) => ({ type, hits: found }))
}
