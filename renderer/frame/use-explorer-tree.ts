// The explorer's tree: branches by type or by app, each read when it opens; or the results of a filter, as one list.
import { computed, ref, shallowReactive, watch } from 'vue'
import { fetchComponents, fetchCounts, type ComponentQuery, type Counts } from '../api/components.ts'
import { loadFailureMessage } from '../api/request.ts'
import type { ComponentRow } from '../api/wire.ts'
import { useCatalogue } from '../stores/catalogue.ts'
import { useExplorer } from '../stores/explorer.ts'
import { useOrg } from '../stores/org.ts'
import { useRooms } from '../stores/rooms.ts'
import type { IconName } from './icons.ts'
import { typeIcons } from './type-icons.ts'

const page = 200

interface Branch {
  name: string
  label: string
  icon: IconName
  /** Undefined until it is read. */
  count: number | undefined
  query: ComponentQuery
}

export interface TreeLine {
  id: string
  level: 1 | 2
  label: string
  icon: IconName
  /** The branch that this row is, or belongs to; undefined for results of a filter. */
  branch?: string
  row?: ComponentRow
  count?: number | undefined
  more?: number
}

export function useExplorerTree() {
  const org = useOrg()
  const rooms = useRooms()
  const catalogue = useCatalogue()
  const layout = useExplorer()
  const counts = ref<Counts | null>(null)
  const lists = shallowReactive(new Map<string, { rows: ComponentRow[]; total: number }>())
  const searchResults = ref<ComponentRow[] | null>(null)
  const filter = ref('')
  const state = ref('')
  const failure = ref('')
  const reportFailure = (error: unknown): unknown => (failure.value = loadFailureMessage(error))
  const open = computed(() => new Set(layout.open))

  const byType = computed<Branch[]>(() =>
    rooms.rooms
      .filter(({ type }) => type !== 'config_entry')
      .map(({ type, plural }) => ({
        name: type,
        label: plural,
        icon: typeIcons[type],
        count: counts.value?.counts[type] ?? 0,
        query: { type },
      })),
  )
  const byApp = computed<Branch[]>(() => {
    const apps = catalogue.list('app').map(({ key, label }) => ({
      name: `app:${key}`,
      label: label || key,
      query: { app: key } satisfies ComponentQuery,
    }))
    const rest = {
      name: 'outside',
      label: 'not in an app',
      query: { outside: 'true' } satisfies ComponentQuery,
    }
    return [...apps, rest].map((each) => ({
      ...each,
      icon: 'box' as const,
      count: lists.get(each.name)?.total,
    }))
  })
  const branches = computed(() => (layout.by === 'type' ? byType.value : byApp.value))

  const lines = computed<TreeLine[]>(() => {
    if (searchResults.value !== null)
      return searchResults.value.map((row) => ({
        id: row.id,
        level: 1,
        label: row.key,
        icon: typeIcons[row.type],
        row,
      }))
    return branches.value.flatMap(linesOf)
  })

  function linesOf({ name, label, icon, count }: Branch): TreeLine[] {
    const head: TreeLine = { id: name, level: 1, label, icon, branch: name, count }
    const list = open.value.has(name) ? lists.get(name) : undefined
    if (list === undefined) return [head]
    const kids = list.rows.map((row): TreeLine => ({
      id: row.id,
      level: 2,
      label: row.key,
      icon: typeIcons[row.type],
      branch: name,
      row,
    }))
    const more = list.total - kids.length
    const rest: TreeLine = {
      id: `${name}-more`,
      level: 2,
      label: `${more} more; filter to find them`,
      icon,
      branch: name,
      more,
    }
    return [head, ...kids, ...(more > 0 ? [rest] : [])]
  }

  async function loadBranch({ name, query }: Branch): Promise<void> {
    const { components, total } = await fetchComponents({ ...query, limit: page })
    lists.set(name, { rows: components, total: total ?? components.length })
  }

  async function load(): Promise<void> {
    try {
      // Once they are loaded, this is called again.
      if (rooms.rooms.length === 0) return await rooms.load()
      counts.value = await fetchCounts()
      await Promise.all(branches.value.filter(({ name }) => open.value.has(name)).map(loadBranch))
      await search()
      failure.value = ''
    } catch (error) {
      reportFailure(error)
    }
  }

  async function search(): Promise<void> {
    const q = filter.value.trim()
    if (q === '' && state.value === '') {
      searchResults.value = null
      return
    }
    const { components } = await fetchComponents({ q, state: state.value, limit: page })
    if (q === filter.value.trim()) searchResults.value = components
  }

  function toggle(name: string): void {
    layout.toggle(name)
    const branch = branches.value.find((each) => each.name === name)
    if (branch !== undefined && open.value.has(name)) loadBranch(branch).catch(reportFailure)
  }

  let timer = 0
  watch([filter, state], () => {
    window.clearTimeout(timer)
    timer = window.setTimeout(() => void search().catch(reportFailure), 150)
  })
  watch([() => org.epoch, () => rooms.rooms, () => branches.value.map(({ name }) => name).join()], load, {
    immediate: true,
  })

  return { counts, open, filter, state, searchResults, failure, lines, toggle }
}
