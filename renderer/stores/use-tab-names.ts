// The names of records in tabs that were not shown yet, such as after a reload: one read for all of them.
import { watch } from 'vue'
import { fetchObjects } from '../api/records.ts'
import { idOfSegment } from '../text/record-address.ts'
import { noteRecordName, readRecordNames, recordName } from './record-names.ts'
import { useOrg } from './org.ts'
import { useTabs } from './tabs.ts'

interface RecordTab {
  /** Of the record outside of apps, or of the list of its object. */
  path: string
  object: string
  /** Null for a list, and for a new record. */
  id: string | null
}

export function useTabNames(): void {
  const org = useOrg()
  const tabs = useTabs()
  /** Each is read once; a page that is shown notes its name itself. */
  const requested = new Set<string>()

  watch(
    [() => org.org !== null, () => tabs.all.map(({ path }) => path).join('\n')],
    ([isOpen]) => {
      if (!isOpen) return
      const missing = tabs.all
        .flatMap(({ path }) => recordTabOf(path) ?? [])
        .filter(({ path }) => recordName(path) === undefined && !requested.has(path))
      for (const { path } of missing) requested.add(path)
      // Without an answer, a tab shows its object and the end of the ID.
      if (missing.length > 0) void readNames(missing).catch(() => undefined)
    },
    { immediate: true },
  )
}

async function readNames(missing: readonly RecordTab[]): Promise<void> {
  const records = missing.flatMap(({ object, id }) => (id === null ? [] : { object, id }))
  const [objects] = await Promise.all([fetchObjects(), readRecordNames(records)])
  for (const { key, label } of objects) noteRecordName(listPath(key), label)
}

const listPath = (object: string): string => `/records/${encodeURIComponent(object)}`

/** Null for a page that shows no records. */
export function recordTabOf(address: string): RecordTab | null {
  const [path, object, id] = /\/records\/([^/]+)(?:\/([^/]+))?$/.exec(address) ?? []
  if (path === undefined || object === undefined) return null
  try {
    return {
      ...{ path, object: decodeURIComponent(object) },
      id: id === undefined ? null : idOfSegment(decodeURIComponent(id)),
    }
  } catch {
    // A percent sign that the user typed into the URL.
    return null
  }
}
