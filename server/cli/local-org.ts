// An org in a folder of this machine, used as one of its users.
import { randomUUID } from 'node:crypto'
import { splitId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { typeDeclarations } from '#kernel/config/index.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  accessReport,
  viewerFor,
  requirePermission,
  requireAuthorPermission,
  effectiveAccess,
  hasPermission,
  visibilityIn,
  type Viewer,
  type Actor,
  type EffectiveAccess,
  type IssuedToken,
} from '../access/index.ts'
import { enginesOf, type Engines } from '../compose/engines.ts'
import { fillRecords, runLeftJobs } from '../compose/record-jobs.ts'
import { openOrg } from '../compose/open-org.ts'
import {
  appliedView,
  auditMatches,
  changeViews,
  visibleDrafts,
  redactGenerations,
  pastChanges,
  narrowView,
  viewerAt,
  planView,
  whereUsedView,
  type ApplyOutcome,
  type ChangeSource,
  type Org,
} from '../pipeline/index.ts'
import { operatorName } from '../system/index.ts'
import { localCredentials } from './local-credentials.ts'
import { localImpact } from './local-impact.ts'
import { localRecords } from './local-records.ts'
import { localRequests } from './local-requests.ts'
import type { CompanionWrite } from '../ports/companion-writes.ts'
import type { AppliedList, ApplyOptions, ChangeListInput, OrgApi } from './org-api.ts'

export interface LocalOrg extends OrgApi {
  /** `companion` is written in the transaction of the apply. */
  apply(list: ChangeListInput, terms: ApplyOptions, companion?: CompanionWrite): Promise<AppliedList>
  readonly org: Org
  readonly engines: Engines
  readonly by: Actor
  readonly actor: string
  /** What the user of --as may see; null for the operator of the folder, who can read all of it anyway. */
  readonly viewer: Viewer | null
  /** The rights of the user on whose behalf the command acts. */
  access(): EffectiveAccess
  /** @throws AlmanacError access.denied if --as names a user who cannot author */
  requireAuthor(): void
  /** Creates a bearer token for a client. @throws AlmanacError access.denied, component.not_found, auth.invalid */
  token(client: string): Promise<IssuedToken>
}

export interface LocalOptions {
  /** The user on whose behalf the command acts. */
  actor: string
  /** Whether the user was named with --as; without it, anyone who can write to the folder is its operator. */
  isExplicit: boolean
}

/** @throws AlmanacError org.not_found, org.newer_schema, user.not_found */
export function openLocalOrg(dir: string, { actor, isExplicit }: LocalOptions): LocalOrg {
  const org = openOrg(dir)
  const openedAt = org.activeGeneration()
  let hasJob = false
  org.records.followJobs(() => void (hasJob = true))
  if (isExplicit) requireUser(org, actor)
  let engines: Engines | undefined
  const all = (): Engines => (engines ??= enginesOf(org))
  const by: Actor = {
    actor,
    correlationId: randomUUID(),
    operatorName: operatorName(),
    ...(isExplicit ? {} : { isOperator: true }),
  }
  const accessNow = (): EffectiveAccess =>
    org.store.read((reader) => effectiveAccess(reader, actor, org.pin().view))
  const ownViewer = (): Viewer | null => viewerFor(accessNow(), org.pin())
  const viewer = isExplicit ? ownViewer() : null
  /** For commands that check values with either kind of org. */
  const visibleAt = (generation?: number): ComponentView => {
    const snapshot = org.pin(generation)
    return narrowView(
      snapshot.view,
      org.store.read((reader) => viewerAt(reader, ownViewer(), snapshot.generation)),
    )
  }
  const requireToken = (client: string): void =>
    org.store.read((reader) => {
      const { view } = org.pin()
      const access = effectiveAccess(reader, actor, view)
      // A token of a client that runs as the user does not extend the user's rights.
      const runAs = view.get('integration_client', client)?.body.runAs
      if (runAs === actor || hasPermission(access, 'access.manage')) return
      requirePermission(
        access,
        'operations.manage',
        `for a token of the client ${client}, which does not run as ${actor}`,
      )
    })
  const request = (list: ChangeListInput) => ({
    source: list satisfies ChangeSource,
    actor,
    correlationId: by.correlationId,
    operatorName: by.operatorName,
    ...(isExplicit ? {} : { isOperator: true }),
  })

  const toAppliedList = (outcome: ApplyOutcome): AppliedList => ({
    ...appliedView(outcome, { user: actor }),
    unchanged: outcome.unchanged,
  })

  return {
    org,
    by,
    actor,
    viewer,
    access: accessNow,
    requireAuthor: () => {
      if (isExplicit) requireAuthorPermission(accessNow())
    },
    get engines() {
      return all()
    },
    facts: async () => org.facts(),
    ...localImpact({ dir, records: org.records, engines: all, request }),
    plan: async (list, rationale) =>
      planView(await all().org.plan({ ...request(list), rationale }), { user: actor }),
    apply: async (list, terms, companion) =>
      toAppliedList(await all().org.apply({ ...request(list), ...terms }, undefined, companion)),
    diff: async (from, to) =>
      org.store.read((reader) => {
        const { changes } = pastChanges(reader, from, to ?? reader.generations.active(), viewer)
        return changeViews({ rows: changes, findings: [], access: { user: actor } })
      }),
    generations: async (limit) =>
      org.store.read((reader) => ({
        active: reader.generations.active(),
        generations: redactGenerations(reader, reader.generations.list({ limit }), {
          access: accessNow(),
          viewer,
        }),
      })),
    retrieve: async (dir, generation, progress) => ({
      lineage: org.facts().lineage,
      ...org.retrieve(dir, { generation, progress, viewer }),
    }),
    resolve: async (question) => all().evaluation.resolve(by, question),
    explain: async (question) => all().evaluation.explain(by, question),
    evaluate: async (evaluation) => await all().evaluation.evaluate(by, evaluation),
    replay: async (given) => await all().evaluation.replay(by, given),
    recompute: async (given) => await all().evaluation.recompute(by, given),
    results: async (limit) => all().evaluation.results(by, { limit }),
    evidence: async (resultId) => await all().evaluation.evidence(by, resultId),
    accessOf: async (user) =>
      org.store.read((reader) =>
        accessReport(by.isOperator === true ? null : accessNow(), reader, user, org.pin().view),
      ),
    whereUsed: async (id, member) => {
      const snapshot = org.pin()
      return org.store.read((reader) =>
        whereUsedView(
          reader,
          {
            snapshot,
            shown: narrowView(snapshot.view, ownViewer()),
            visibility: visibilityIn(accessNow(), snapshot.view),
            graph: () => org.graph(),
          },
          { ...splitId(id), member },
        ),
      )
    },
    types: async () => typeDeclarations(visibleAt(), org.activeGeneration()),
    components: async (type, set, generation) => {
      const view = visibleAt(generation)
      const definition = view.get('config_set', set) ?? view.get('feature_flag', set)
      if (definition === undefined)
        throw new AlmanacError('config.unknown_set', `The configuration set or flag "${set}" does not exist.`)
      return type === 'config_set'
        ? [definition]
        : [...view.entriesOf(set)].sort((a, b) => (a.key < b.key ? -1 : 1))
    },
    drafts: async () => org.store.read((reader) => visibleDrafts(reader, viewer)),
    audit: async (search, limit) => {
      if (isExplicit) requirePermission(accessNow(), 'audit.read', 'to read the audit')
      return first(auditMatches(org.store, search, viewer), limit)
    },
    token: async (client) => {
      if (isExplicit) requireToken(client)
      return await all().access.issueToken(by, client)
    },
    clientSecret: async (client) => await all().clientSecrets.issueSecret(by, client),
    requests: localRequests(() => all().requests, by, toAppliedList),
    credentials: localCredentials(() => all().credentials, by),
    records: localRecords({
      ...{ org, by },
      engines: all,
      access: accessNow,
      finishJobs: () => runLeftJobs(org),
    }),
    close: async () => {
      await engines?.remotes.close()
      await engines?.closeOutside()
      if (org.activeGeneration() !== openedAt) await fillRecords(org)
      if (hasJob) await runLeftJobs(org)
      await org.close()
    },
  }
}

/** Every command acts as an existing user. @throws AlmanacError user.not_found */
function requireUser(org: Org, actor: string): void {
  try {
    org.store.read((reader) => effectiveAccess(reader, actor, org.pin().view))
  } catch (error) {
    org.store.close()
    throw error
  }
}

async function* first<T>(items: AsyncIterable<T>, limit: number): AsyncIterable<T> {
  let remaining = limit
  if (remaining < 1) return
  for await (const item of items) {
    yield item
    if (--remaining === 0) return
  }
}
