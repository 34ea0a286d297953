// An org in a folder of this machine, as one of its users (completions 7).
import { randomUUID } from 'node:crypto'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { afterOf, beforeOf, changeWords } from '#kernel/change/index.ts'
import { typeDeclarations } from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { entryCount, whereUsed } from '#kernel/graph/index.ts'
import {
  demand,
  effectiveAccess,
  holds,
  visibleSets,
  visibleView,
  type By,
  type IssuedToken,
} from '../access/index.ts'
import { enginesOf, openOrg, type Engines } from '../compose.ts'
import {
  generationChanges,
  told,
  type ApplyOutcome,
  type ChangeRow,
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
  /** A bearer token of a client. @throws AlmanacError access.denied, component.not_found, auth.invalid */
  token(client: string): Promise<IssuedToken>
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
  if (named) demandUser(org, actor)
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
  /** What --as may be shown; the operator of the folder can read all of it anyway. */
  const seenNow = named
    ? org.store.read((reader) => visibleSets(effectiveAccess(reader, actor, org.pin().view), org.pin().view))
    : null
  const shows = (component: Component | null): boolean =>
    component === null || seenNow?.component(component) !== false
  const showsId = (id: ComponentId): boolean => {
    const { type, key } = splitId(id)
    if (type === 'config_entry') return seenNow?.values(key.split('.')[0]!) !== false
    const owns = type === 'config_set' || type === 'feature_flag'
    return !owns || seenNow?.definition(key) !== false
  }
  const demandToken = (client: string): void =>
    org.store.read((reader) => {
      const { view } = org.pin()
      const access = effectiveAccess(reader, actor, view)
      // A token of a client that runs as oneself raises nobody's rights.
      const runAs = view.get('integration_client', client)?.body.runAs
      if (runAs === actor || holds(access, 'access.manage')) return
      demand(
        access,
        'operations.manage',
        `for a token of the client ${client}, which does not run as ${actor}`,
      )
    })
  const request = (list: GivenList) => ({
    source: list satisfies ChangeSource,
    actor,
    correlationId: by.correlationId,
    ...(named ? {} : { operator: true }),
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
          ...(named ? {} : { operator: true }),
          ...(rationale === undefined ? {} : { rationale }),
        }),
      ),
    between: async (from, to) => {
      demandPermission('metadata.author', 'to compare generations')
      return org.store.read((reader) => {
        const last = to ?? reader.activeGeneration()
        const [before, after] = [reader.view(from), reader.view(last)]
        return generationChanges(reader, from, last)
          .filter((change) => shows(beforeOf(change)) && shows(afterOf(change)))
          .map((change) =>
            shownChange({
              change,
              words: changeWords(change, change.kind === 'removed' ? before : after),
              lacks: [],
            }),
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
    drafts: async () =>
      org.store.read((reader) => reader.drafts().filter(({ id, author }) => author === actor || showsId(id))),
    audit: async (filter) => {
      demandPermission('audit.read', 'to read the audit')
      return org.store.read((reader) => reader.audit(filter))
    },
    token: async (client) => {
      if (named) demandToken(client)
      return await all().access.issueToken(by, client)
    },
    clientSecret: async (client) => await all().clientSecrets.makeSecret(by, client),
    close: () => org.close(),
  }
}

/** Every verb acts as somebody who is there. @throws AlmanacError user.not_found */
function demandUser(org: Org, actor: string): void {
  try {
    org.store.read((reader) => effectiveAccess(reader, actor, org.pin().view))
  } catch (error) {
    org.store.close()
    throw error
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
    changes: changes.map(shownChange),
  }
}

function applied({ generation, unchanged, changes, findings, ms }: ApplyOutcome): Applied {
  return {
    generation,
    unchanged,
    findings,
    ms,
    changes: changes.map(shownChange),
  }
}

/** A change as the HTTP surface shows it. */
function shownChange(row: ChangeRow): ShownChange {
  const { change, words, lacks } = row
  return {
    kind: change.kind,
    id: change.id,
    words,
    ...told(row),
    ...(change.kind === 'renamed' ? { renamedFrom: splitId(change.from).key } : {}),
    lacks: lacks.length === 0 ? null : lacks.join(', '),
  }
}
