// An org in a folder of this machine, as one of its users (completions 7).
import { randomUUID } from 'node:crypto'
import { splitId } from '#kernel/components/component.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { afterOf, beforeOf, changeWords, type Change, type ChangeWords } from '#kernel/change/index.ts'
import { typeDeclarations } from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { entryCount, whereUsed } from '#kernel/graph/index.ts'
import { demand, effectiveAccess, visibleSets, visibleView, type By } from '../access/index.ts'
import { enginesOf, openOrg, type Engines } from '../compose.ts'
import {
  generationChanges,
  type ApplyOutcome,
  type ChangeSource,
  type Org,
  type PlanOutcome,
} from '../pipeline/index.ts'
import type { Applied, GivenList, OrgApi, ShownChange, ShownPlan } from './org-api.ts'

export interface LocalOrg extends OrgApi {
  readonly org: Org
  readonly engines: Engines
  readonly by: By
  readonly actor: string
}

export interface LocalOptions {
  /** The user on whose behalf a verb acts. */
  actor: string
  /** Whether that was asked for with --as; whoever can write the folder is its operator otherwise. */
  named: boolean
}

/** @throws AlmanacError org.not_found, org.newer_schema, user.not_found */
export function openLocalOrg(dir: string, { actor, named }: LocalOptions): LocalOrg {
  const org = openOrg(dir)
  let engines: Engines | undefined
  const all = (): Engines => (engines ??= enginesOf(org, dir))
  const by: By = { actor, correlationId: randomUUID(), ...(named ? {} : { operator: true }) }
  const seen = (generation?: number) => {
    const { view } = org.pin(generation)
    const present = org.pin().view
    return org.store.read((reader) =>
      visibleView(view, visibleSets(effectiveAccess(reader, actor, present), view, present)),
    )
  }
  const request = (list: GivenList) => ({
    source: list satisfies ChangeSource,
    actor,
    correlationId: by.correlationId,
  })
  const demandPermission = (permission: 'metadata.author' | 'audit.read', purpose: string): void => {
    if (named)
      org.store.read((reader) => demand(effectiveAccess(reader, actor, org.pin().view), permission, purpose))
  }

  return {
    org,
    by,
    actor,
    get engines() {
      return all()
    },
    facts: async () => org.facts(),
    plan: async (list) => shownPlan(await org.plan(request(list))),
    apply: async (list, terms) => applied(await org.apply({ ...request(list), ...terms })),
    rollback: async (generation, rationale) =>
      applied(
        await org.rollback(generation, {
          actor,
          correlationId: by.correlationId,
          ...(rationale === undefined ? {} : { rationale }),
        }),
      ),
    between: async (from, to) => {
      demandPermission('metadata.author', 'to compare generations')
      return org.store.read((reader) => {
        const last = to ?? reader.activeGeneration()
        const [before, after] = [reader.view(from), reader.view(last)]
        return generationChanges(reader, from, last).map((change) =>
          shownChange(change, changeWords(change, change.kind === 'removed' ? before : after), []),
        )
      })
    },
    generations: async (limit) =>
      org.store.read((reader) => ({
        active: reader.activeGeneration(),
        generations: reader.generations({ limit }),
      })),
    retrieve: async (dir, generation, progress) => {
      demandPermission('metadata.author', 'to retrieve the components')
      return { lineage: org.facts().lineage, ...org.retrieve(dir, generation, progress) }
    },
    resolve: async (question) => all().evaluation.resolve(by, question),
    explain: async (question) => all().evaluation.explain(by, question),
    evaluate: async (evaluation) => await all().evaluation.evaluate(by, evaluation),
    replay: async (given) => await all().evaluation.replay(by, given),
    recompute: async (given) => await all().evaluation.recompute(by, given),
    results: async (limit) => all().evaluation.results(by, { limit }),
    evidence: async (resultId) => all().evaluation.evidence(by, resultId),
    whereUsed: async (id, member) => {
      const { type, key } = splitId(id)
      const view = seen()
      if (!view.has(type, key))
        throw new AlmanacError(
          'component.not_found',
          `There is no ${id} in generation ${org.activeGeneration()}.`,
        )
      const graph = org.graph()
      const usages = whereUsed(graph, id, member).filter(({ from }) =>
        view.has(splitId(from).type, splitId(from).key),
      )
      return { usages, entries: entryCount(graph, id) }
    },
    types: async () => typeDeclarations(seen(), org.activeGeneration()),
    components: async (type, set, generation) => {
      const view = seen(generation)
      const definition = view.get('config_set', set) ?? view.get('feature_flag', set)
      if (definition === undefined)
        throw new AlmanacError('config.unknown_set', `There is no configuration set or flag "${set}".`)
      return type === 'config_set'
        ? [definition]
        : [...view.entriesOf(set)].sort((a, b) => (a.key < b.key ? -1 : 1))
    },
    drafts: async () => org.store.read((reader) => reader.drafts()),
    audit: async (filter) => {
      demandPermission('audit.read', 'to read the audit')
      return org.store.read((reader) => reader.audit(filter))
    },
    clientSecret: async (client) => await all().clientSecrets.makeSecret(by, client),
    close: () => org.close(),
  }
}

function shownPlan({ base, changeDigest, counts, budget, changes, total, findings }: PlanOutcome): ShownPlan {
  return {
    base,
    changeDigest,
    counts,
    budget,
    total,
    findings,
    changes: changes.map(({ change, words, lacks }) => shownChange(change, words, lacks)),
  }
}

function applied({ generation, unchanged, changes, findings, ms }: ApplyOutcome): Applied {
  return {
    generation,
    unchanged,
    findings,
    ms,
    changes: changes.map(({ change, words, lacks }) => shownChange(change, words, lacks)),
  }
}

/** A change as the HTTP surface shows it. */
function shownChange(change: Change, words: ChangeWords, lacks: readonly string[]): ShownChange {
  return {
    kind: change.kind,
    id: change.id,
    words,
    values: 'values' in change ? change.values : [],
    before: beforeOf(change) as Component | null,
    after: afterOf(change),
    ...(change.kind === 'renamed' ? { renamedFrom: splitId(change.from).key } : {}),
    lacks: lacks.length === 0 ? null : lacks.join(', '),
  }
}
