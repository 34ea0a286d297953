// Recomputes the records of a list by a job, which goes on while the user is elsewhere and is found again.
import { defineStore } from 'pinia'
import { computed, reactive, watch, type Ref } from 'vue'
import { fetchRecordJobs, startRecordJob } from '../../../api/records.ts'
import { useAction } from '../../../stores/use-action.ts'
import { useOrg } from '../../../stores/org.ts'

/** The jobs whose progress or outcome is shown, by object, until the user closes them. */
const useShownJobs = defineStore('shown-jobs', () => ({ jobs: reactive(new Map<string, string>()) }))

/** Among how many of the newest jobs a running one is searched. */
const recentJobs = 200

interface RecomputeDeps {
  /** The key of the object; empty if none is shown. */
  object: Readonly<Ref<string>>
  filter: Readonly<Ref<string>>
}

export function useRecompute({ object, filter }: RecomputeDeps) {
  const org = useOrg()
  const { jobs: shown } = useShownJobs()
  const job = computed(() => shown.get(object.value) ?? '')
  const { working: starting, failure, run: attempt } = useAction()

  const start = (kind: 'recompute' | 'rebind' | 'archive'): Promise<unknown> =>
    attempt(async () => {
      const of = object.value
      const started = await startRecordJob({
        ...{ kind, object: of },
        ...(filter.value === '' ? {} : { filter: filter.value }),
      })
      shown.set(of, started.id)
    })

  /** Finds a job that was started before the page was loaded, or by another user. */
  async function find(): Promise<void> {
    const of = object.value
    if (of === '' || job.value !== '' || !org.can('operations.manage')) return
    const running = (await fetchRecordJobs(recentJobs)).find(
      ({ kind, object: over, state }) =>
        ['recompute', 'rebind', 'replay', 'archive'].includes(kind) &&
        over === of &&
        (state === 'queued' || state === 'processing'),
    )
    if (running !== undefined && !shown.has(of)) shown.set(of, running.id)
  }
  // Without an answer, only the progress of an earlier job is missing.
  watch([object, () => org.can('operations.manage')], () => void find().catch(() => undefined), {
    immediate: true,
  })

  return { job, starting, failure, start, close: () => void shown.delete(object.value) }
}
