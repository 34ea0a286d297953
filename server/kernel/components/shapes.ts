// Parts of schemas that the bodies of several types share.
import { z } from 'zod'
import { explainCivilDate, parseCivilDate, type CivilDate } from '../dates/civil-date.ts'
import { explainKey, maxKeyLength } from './component.ts'
import { configFieldTypes, objectFieldTypes } from './field-types.ts'
import { canonicalLocale, explainLocale } from './locale-tag.ts'
import { scopeKinds, sortScopeKinds, type Scope } from './scopes.ts'

const localeTag =
  /^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*$/

/** A key of any type but an entry: `[a-z][a-z0-9_]*`, at most 80 characters. */
export const key = z
  .string()
  .superRefine((text, context) => {
    const reason = explainKey('object', text)
    if (reason !== null)
      context.addIssue({ code: 'custom', message: reason, params: { code: 'key.invalid' } })
  })
  .meta({ pattern: '^[a-z][a-z0-9_]*$', maxLength: maxKeyLength })

/** Text that is not blank. */
export const nonEmptyText = z
  .string()
  .refine((text) => text.trim() !== '', { error: 'This field cannot be blank. Enter some text.' })
  .meta({ minLength: 1 })

/** An expression. It is compiled once the whole generation is known. */
export const expression = z
  .string()
  .refine((text) => text.trim() !== '', { error: 'The expression is empty. Write an expression.' })
  .meta({ minLength: 1, format: 'expression' })

/** A calendar date `YYYY-MM-DD`. */
export const civilDate = z
  .string()
  .meta({ format: 'date' })
  .transform((text, context): CivilDate => {
    const date = parseCivilDate(text)
    if (date !== null) return date
    context.addIssue({ code: 'custom', message: sentence(explainCivilDate(text) ?? `${text} is not a date`) })
    return z.NEVER
  })

/** Per-set grants: permission set → the right. */
export const readGrants = z.record(key, z.literal('read')).default({})
export const editGrants = z.record(key, z.literal('edit')).default({})
export const publishGrants = z.record(key, z.literal('publish')).default({})

/** A chain of scope kinds in any order; parsing puts the most specific first and removes duplicates. */
export const scopeChain = z
  .array(z.enum(scopeKinds))
  .default(['org'])
  .transform((kinds) => sortScopeKinds(kinds))

/** A BCP 47 tag of language, script, region and variants in its customary case, so that `de-at` and `de-AT` are one scope. */
const locale = z
  .string()
  .meta({ pattern: localeTag.source })
  .transform((text, context): string => {
    const locale = localeTag.test(text) ? canonicalLocale(text) : null
    if (locale !== null) return locale
    context.addIssue({ code: 'custom', message: explainLocale(text) })
    return z.NEVER
  })

/** A scope object (docs/reference/resolution-and-dates.md). */
export const scope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('org') }),
  z.strictObject({ environment: nonEmptyText, kind: z.literal('environment') }),
  z.strictObject({ app: key, kind: z.literal('app') }),
  z.strictObject({ kind: z.literal('locale'), locale }),
  z.strictObject({ kind: z.literal('permission_set'), permissionSet: key }),
  z.strictObject({ kind: z.literal('user'), user: nonEmptyText }),
]) satisfies z.ZodType<Scope>

/** numeric(precision, scale): all digits, and those after the decimal point. */
export const precision = integerBetween(1, 1000)
export const scale = integerBetween(0, 1000)

/** Types of parameters and results. */
export const paramType = z.enum(['number', 'text', 'boolean', 'date', 'datetime'])
export const param = z.strictObject({ key, type: paramType })

export const configFieldType = z.enum(configFieldTypes)
export const objectFieldType = z.enum(objectFieldTypes)

/** A whole number between two bounds, both included. */
export function integerBetween(min: number, max: number) {
  return z.int().min(min).max(max)
}

/** A list whose order has no meaning: sorted by code unit, without duplicates. */
export function sortedUniqueList<T extends z.ZodType<string>>(item: T) {
  return z.array(item).transform((items) => [...new Set(items)].sort())
}

/** Field or parameter name → expression. */
export const expressionMap = z.record(z.string(), expression)

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1)
  return capital.endsWith('.') ? capital : `${capital}.`
}
