// The values of previews in words, and what a preview needs of the place of its expression.
import type { ExpressionSite } from '#kernel/components/expression-slot.ts'
import { objectOfSite } from '#kernel/expr/names.ts'
import { longDate } from '../text/words.ts'
import type { PreviewRequest, ValuePreview } from '../api/evaluate.ts'
import { isObject } from '../widgets/widget.ts'

/** The object whose records an expression reads; null if it reads none, or if it is not chosen yet. */
export const subjectObject = (site: ExpressionSite): string | null => objectOfSite(site) || null

/** How the field of a formula or a default stores its value, as typed; null if it is not typed yet. */
export function storedFormOf(site: ExpressionSite, component: unknown): PreviewRequest['stored'] | null {
  if (site.kind !== 'stored_formula' && site.kind !== 'virtual_formula' && site.kind !== 'field_default')
    return null
  const body = isObject(component) && isObject(component.body) ? component.body : {}
  const fields = (Array.isArray(body.fields) ? body.fields : []).filter(isObject)
  const found = fields.find(({ key }) => key === site.field)
  if (found === undefined || typeof found.type !== 'string') return null
  const { type, precision, scale } = found
  if (type !== 'number') return { type }
  const isWhole = (value: unknown): value is number => Number.isInteger(value)
  return isWhole(precision) && isWhole(scale) ? { type, precision, scale } : null
}

export function previewWords(value: ValuePreview['value']): string {
  if (value === null) return 'absent'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^\d{4}-\d\d-\d\d$/.test(value) ? longDate(value) : value
}
