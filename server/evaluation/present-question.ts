// Translates the request of a result to today's names: what it reads may have been renamed since, and is followed by
// identity.
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { ComponentType } from '#kernel/components/component.ts'
import { roomOf } from '#kernel/components/registry.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { compileCached, type Evaluation } from '#kernel/config/index.ts'
import { renameInExpression, type Reads, type SetRead } from '#kernel/expr/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { generationWithContent } from './bound-snapshot.ts'
import type { RecordedResult } from './result-source.ts'
import { removedFieldsOf } from './removed-fields.ts'
import { boundComponentsOf, expressionRenames, renamedSince } from './bound-components.ts'
import { componentToday, type ComponentRef } from './component-today.ts'
import type { EvaluationReadDeps } from './deps.ts'

export interface KeyRename {
  from: string
  to: string
  /** The generation that renamed it. */
  at: number
}

export interface PresentQuestion {
  question: Evaluation
  renames: KeyRename[]
}

/**
 * @throws AlmanacError `config.unknown_set` or `component.not_found` naming what the expression reads and no longer
 * exists, and the generation that removed it; `generation.not_found` if the bound generation was purged.
 */
export function presentQuestion(deps: EvaluationReadDeps, recorded: RecordedResult): PresentQuestion {
  return deps.store.read((reader) => {
    const { question, binding } = recorded
    const generation = generationOf(reader, recorded)
    // A result of another org: its names are used as they are.
    if (generation === null) return { question, renames: [] }
    const view = heldView(reader, generation)
    const bound = boundComponentsOf(reader, binding, generation)
    const { reads } = compileCached(question, view)
    const own = componentsRead(reads).filter(({ type, key }) => bound.has(`${type}/${key}`))
    const gone = [
      ...own.flatMap((named) => removedComponentErrors(reader, named, generation)),
      ...reads.sets.flatMap((read) => removedFieldErrors(reader, read, generation)),
    ]
    if (gone.length > 0) throw gone[0]!
    const renames = renamedSince(reader, bound.values(), generation)
    const questionToday = { ...question, scopePath: presentScope(reader, question.scopePath, generation) }
    return {
      question: { ...questionToday, expression: rewriteExpression(question, view, renames) },
      renames: renames.map(({ key, to, at }) => ({ from: key, to, at })),
    }
  })
}

/** The generation in which the names of a result apply; null if this org never had what it binds. */
function generationOf(
  reader: Pick<OrgReader, 'components' | 'generations' | 'sets'>,
  { binding, storedResult }: RecordedResult,
): number | null {
  return storedResult === null ? generationWithContent(reader, binding) : binding.generation
}

/** @throws AlmanacError `generation.not_found` */
function heldView(reader: Pick<OrgReader, 'generations'>, generation: number): ComponentView {
  try {
    return reader.generations.view(generation)
  } catch (error) {
    if (!(error instanceof AlmanacError) || error.code !== 'generation.not_found') throw error
    throw new AlmanacError(
      'generation.not_found',
      `The result is bound to generation ${generation}, which was purged, so what it reads cannot be traced to today. Evaluate its expression instead; its evidence shows the original value.`,
      { cause: error, details: [{ generation }] },
    )
  }
}

function componentsRead({ sets, flags, functions }: Reads): ComponentRef[] {
  return [
    ...sets.map(({ set }): ComponentRef => ({ type: 'config_set', key: set })),
    ...flags.map((key): ComponentRef => ({ type: 'feature_flag', key })),
    ...functions.map((key): ComponentRef => ({ type: 'calc_function', key })),
  ]
}

function removedComponentErrors(
  reader: Pick<OrgReader, 'generations' | 'identities'>,
  named: ComponentRef,
  generation: number,
): AlmanacError[] {
  const today = componentToday(reader, named, generation)
  if (today === null || today.key !== null) return []
  const { type, key } = named
  const again = reader.generations.view(reader.generations.active()).has(type, key)
    ? ` Today's ${key} is a different ${kindWords(type)}.`
    : ''
  const message = `The ${kindWords(type)} ${key}, which this result reads, was removed by generation ${today.removedAt}, so it has no value today.${again} A replay shows the original value.`
  const code = type === 'calc_function' ? 'component.not_found' : 'config.unknown_set'
  return [new AlmanacError(code, message, { details: [{ type, key, goneAt: today.removedAt }] })]
}

function removedFieldErrors(
  reader: Pick<OrgReader, 'components' | 'generations' | 'identities'>,
  { set, fields }: SetRead,
  since: number,
): AlmanacError[] {
  const identity = reader.identities.at(since, `config_set/${set}`)
  if (identity === undefined) return []
  const today = componentToday(reader, { type: 'config_set', key: set }, since)?.key ?? null
  if (today === null) return []
  const now = reader.generations.view(reader.generations.active()).get('config_set', today)
  return [...removedFieldsOf(reader, identity, { fields, since })].map(([field, goneAt]) => {
    const again = now?.body.fields.some(({ key }) => key === field)
      ? ` Today's ${field} is a different field.`
      : ''
    const message = `The field ${field} of ${set}, which this result reads, was removed by generation ${goneAt}, so it has no value today.${again} A replay shows the original value.`
    return new AlmanacError('expression.invalid', message, { details: [{ set, field, goneAt }] })
  })
}

/** `configuration set`. */
function kindWords(type: ComponentType): string {
  return roomOf(type).title
}

/**
 * Apps and permission sets are components too; a removed one keeps its name, unless another one has that name
 * today.
 */
function presentScope(
  reader: Pick<OrgReader, 'generations' | 'identities'>,
  path: ScopePath,
  since: number,
): ScopePath {
  const active = reader.generations.view(reader.generations.active())
  return mapScope(path, (type, key) => {
    const today = componentToday(reader, { type, key }, since)
    if (today === null) return key
    return today.key ?? (active.has(type, key) ? null : key)
  })
}

type ScopeName = (type: 'app' | 'permission_set', key: string) => string | null

/** Returns the path with the apps and permission sets under their new names, without those that have none. */
export function mapScope(path: ScopePath, name: ScopeName): ScopePath {
  const { app, permission_set: sets, ...rest } = path
  const mapped: ScopePath = { ...rest }
  const newApp = app === undefined ? null : name('app', app)
  if (newApp !== null) mapped.app = newApp
  if (sets !== undefined) mapped.permission_set = sets.flatMap((key) => name('permission_set', key) ?? [])
  return mapped
}

/** The expression with renamed sets, flags and functions under their new keys; `view` is the one before the renames. */
export function rewriteExpression(
  { expression, inputs }: Pick<Evaluation, 'expression' | 'inputs'>,
  view: ComponentView,
  renames: readonly (ComponentRef & { to: string })[],
): string {
  const edits = expressionRenames(renames)
  if (edits.length === 0) return expression
  const site = { kind: 'playground' as const, inputs: inputs.map(({ key, type }) => ({ key, type })) }
  return renameInExpression(expression, site, view, edits)
}
