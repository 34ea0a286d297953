// The slug of a row that is added in the sheet: the same as in an import, numbered if it is taken.
import { slugOf } from '#kernel/import/slug.ts'
import { scopeText, type Scope } from '#kernel/components/scopes.ts'
import type { Cells } from './row-edit.ts'
import { isObject } from '../../../widgets/widget.ts'

/** The values that a slug is built from; a change to any other value keeps the slug. */
const slugPlaces: ReadonlySet<string> = new Set(['body/key', 'body/scope', 'body/effectiveFrom'])

export function namesRow(place: string): boolean {
  return slugPlaces.has(place)
}

export function slugFor(cells: Cells, isTaken: (slug: string) => boolean): string {
  const plain = plainSlug(cells)
  let slug = plain
  for (let n = 2; isTaken(slug); n += 1) slug = `${plain}_${n}`
  return slug
}

/** Whether the sheet made the slug from the row's cells and so can make it again. */
export function isOwnSlug(slug: string, cells: Cells): boolean {
  const plain = plainSlug(cells)
  return slug === plain || (slug.startsWith(`${plain}_`) && /^_\d+$/.test(slug.slice(plain.length)))
}

function plainSlug(cells: Cells): string {
  const [key, from] = [textOf(cells['body/key']), textOf(cells['body/effectiveFrom'])]
  const scope = isObject(cells['body/scope']) ? scopeText(cells['body/scope'] as unknown as Scope) : 'org'
  return key === null && from === null && scope === 'org' ? 'org' : slugOf(key, from, scope)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
