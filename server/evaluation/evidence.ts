// Evidence of a stored result, and the archive that releases its generation (docs/reference/bindings-and-evidence.md).
import type { Digest, Sha256 } from '#kernel/change/index.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { Binding, EvaluationInput, EvaluationSnapshot } from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { makeBundle } from '#kernel/evidence/index.ts'
import type { Actor } from '../access/index.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import type { SigningKeys } from '../ports/signing-keys.ts'
import type { EvaluationDeps } from './deps.ts'
import { questionOf, storedResult, type ResultView } from './result-view.ts'
import { serializeInputs } from './inputs.ts'
import { requireResultChange, putResult, resultFilterFor, resultFor } from './results.ts'

/**
 * Returns the text of the bundle, signed by the org's key. @throws AlmanacError `binding.not_found`,
 * `generation.not_found`.
 */
export async function evidenceFor(deps: EvaluationDeps, by: Actor, resultId: string): Promise<string> {
  return deps.buildEvidence(resultFor(deps, by, resultId))
}

/** A stored value of a record, with the inputs of its formula. */
export interface RecordResult extends Pick<
  ResultView,
  'id' | 'label' | 'at' | 'actor' | 'value' | 'binding'
> {
  expression: string
  inputs: readonly EvaluationInput[]
}

/** The same for a value of a record. @throws AlmanacError `access.denied` if the caller cannot see all that it read */
export async function evidenceForRecord(
  deps: EvaluationDeps,
  by: Actor,
  { inputs, ...result }: RecordResult,
): Promise<string> {
  const { asOf, scopePath: scope, generation, config } = result.binding
  if (!resultFilterFor(deps, by)({ generation, sets: Object.keys(config) }))
    throw new AlmanacError('access.denied', `${result.label} reads a set that you cannot read.`)
  return deps.buildEvidence({ ...result, inputs: serializeInputs(inputs), asOf, scope, state: 'bound' })
}

/** Returns the bundle and marks the result as archived: its generation can be purged from now on. */
export async function archiveStoredResult(
  deps: EvaluationDeps,
  by: Actor,
  resultId: string,
): Promise<{ resultId: string; evidence: string }> {
  const result = resultFor(deps, by, resultId)
  requireResultChange(deps, by, result)
  const evidence = await deps.buildEvidence(result)
  const { id, label, at, actor, value, binding } = result
  const row = storedResult({ id, label, at, actor }, questionOf(result), { value, binding, type: '' })
  await putResult(deps, by, 'result.archived', { ...row, state: 'archived' }, result)
  return { resultId, evidence }
}

export interface EvidenceDeps {
  store: Pick<OrgStore, 'read'>
  /** @throws AlmanacError `generation.not_found` */
  snapshotAt: (generation: number) => EvaluationSnapshot
  /** If omitted, read from the store. */
  digestsAt?: (generation: number) => ReadonlyMap<ComponentId, Digest>
  keys: SigningKeys
  sha256?: Sha256
}

/**
 * Makes the evidence of a result in one call. With a set of a hundred thousand entries this takes a second or more, so
 * a server runs it in a thread next to its readers. @throws AlmanacError `generation.not_found`, `binding.differs`.
 */
export function evidenceOf(
  { store, snapshotAt, digestsAt, keys, sha256 }: EvidenceDeps,
  result: ResultView,
): string {
  const { generation } = result.binding
  // A snapshot from before a purge lacks what it has not read yet.
  store.read(({ generations }) => generations.view(generation))
  const snapshot = snapshotAt(generation)
  const { id, label, at, actor, value, binding } = result
  return store.read((reader) => {
    const row = reader.generations.get(generation)
    if (row === undefined)
      throw new AlmanacError(
        'generation.not_found',
        `Generation ${generation}, to which the result ${label} is bound, no longer exists here.`,
      )
    const { lineage, name, environment } = reader.properties.get()
    const { expression, inputs } = questionOf(result)
    return makeBundle(
      {
        org: { lineage, name, environment },
        generation: {
          ...{ generation, at: row.at, actor: row.actor },
          changeDigest: isWithin(reader, generation, binding) ? row.changeDigest : null,
        },
        result: { id, label, at, actor, expression, inputs, value, binding },
        snapshot,
        digests: digestsAt?.(generation) ?? reader.components.digests(generation),
      },
      keys,
      sha256,
    )
  })
}

/**
 * Whether a generation changed only sets and flags of the binding: otherwise small values could be guessed from its
 * digest.
 */
function isWithin(reader: Pick<OrgReader, 'generations'>, generation: number, { config }: Binding): boolean {
  const { definitions, sets } = reader.generations.changesOf([generation]).get(generation)!
  const defined = definitions
    .map(splitId)
    .filter(({ type }) => type === 'config_set' || type === 'feature_flag')
  return [...sets, ...defined.map(({ key }) => key)].every((set) => Object.hasOwn(config, set))
}
