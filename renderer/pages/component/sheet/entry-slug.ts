// The slug of a row that begins in the sheet: as an import would name it, numbered where it is taken.
import { slugOf } from '#kernel/import/slug.ts'
import { scopeText, type Scope } from '#kernel/components/scopes.ts'
import type { Cells } from './row-edit.ts'
import { isObject } from '../../../widgets/widget.ts'

/** What names a row; a change of another value leaves its slug alone. */
const naming: ReadonlySet<string> = new Set(['body/key', 'body/scope', 'body/effectiveFrom'])

export function namesRow(place: string): boolean {
  return naming.has(place)
}

export function slugFor(cells: Cells, isTaken: (slug: string) => boolean): string {
  const plain = plainSlug(cells)
  let slug = plain
  for (let n = 2; isTaken(slug); n += 1) slug = `${plain}_${n}`
  return slug
}

/** Whether the sheet named the row of its cells, so that it may name it anew. */
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
