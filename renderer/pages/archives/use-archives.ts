// The archives of the user, read again when a job of records ends, with the labels of what is archived.
import { onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import { fetchArchives, type ArchiveSummary } from '../../api/archives.ts'
import { loadFailureMessage } from '../../api/request.ts'
import { useLatest } from '../../stores/use-latest.ts'
import { useLive } from '../../stores/live.ts'
import { useOrg } from '../../stores/org.ts'
import { describedObject } from '../records/record-source.ts'

/** An archive as the page shows it. */
export interface ShownArchive extends ArchiveSummary {
  /** The label of the object; its key if the user cannot see it. */
  objectLabel: string
  fieldLabels: string[]
}

export function useArchives() {
  const org = useOrg()
  const live = useLive()
  const archives = shallowRef<ShownArchive[] | null>(null)
  const failure = ref('')
  const latest = useLatest()
  const load = (): Promise<void> =>
    latest.run(async () => Promise.all((await fetchArchives()).map((each) => labelled(each, org.epoch))), {
      onResult(found) {
        archives.value = found
        failure.value = ''
      },
      onError: (error) => (failure.value = loadFailureMessage(error)),
    })
  watch([() => org.epoch, () => org.can('operations.manage')], ([, may]) => (may ? void load() : undefined), {
    immediate: true,
  })
  const stops = [
    live.on('record-job', ({ state }) => {
      if (state !== 'queued' && state !== 'processing' && org.can('operations.manage')) void load()
    }),
    live.onReconnect(() => void load()),
  ]
  onBeforeUnmount(() => stops.forEach((stop) => stop()))
  return { archives, failure, load }
}

async function labelled(archive: ArchiveSummary, epoch: number): Promise<ShownArchive> {
  const { object, fields } = archive
  const described = object === null ? null : await describedObject(object, epoch).catch(() => null)
  const labelOf = (key: string): string => described?.fields.find((each) => each.key === key)?.label ?? key
  return { ...archive, objectLabel: described?.label ?? object ?? '', fieldLabels: fields.map(labelOf) }
}
