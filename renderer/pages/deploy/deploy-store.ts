// The state of one remote's page: the comparison, the selection for a push, the running job.
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { CompareRow, Comparison, LocalSource, RemoteJob, RemoteProblem } from '#wire/remotes.ts'
import {
  cancelJob,
  fetchComparison,
  fetchComparisonIndex,
  fetchRemoteJobs,
  proceedWithJob,
  reachRemote,
  resumeJob,
  startCompare,
  startPush,
  startRetrieve,
  startRollback,
} from '../../api/remotes.ts'
import { ApiError, messageOf } from '../../api/request.ts'
import { useRemotes } from '../../stores/remotes.ts'
import { useAction } from '../../stores/use-action.ts'
import { useLatest } from '../../stores/use-latest.ts'
import { lists, type ListName } from './compare-lists.ts'
import { saveDecision, loadDecision, type DeployDecision } from './deploy-decision.ts'
import { createDeployTicks, type ShownComparison } from './deploy-ticks.ts'
import { agrees, differingRows, pickOf, initialTicks, type Differing, type TickFilter } from './ticks.ts'

const page = 300

export const useDeploy = defineStore('deploy-desk', () => {
  const remotes = useRemotes()
  const key = ref('')
  const local = ref<LocalSource>('active')
  const list = ref<ListName>('differs')
  const text = ref('')
  const comparison = shallowRef<Comparison | null>(null)
  const rows = shallowRef<CompareRow[]>([])
  /** Whether the remote was never listed, so that there is nothing to compare with. */
  const unlisted = ref(false)
  const failure = ref('')
  /** The filter that `rows` were read with, and everything that differs. */
  const shown = shallowRef<ShownComparison | null>(null)
  const { ticks, ...ticking } = createDeployTicks(shown)
  const selected = ref<string | null>(null)
  const jobs = shallowRef<RemoteJob[]>([])
  const rationale = ref('')
  const title = ref('')
  const applyOn = ref('')
  const typedName = ref('')
  const { working, run } = useAction({ onError: (error) => (failure.value = messageOf(error)) })
  const latestComparison = useLatest()
  const latestJobs = useLatest()

  const remote = computed(() => remotes.of(key.value))
  const nameTyped = computed(
    () => remote.value?.production !== true || typedName.value === remote.value.org.name,
  )
  const allShown = computed(() => comparison.value !== null && comparison.value.nextCursor === null)
  const brief = computed(() => (job: RemoteJob) => remotes.briefs.get(job.id) ?? job)
  /** A comparison that is running or that failed. */
  const compareJob = computed(() => {
    const [newest] = jobs.value
    return newest !== undefined && (newest.kind === 'compare' || newest.kind === 'retrieve')
      ? newest
      : undefined
  })
  const started = ref(new Set<string>())
  const dismissed = ref(localStorage.getItem(place) ?? '')
  /** The push or rollback in the panel: one that is open, failed, or ended while this user was watching. */
  const job = computed(() => {
    const newest = jobs.value.find(({ kind }) => kind === 'push' || kind === 'rollback')
    if (newest === undefined || newest.id === dismissed.value) return undefined
    const over = newest.state === 'done' || newest.state === 'cancelled'
    return over && !started.value.has(newest.id) ? undefined : newest
  })
  /** Whether a push is open: its selection is fixed, so no tick changes until it ends. */
  const locked = computed(
    () => job.value?.kind === 'push' && !['done', 'failed', 'cancelled'].includes(job.value.state),
  )
  const dependenciesById = computed(() => {
    const open = job.value?.state === 'review' ? (job.value.plan?.cameAlong ?? []) : []
    return new Map(open.map((need) => [need.id as string, need]))
  })

  function open(remoteKey: string): void {
    if (key.value === remoteKey) return
    latestComparison.cancel()
    latestJobs.cancel()
    key.value = remoteKey
    comparison.value = null
    rows.value = []
    shown.value = null
    jobs.value = []
    selected.value = null
    unlisted.value = false
    failure.value = ''
    list.value = 'differs'
    text.value = ''
    typedName.value = ''
    const decision = loadDecision(remoteKey)
    ticks.value = { base: decision.base, picks: new Map(decision.picks) }
    rationale.value = decision.rationale
    title.value = decision.title
    applyOn.value = decision.applyOn
  }
  watch([ticks, rationale, title, applyOn], () => {
    const decision: DeployDecision = {
      base: ticks.value.base,
      picks: [...ticks.value.picks],
      rationale: rationale.value,
      title: title.value,
      applyOn: applyOn.value,
    }
    if (key.value !== '') saveDecision(key.value, decision)
  })

  const filter = (): TickFilter => ({
    q: text.value.trim(),
    ...(list.value === 'drift' ? { drift: true } : { states: lists[list.value].states }),
  })

  /** `filter` and `more` read the same comparison again; what differs is read only if it has changed. */
  async function compare(how: 'whole' | 'filter' | 'more' = 'whole'): Promise<void> {
    const remoteKey = key.value
    const more = how === 'more'
    const cursor = more ? comparison.value?.nextCursor : null
    const [source, terms] = [local.value, filter()]
    const readIndex = async (): Promise<Differing[]> =>
      differingRows(await fetchComparisonIndex(remoteKey, source))
    const previous = how === 'whole' ? undefined : shown.value?.differing
    const read = async (): Promise<{ answer: Comparison; differing: readonly Differing[] }> => {
      const [answer, index] = await Promise.all([
        fetchComparison(remoteKey, { ...terms, local: source, cursor, limit: page }),
        previous === undefined ? readIndex() : undefined,
      ])
      const current = previous !== undefined && agrees(previous, answer) ? previous : undefined
      return { answer, differing: index ?? current ?? (await readIndex()) }
    }
    await latestComparison.run(read, {
      onResult({ answer, differing }) {
        shown.value = { filter: terms, differing }
        comparison.value = answer
        rows.value = more ? [...rows.value, ...answer.rows] : answer.rows
        unlisted.value = false
        failure.value = ''
      },
      onError(error) {
        unlisted.value = error instanceof ApiError && error.code === 'remote.job_state'
        failure.value = unlisted.value ? '' : messageOf(error)
        comparison.value = null
        shown.value = null
        rows.value = []
      },
    })
  }

  /**
   * Every read is used, in any order, until another remote is opened: during a busy job, one may overtake another.
   */
  function readJobs(): Promise<void> {
    return latestJobs.extend(() => fetchRemoteJobs(key.value), {
      onResult: (answer) => (jobs.value = answer.jobs),
      onError: (error) => (failure.value = messageOf(error)),
    })
  }

  /** Carries out one step; the panel shows what the server refuses. */
  async function step(work: (remoteKey: string) => Promise<RemoteJob>): Promise<void> {
    await run(async () => {
      failure.value = ''
      const done = await work(key.value)
      started.value.add(done.id)
      jobs.value = [done, ...jobs.value.filter(({ id }) => id !== done.id)]
    })
    await readJobs()
  }

  /** Reads the state of the remote and of what waits there. @throws ApiError */
  async function reach(): Promise<void> {
    remotes.take(await reachRemote(key.value))
    await readJobs()
  }

  const validate = (): Promise<void> =>
    step((of) => {
      const picked = pickOf(ticks.value, ticking.differing.value)
      return startPush(of, {
        ...picked,
        local: local.value,
        review: true,
        rationale: rationale.value,
        ...(title.value.trim() === '' ? {} : { title: title.value.trim() }),
        ...(applyOn.value === '' ? {} : { applyOn: applyOn.value }),
      })
    })
  const confirm = (): { confirm?: string } => (remote.value?.production ? { confirm: typedName.value } : {})
  const proceed = (of: RemoteJob): Promise<void> =>
    step(async (at) => {
      const job = await proceedWithJob(at, of.id, {
        ...confirm(),
        ...(of.state === 'review' ? { rationale: rationale.value || of.rationale } : {}),
      })
      typedName.value = ''
      return job
    })
  /** The remote validates it; nothing is applied before the user has seen the result. */
  const restore = (generation: number, why: string): Promise<void> =>
    step((of) => startRollback(of, { generation, rationale: why }))

  /** Hides a job that has ended. */
  function dismiss(): void {
    const done = job.value?.state === 'done'
    dismissed.value = job.value?.id ?? ''
    localStorage.setItem(place, dismissed.value)
    // After a push that was cancelled or failed, the selection stays.
    if (!done) return
    rationale.value = ''
    title.value = ''
    applyOn.value = ''
    ticks.value = initialTicks
  }

  const problem = computed((): RemoteProblem | null => {
    const { contact } = remote.value ?? {}
    return contact?.state === 'failed' ? contact.problem : null
  })

  return {
    key,
    local,
    list,
    text,
    comparison,
    rows,
    unlisted,
    failure,
    ticks,
    ...ticking,
    selected,
    jobs,
    rationale,
    title,
    applyOn,
    typedName,
    working,
    remote,
    nameTyped,
    allShown,
    brief,
    compareJob,
    job,
    locked,
    dependenciesById,
    problem,
    open,
    compare,
    readJobs,
    reach,
    compareAgain: () => step(startCompare),
    retrieve: () => step(startRetrieve),
    validate,
    proceed,
    restore,
    resume: (of: RemoteJob) => step((at) => resumeJob(at, of.id)),
    cancel: (of: RemoteJob) => step((at) => cancelJob(at, of.id)),
    dismiss,
  }
})

/** Which job was dismissed; survives a reload of the window. */
const place = 'almanac.deploy.dismissed'
