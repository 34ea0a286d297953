// Remote orgs and their operations: one interface for HTTP and the command line.
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isProduction } from '#kernel/remotes/production.ts'
import type {
  ComparisonIndex,
  CustodyStatus,
  NewRemote,
  PushRequest,
  RemoteChange,
  RemoteDrift,
  RemoteGenerationChanges,
  RemoteHistory,
  RemoteJob,
  LocalSource,
  RemoteTexts,
  RemoteView,
} from '#wire/remotes.ts'
import { requireActorPermission, type Actor } from '../access/index.ts'
import { fileText, yieldToEventLoop, visibleDraft } from '../pipeline/index.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import type { RemoteJobRow, RemoteRow } from '../ports/remotes.ts'
import {
  createComparisonService,
  requireRemote,
  type ComparisonService,
  type ComparisonQuery,
} from './comparison.ts'
import { groupDifferences } from './compare.ts'
import { requireConfirmation } from './confirmation.ts'
import { fetchDescriptions } from './fetch-descriptions.ts'
import type { Listing } from './listing.ts'
import { fetchContents, wantedOf } from './contents.ts'
import { applyApprovedRequest, createDeployWork } from './deploy.ts'
import { loadGenerationChanges, loadDrift, loadHistory } from './history.ts'
import { deployWork, type DeployWork, type PushPick } from './job-run.ts'
import { createRemoteJobs, type RemoteJobs } from './jobs.ts'
import { acknowledgeListing, refreshListing, retrieveContents } from './refresh-listing.ts'
import type { RemoteEvent, RemotesDeps } from './deps.ts'
import { createProofStore } from './proof-store.ts'
import { createRemoteRegistry } from './remote-registry.ts'
import { createRemoteRedactor, type RemoteRedactor } from './remote-redactor.ts'
import { textsOf } from './texts.ts'

export interface Remotes {
  list(by: Actor): RemoteView[]
  get(by: Actor, key: string): RemoteView
  custody(by: Actor): Promise<CustodyStatus>
  add(by: Actor, remote: NewRemote): Promise<RemoteView>
  change(by: Actor, key: string, change: RemoteChange): Promise<RemoteView>
  remove(by: Actor, key: string): Promise<void>
  /**
   * Contacts the remote now, and checks what waits there. @throws AlmanacError `conflict.lineage_changed`, class
   * integration.
   */
  contact(by: Actor, key: string): Promise<RemoteView>
  pin(by: Actor, key: string, lineage: string): Promise<RemoteView>

  /** For a command line that pushes a directory: the URL of the pinned org, and a bearer token. */
  connection(
    by: Actor,
    key: string,
    confirm: string | undefined,
  ): Promise<{ url: string; token: string; name: string }>
  compare(by: Actor, key: string): Promise<RemoteJob>
  comparison(by: Actor, key: string, ask: ComparisonQuery): ReturnType<ComparisonService['loadPage']>
  /** @throws AlmanacError `remote.job_state` if the remote was never listed. */
  comparisonIndex(by: Actor, key: string, local: LocalSource): Promise<ComparisonIndex>
  /** One component as text: here, there as last seen, there as listed. */
  texts(by: Actor, key: string, id: ComponentId, local: LocalSource): Promise<RemoteTexts>
  retrieve(by: Actor, key: string): Promise<RemoteJob>
  /** Makes the listed state the last seen state: its drift is acknowledged. */
  acknowledge(by: Actor, key: string, generation: number): Promise<RemoteView>
  /** Fetches what `take` needs of the remote, and descriptions, so that `take` needs only the store. */
  prefetchContents(by: Actor, key: string, ids: readonly ComponentId[]): Promise<void>
  /** Creates drafts here with the remote's content. Returns their ids. */
  take(by: Actor, key: string, ids: readonly ComponentId[]): Promise<ComponentId[]>
  push(by: Actor, key: string, ask: PushRequest): Promise<RemoteJob>
  rollback(
    by: Actor,
    key: string,
    ask: {
      generation: number
      /** Stop once the remote has validated it. */
      review?: boolean | undefined
      rationale?: string | undefined
      confirm?: string | undefined
    },
  ): Promise<RemoteJob>
  history(by: Actor, key: string, page: { before?: number; limit: number }): Promise<RemoteHistory>
  generation(by: Actor, key: string, generation: number): Promise<RemoteGenerationChanges>
  drift(by: Actor, key: string): Promise<RemoteDrift>

  jobs(by: Actor, key: string, limit: number): RemoteJob[]
  job(by: Actor, key: string, id: string): RemoteJob
  /** Continues what waits for a user: the reviewed push, or the approved change request. */
  proceed(
    by: Actor,
    key: string,
    id: string,
    ask: { confirm?: string | undefined; rationale?: string | undefined },
  ): Promise<RemoteJob>
  resume(by: Actor, key: string, id: string): Promise<RemoteJob>
  cancel(by: Actor, key: string, id: string): Promise<RemoteJob>
  /** Resolves once a job stops running. */
  waitForJob(id: string): Promise<RemoteJob>

  onEvent(listener: (event: RemoteEvent) => void): () => void
  /** Recovers interrupted jobs and follows waiting change requests until it is closed. */
  run(): void
  /** Cancels running jobs and keeps them for later. */
  close(): Promise<void>
}

/** The writes of jobs, with other work running between two of them. */
function yieldBetweenWrites(write: OrgWrite): OrgWrite {
  return async (work) => {
    const result = await write(work)
    await yieldToEventLoop()
    return result
  }
}

export function createRemotes(deps: RemotesDeps): Remotes {
  const { store, org, options } = deps
  const proofs = createProofStore(deps)
  const comparing = createComparisonService(deps)
  const jobParts = { ...deps, write: yieldBetweenWrites(deps.write) }
  const deploy = createDeployWork(jobParts, comparing)
  const jobs: RemoteJobs = createRemoteJobs(deps, proofs, {
    compare: async (run) => {
      const { listed } = await refreshListing(jobParts, run)
      run.job.outcome = { generation: listed.generation, changes: 0, fetched: 0 }
      return 'done'
    },
    retrieve: async (run) => {
      await retrieveContents(jobParts, run)
      return 'done'
    },
    push: deploy,
    rollback: deploy,
  })
  const records = createRemoteRegistry(deps, proofs, jobs)
  const unforeseen = (error: unknown): void => deps.onError?.(error)
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let following: Promise<void> = Promise.resolve()

  const demand = (by: Actor, purpose: string): void =>
    store.read((reader) => requireActorPermission(by, reader, 'integration.manage_credentials', purpose))
  const redactorFor = (by: Actor): RemoteRedactor => {
    const viewer = by.isOperator === true ? null : store.read((reader) => deps.loadViewer(reader, by.actor))
    return createRemoteRedactor(org.pin().view, viewer)
  }
  const use = (by: Actor, key: string): RemoteRow => {
    demand(by, `to use the remote ${key}`)
    return requireRemote(deps, key)
  }
  const view = (row: RemoteRow): RemoteView => viewOf(deps, jobs, row)
  /** The contents and descriptions that are not stored here. */
  const fetchWanted = async (
    by: Actor,
    key: string,
    ids: readonly ComponentId[],
    listed: Listing,
  ): Promise<void> => {
    const client = jobs.client(key)
    const wanted = wantedOf(ids, listed)
    await fetchContents(deps, client, listed.generation, wanted)
    await fetchDescriptions(deps, client, listed.generation, { by, wanted })
  }
  const startDeploy = (
    by: Actor,
    key: string,
    kind: 'push' | 'rollback',
    rationale: string,
    work: DeployWork,
  ): Promise<RemoteJob> => jobs.start(by, key, kind, { rationale, work })

  return {
    list: (by) => {
      demand(by, 'to see the remotes')
      return store.read((reader) => reader.remotes.list()).map(view)
    },
    get: (by, key) => view(use(by, key)),
    custody: (by) => {
      demand(by, 'to see where secrets are stored')
      return deps.custody.status()
    },
    add: async (by, remote) => {
      demand(by, 'to add a remote')
      return view(await records.add(by, remote))
    },
    change: async (by, key, change) => {
      demand(by, 'to change a remote')
      return view(await records.change(by, key, change))
    },
    remove: async (by, key) => {
      demand(by, 'to remove a remote')
      await records.remove(by, key)
    },
    contact: async (by, key) => {
      use(by, key)
      await records.contact(key)
      await jobs.pollOpenJobs(key)
      return view(requireRemote(deps, key))
    },
    pin: async (by, key, lineage) => {
      demand(by, 'to pin a remote again')
      return view(await records.pin(by, key, lineage))
    },
    connection: async (by, key, confirm) => {
      use(by, key)
      await records.contact(key)
      const row = requireRemote(deps, key)
      requireConfirmation(row.org, row.name, confirm)
      return { url: row.url, token: await proofs.bearerToken(row), name: row.org.name }
    },
    compare: async (by, key) => {
      use(by, key)
      return jobs.start(by, key, 'compare', { rationale: '', work: null })
    },
    comparison: async (by, key, ask) => {
      use(by, key)
      return comparing.loadPage(by, jobs.client(key), ask)
    },
    comparisonIndex: async (by, key, local) => {
      use(by, key)
      const { all } = await comparing.loadComparison(by, key, local)
      return { local, differing: await groupDifferences(all.rows) }
    },
    texts: async (by, key, id, local) => {
      use(by, key)
      return textsOf(deps, jobs.client(key), await comparing.loadComparison(by, key, local), id)
    },
    retrieve: async (by, key) => {
      use(by, key)
      return jobs.start(by, key, 'retrieve', { rationale: '', work: null })
    },
    acknowledge: async (by, key, generation) => {
      use(by, key)
      const listed = store.read((reader) => reader.remotes.revision(key, 'listed'))
      if (listed?.generation !== generation)
        throw new AlmanacError(
          'conflict.stale_generation',
          `Your comparison is with generation ${generation} of ${key}, but the last listed one is ${listed?.generation ?? 'none'}. Compare again.`,
        )
      await acknowledgeListing(deps, key)
      jobs.emit({ remote: key })
      return view(requireRemote(deps, key))
    },
    prefetchContents: async (by, key, ids) => {
      use(by, key)
      await fetchWanted(by, key, ids, await comparing.loadListing(key, 'listed'))
    },
    take: async (by, key, ids) => {
      use(by, key)
      const { local, listed } = await comparing.loadComparison(by, key, 'drafts')
      await fetchWanted(by, key, ids, listed)
      const viewer = by.isOperator === true ? null : store.read((reader) => deps.loadViewer(reader, by.actor))
      const saves = ids.map((id) => {
        const { type, key: own } = splitId(id)
        const digest = listed.digests.get(id)
        const held = digest === undefined ? undefined : store.read((reader) => reader.remotes.content(digest))
        if (held === undefined && !local.view.has(type, own))
          throw new AlmanacError('component.not_found', `${id} exists neither in this org nor on the remote.`)
        const version = store.read((reader) => visibleDraft(reader, id, viewer))?.version ?? 0
        return {
          id,
          text: held === undefined ? null : fileText(held as Component),
          version,
          actor: by,
          viewer,
        }
      })
      await org.saveDrafts(by, saves)
      return saves.map(({ id }) => id)
    },
    push: async (
      by,
      key,
      {
        ids,
        except = [],
        also = [],
        local = 'active',
        review = false,
        rationale = '',
        title = '',
        applyOn,
        confirm,
      },
    ) => {
      const row = use(by, key)
      if (!review) requireConfirmation(row.org, row.name, confirm)
      if (ids !== undefined && except.length + also.length > 0)
        throw new AlmanacError(
          'request.invalid',
          'The push contains "ids" and also "except" or "also". Use either the complete list, or the differences from the default.',
        )
      const pick = { ids: ids ?? null, except, also } as PushPick
      const push = { local, review, ...pick }
      return startDeploy(by, key, 'push', rationale, { ...newDeploy, push, title, applyOn: applyOn ?? null })
    },
    rollback: async (by, key, { generation, review = false, rationale = '', confirm }) => {
      const row = use(by, key)
      if (!review) requireConfirmation(row.org, row.name, confirm)
      return startDeploy(by, key, 'rollback', rationale, { ...newDeploy, rollbackTo: generation, review })
    },
    history: async (by, key, page) => {
      use(by, key)
      return loadHistory(deps, jobs.client(key), page)
    },
    generation: async (by, key, generation) => {
      use(by, key)
      return redactorFor(by).redactChanges(await loadGenerationChanges(deps, jobs.client(key), generation))
    },
    drift: async (by, key) => {
      use(by, key)
      const seen = store.read((reader) => reader.remotes.revision(key, 'seen'))
      if (seen !== undefined)
        return redactorFor(by).redactDrift(await loadDrift(deps, jobs.client(key), seen))
      throw new AlmanacError(
        'remote.job_state',
        `The remote ${key} has not been listed yet. Compare with it first.`,
      )
    },
    jobs: (by, key, limit) => {
      use(by, key)
      return jobs.list(key, limit).map(redactorFor(by).redactJob)
    },
    job: (by, key, id) => {
      use(by, key)
      return redactorFor(by).redactJob(jobs.row(key, id).job)
    },
    proceed: async (by, key, id, { confirm, rationale }) => {
      const row = use(by, key)
      await jobs.waitForPolls(key)
      const jobRow = jobs.row(key, id)
      if (jobRow.state !== 'review' && jobRow.state !== 'waiting')
        throw jobStateError(jobRow, 'does not wait for a user')
      requireConfirmation(row.org, row.name, confirm)
      if (jobRow.state === 'waiting')
        return redactorFor(by).redactJob(await jobs.resume(jobRow, by, { prepare: applyApprovedRequest }))
      const job = { ...jobRow.job, ...(rationale === undefined ? {} : { rationale }), actor: by.actor }
      return redactorFor(by).redactJob(await jobs.resume({ ...jobRow, job }, by))
    },
    resume: async (by, key, id) => {
      use(by, key)
      await jobs.waitForPolls(key)
      const jobRow = jobs.row(key, id)
      // It may have been found done since it was read.
      if (jobRow.state === 'done') return redactorFor(by).redactJob(jobRow.job)
      if (jobRow.state !== 'interrupted' && jobRow.state !== 'failed')
        throw jobStateError(jobRow, 'was not interrupted')
      const job = await jobs.resume(jobRow, by, {
        prepare: async (run) => {
          // What failed before it was sent is prepared again.
          if (run.work !== null && jobRow.state === 'failed' && deployWork(run).phase === 'send') {
            run.work.phase = 'prepare'
            run.work.attempts = 0
          }
        },
      })
      return redactorFor(by).redactJob(job)
    },
    cancel: async (by, key, id) => {
      use(by, key)
      const jobRow = jobs.row(key, id)
      if (jobRow.state === 'waiting') {
        await jobs.client(key).withdrawRequest(jobRow.job.request!.id)
        return redactorFor(by).redactJob(await jobs.cancel(jobRow))
      }
      const open = ['running', 'review', 'interrupted']
      if (!open.includes(jobRow.state)) throw jobStateError(jobRow, 'is already finished')
      return redactorFor(by).redactJob(await jobs.cancel(jobRow))
    },
    waitForJob: jobs.waitForJob,
    onEvent: jobs.onEvent,
    run: () => {
      following = jobs
        .recover()
        .then(() => jobs.pollOpenJobs())
        .catch(unforeseen)
        .then(again)
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      await jobs.close()
      await following
      await deps.outbound.close()
    },
  }

  function again(): void {
    if (closed) return
    timer = setTimeout(() => {
      following = jobs.pollOpenJobs().catch(unforeseen).then(again)
    }, options.followMs)
  }
}

const newDeploy: DeployWork = {
  phase: 'prepare',
  push: null,
  rollbackTo: null,
  title: '',
  applyOn: null,
  going: [],
  base: 0,
  changeDigest: null,
  asRequest: false,
  attempts: 0,
  noted: false,
}

function jobStateError({ job }: RemoteJobRow, why: string): AlmanacError {
  return new AlmanacError('remote.job_state', `The ${job.kind} ${why}: it is ${job.state}.`, {
    details: [{ job: job.id, state: job.state }],
  })
}

function viewOf({ store }: RemotesDeps, jobs: RemoteJobs, row: RemoteRow): RemoteView {
  const { key, org } = row
  const moment = (which: 'seen' | 'listed') =>
    store.read((reader) => reader.remotes.revision(key, which)) ?? null
  return {
    ...row,
    production: isProduction(org.environment),
    seen: moment('seen'),
    listed: moment('listed'),
    jobs: jobs.openJobs(key),
  }
}
