// Makes the evidence of one stored result: a text that anyone can replay without an org
// (docs/reference/bindings-and-evidence.md).
import { canonicalJson, type JsonValue } from '../change/canonical.ts'
import { componentDigest } from '../change/component-digest.ts'
import type { Digest } from '../change/digest.ts'
import { nobleSha256, type Sha256 } from '../change/sha256.ts'
import type { Component, ComponentOf } from '../components/body-types.ts'
import { componentId, idOf, type ComponentId } from '../components/component.ts'
import type { ComponentView } from '../components/view.ts'
import { replay, type EvaluationSnapshot } from '../config/bound-evaluation.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import {
  evidenceFormat,
  type EvidenceBundle,
  type EvidenceGeneration,
  type EvidenceResult,
} from './bundle.ts'
import { recordingSnapshot } from './recording.ts'
import { signBundle, type Signer } from './signature.ts'
import { verifyBundle } from './verify-bundle.ts'

export interface BundleInput {
  org: EvidenceBundle['org']
  generation: EvidenceGeneration
  result: EvidenceResult
  /** The snapshot of the binding's generation. */
  snapshot: EvaluationSnapshot
  /** Digests of the generation, if the storage has them; if omitted, computed from the view. */
  digests?: ReadonlyMap<ComponentId, Digest>
}

/**
 * Returns the bundle's text: RFC 8785 JSON followed by one line feed and nothing else.
 * @throws AlmanacError `binding.differs` if the result does not replay here to the same bytes.
 */
export function makeBundle(input: BundleInput, signer: Signer, sha256: Sha256 = nobleSha256): string {
  const { org, generation, result, snapshot } = input
  const bound = Object.keys(result.binding.config)
  const { snapshot: noting, entries } = recordingSnapshot(snapshot, bound)
  const replayed = replay(result, noting, sha256)
  if (!replayed.identical)
    throw new AlmanacError(
      'binding.differs',
      `The result ${result.label} does not replay to its stored value at generation ${generation.generation}, so no evidence bundle can be created.`,
      { details: replayed.differences },
    )
  const digestOf = (component: Component): Digest =>
    input.digests?.get(idOf(component)) ?? componentDigest(component, sha256)
  const definitions = bound.map((key) => definitionOf(snapshot.view, key))
  const read = definitions.flatMap(({ key }) =>
    [...(entries.get(key) ?? [])].flatMap((entry) => snapshot.view.get('config_entry', entry) ?? []),
  )
  const components = [
    ...definitions,
    ...valueSetsOf(definitions, snapshot.view),
    ...functionsOf(result, snapshot.view),
    ...read,
  ]
  const bundle = {
    format: evidenceFormat,
    org,
    generation,
    result,
    components: components
      .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
      .map((component) => ({ digest: digestOf(component), component })),
    sets: definitions.map((definition) => ({
      set: definition.key,
      definition: digestOf(definition),
      entries: entryDigests(definition.key, input, sha256),
    })),
  } satisfies Omit<EvidenceBundle, 'publicKey' | 'signature'>
  return verifyOwnBundle(`${canonicalJson(signBundle(bundle, signer) as unknown as JsonValue)}\n`, sha256)
}

/** Returns the digests of a set's entries, ascending by key. The entries are not read if their digests are known. */
function entryDigests(set: string, { snapshot, digests }: BundleInput, sha256: Sha256): Digest[] {
  const prefix = componentId('config_entry', `${set}.`)
  const digestsById: [string, Digest][] =
    digests === undefined
      ? Array.from(snapshot.view.entriesOf(set), (entry) => [idOf(entry), componentDigest(entry, sha256)])
      : [...digests].filter(([id]) => id.startsWith(prefix))
  return digestsById.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, digest]) => digest)
}

/** Verifies the bundle: one that does not verify is never returned. */
function verifyOwnBundle(text: string, sha256: Sha256): string {
  const verified = verifyBundle(text, { sha256 })
  if (verified.ok) return text
  throw new AlmanacError('evidence.invalid', 'The new evidence bundle does not verify.', {
    details: verified.reasons,
  })
}

type Definition = ComponentOf<'config_set'> | ComponentOf<'feature_flag'>

/** A flag's default is in its definition, not in an entry. */
function definitionOf(view: ComponentView, key: string): Definition {
  return view.get('config_set', key) ?? view.get('feature_flag', key)!
}

/** Returns the value sets of the keys, which the expression checker reads. */
function valueSetsOf(definitions: readonly Definition[], view: ComponentView): Component[] {
  const keys = new Set<string>()
  for (const definition of definitions) {
    if (definition.type !== 'config_set') continue
    const { keyedBy, fields } = definition.body
    for (const valueSet of [keyedBy?.valueSet, ...fields.map((field) => field.valueSet)])
      if (valueSet !== undefined) keys.add(valueSet)
  }
  return [...keys].flatMap((key) => view.get('value_set', key) ?? [])
}

function functionsOf({ binding }: EvidenceResult, view: ComponentView): Component[] {
  return Object.keys(binding.functions).map((key) => {
    const found = view.get('calc_function', key)
    if (found !== undefined) return found
    throw new AlmanacError('binding.differs', `${componentId('calc_function', key)} does not exist here.`)
  })
}
