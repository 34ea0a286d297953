// The question of the playground in a URL, so that it survives a reload and can be shared.
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { EvaluationRequest } from '../../api/evaluate.ts'
import { dayFault } from '../../text/words.ts'

export const scopeInputs = ['user', 'permission_set', 'locale', 'app', 'environment'] as const
export type ScopeInput = (typeof scopeInputs)[number]

export interface AskedQuestion {
  set: string
  key: string
  asOf: string
  generation: string
  scope: Record<ScopeInput, string>
}

export function emptyQuestion(): AskedQuestion {
  return {
    set: '',
    key: '',
    asOf: '',
    generation: '',
    scope: { user: '', permission_set: '', locale: '', app: '', environment: '' },
  }
}

/** Reads a question from the query of a URL. */
export function questionFrom(query: Record<string, unknown>): AskedQuestion {
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name] : '')
  const question = emptyQuestion()
  for (const name of ['set', 'key', 'asOf', 'generation'] as const) question[name] = text(name)
  for (const name of scopeInputs) question.scope[name] = text(name)
  return question
}

/** The given parts of a question, for a URL. */
export function queryOf(question: AskedQuestion): Record<string, string> {
  const { scope, ...rest } = question
  return Object.fromEntries(Object.entries({ ...rest, ...scope }).filter(([, value]) => value.trim() !== ''))
}

/** Why the day or the generation cannot be used; null if both can. A URL can contain any text. */
export function questionFault({
  asOf,
  generation,
}: Pick<AskedQuestion, 'asOf' | 'generation'>): string | null {
  const fault = asOf === '' ? null : dayFault(asOf)
  if (fault !== null) return fault
  return /^\d*$/.test(generation) ? null : `“${generation}” is not a generation: enter its number.`
}

/** The viewer, in the shape of the server; permission sets are separated by commas. Undefined if nothing is given. */
export function scopePathOf(scope: AskedQuestion['scope']): ScopePath | undefined {
  const path: ScopePath = {}
  for (const name of ['user', 'locale', 'app', 'environment'] as const)
    if (scope[name].trim() !== '') path[name] = scope[name].trim()
  const sets = scope.permission_set
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
  if (sets.length > 0) path.permission_set = sets
  return Object.keys(path).length === 0 ? undefined : path
}

/** The question in the shape of the request. */
export function toQuestion({ set, key, asOf, generation, scope }: AskedQuestion): EvaluationRequest {
  return {
    set,
    ...(key === '' ? {} : { key }),
    ...contextOf({ asOf, generation, scope }),
  }
}

/** When, in which generation and for whom, in the shape of a request; omits what is not given. */
export function contextOf({
  asOf,
  generation,
  scope,
}: Pick<AskedQuestion, 'asOf' | 'generation' | 'scope'>): Pick<
  EvaluationRequest,
  'asOf' | 'generation' | 'scope'
> {
  const path = scopePathOf(scope)
  return {
    ...(asOf === '' ? {} : { asOf }),
    ...(/^\d+$/.test(generation) ? { generation: Number(generation) } : {}),
    ...(path === undefined ? {} : { scope: path }),
  }
}
