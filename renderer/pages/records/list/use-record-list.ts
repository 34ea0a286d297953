// The records of an object, page by page: listed or searched as in the URL, and kept current while they are shown.
import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import {
  queryRecords,
  searchRecords,
  type ObjectDescription,
  type RecordJson,
  type RecordQuery,
  type Warning,
} from '../../../api/records.ts'
import { ApiError, loadFailureMessage, messageOf } from '../../../api/request.ts'
import { afterPress } from '../../../stores/after-pointer-rest.ts'
import { useLatest } from '../../../stores/use-latest.ts'
import { useOrg } from '../../../stores/org.ts'
import { columnsOf, columnsOfView, queriedNames, type GridColumn } from '../grid-columns.ts'
import { nameFieldOf } from '../record-source.ts'
import { useRecordPlaces } from '../record-places.ts'
import { useLiveRecords } from '../use-live-records.ts'
import { useListPositions } from './list-positions.ts'
import { mergePage, type Holds } from './merge-page.ts'
import { useListAddress } from './use-list-address.ts'

export const pageSize = 50

interface ListDeps {
  object: Readonly<Ref<ObjectDescription | null>>
  /** What the user is working on. */
  holds(): Holds
  /** Ends editing, before its column changes. */
  finish(): void
}

interface FoundPage {
  records: RecordJson[]
  nextCursor: string | null
  warnings?: Warning[]
}

export function useRecordList({ object, holds, finish }: ListDeps) {
  const address = useListAddress()
  const positions = useListPositions()
  const places = useRecordPlaces()
  const org = useOrg()
  const columns = shallowRef<GridColumn[]>([])
  const records = shallowRef<readonly RecordJson[] | null>(null)
  const next = ref<string | null>(null)
  /** The page that is shown; the URL can already name the next one. */
  const page = ref(1)
  const failure = ref('')
  /** What is wrong with the page, which is shown nevertheless. */
  const warnings = shallowRef<readonly Warning[]>([])
  /** What is wrong with the filter; the records that were shown before stay. */
  const filterFault = ref('')
  const reading = ref(false)
  /** How often the page was read. */
  const reads = ref(0)
  const latest = useLatest()
  /** A page that was read while a cell was open. */
  let waiting: { found: FoundPage; place: string } | null = null
  /** Which list and page is shown. */
  let shownPlace = ''
  /** Identifies the list that is shown, for its position. */
  const shownList = ref('')

  const listView = computed(
    () => object.value?.listViews.find(({ key }) => key === address.view.value) ?? null,
  )
  /** The filter of the list view, and the one that was typed. */
  const filter = computed(() => {
    const all = [listView.value?.filter ?? '', address.filter.value].filter((each) => each !== '')
    return all.length < 2 ? (all[0] ?? '') : all.map((each) => `(${each})`).join(' && ')
  })
  /** Text fields by whose words records are found. */
  const matchFields = computed(() => {
    const name = object.value === null ? null : nameFieldOf(object.value)
    if (object.value?.remote?.filters === false) return []
    return (object.value?.fields ?? [])
      .filter(
        ({ key, type, unique, computed: by }) =>
          type === 'text' && by !== 'virtual_formula' && (unique || key === name),
      )
      .map(({ key }) => key)
  })
  const search = computed(() => (matchFields.value.length === 0 ? '' : address.search.value))
  /** The order of the URL, unless it is by a field that the list does not have, or no longer has. */
  const orderBy = computed(() => {
    const { order } = address
    const isKnown = columns.value.some(({ name, sortable }) => sortable && name === order.value?.field)
    return order.value !== null && isKnown ? [order.value] : (listView.value?.orderBy ?? [])
  })
  const query = computed((): Omit<RecordQuery, 'limit' | 'cursor'> => ({
    object: object.value?.key ?? '',
    fields: queriedNames(columns.value),
    ...(filter.value === '' ? {} : { filter: filter.value }),
    ...(orderBy.value.length === 0 || search.value !== '' ? {} : { orderBy: orderBy.value }),
  }))
  /** Identifies the list for its positions. */
  const list = computed(() => JSON.stringify([query.value, search.value, places.value.app]))

  /** Reads a page of any size. */
  function readPage(
    of: Omit<RecordQuery, 'limit' | 'cursor'>,
    { limit, cursor }: { limit: number; cursor: string | null },
    signal?: AbortSignal,
  ): Promise<FoundPage> {
    const terms = { ...of, limit, ...(cursor === null ? {} : { cursor }) }
    const { app } = places.value
    if (search.value === '') return queryRecords(terms, signal, app)
    const { object: searched, orderBy: _, ...others } = terms
    const text = { text: search.value, matchFields: matchFields.value }
    return searchRecords(searched, { ...others, ...text }, signal, app)
  }

  const cursorOf = (number: number): string | null | undefined =>
    number === 1 ? null : positions.of(list.value).cursors[number - 2]

  function show(found: FoundPage, place: string): void {
    next.value = found.nextCursor
    warnings.value = found.warnings ?? []
    const isOpen = holds().isOpen && records.value !== null
    waiting = isOpen ? { found, place } : null
    // A different page or list has other records, which are not compared with those of this one.
    const isOther = records.value === null || (place !== shownPlace && !isOpen)
    records.value = isOther ? found.records : mergePage(records.value!, found.records, holds())
    if (!isOpen) shownPlace = place
  }

  /** Shows what was read while a cell was open. */
  function showWaiting(): void {
    if (waiting !== null) show(waiting.found, waiting.place)
  }

  function read(): Promise<void> {
    // The columns can still be those of an object that the user has left.
    if (object.value === null || columns.value.length === 0) return Promise.resolve()
    const number = address.page.value
    const cursor = cursorOf(number)
    // The URL is from a different tab of the browser.
    if (cursor === undefined) return Promise.resolve(address.change({}))
    const of = list.value
    const place = `${number} ${of}`
    reading.value = place !== shownPlace
    // Otherwise a press on a record would miss it if the list moves before the release.
    const pageOf = (signal: AbortSignal): Promise<FoundPage> =>
      readPage(query.value, { limit: pageSize, cursor }, signal).finally(afterPress)
    return latest.run(pageOf, {
      onResult(found) {
        failure.value = filterFault.value = ''
        page.value = number
        reads.value += 1
        shownList.value = of
        show(found, place)
      },
      onError(error) {
        const status = error instanceof ApiError ? error.status : 0
        // The cursor is from an earlier generation, which had other fields.
        if (number > 1 && error instanceof ApiError && error.code === 'request.malformed')
          return address.change({})
        const isOfFilter = address.filter.value !== '' && status >= 400 && status < 500
        filterFault.value = isOfFilter ? messageOf(error) : ''
        failure.value = isOfFilter ? '' : loadFailureMessage(error)
      },
      onEnd: () => (reading.value = false),
    })
  }

  watch(
    [object, listView, () => org.epoch],
    async ([described, view], [before, viewBefore]) => {
      if (described?.key !== before?.key || view?.key !== viewBefore?.key) {
        finish()
        columns.value = []
        records.value = null
        warnings.value = []
      }
      if (described === null || described.fields.length === 0 || !described.rights.read) return
      const found = await (view === null
        ? columnsOf(described, org.epoch)
        : columnsOfView(described, view.columns, org.epoch))
      // The user may have chosen a different list in the meantime.
      if (object.value !== described || listView.value !== view) return
      // A deploy of something else leaves the page as it is; what it computes is read again.
      if (JSON.stringify(found) === JSON.stringify(columns.value)) await read()
      else {
        finish()
        columns.value = found
      }
    },
    { immediate: true },
  )
  watch([list, address.page], () => void read(), { immediate: true })
  useLiveRecords(
    () => object.value?.key ?? '',
    () => (filterFault.value === '' ? read() : Promise.resolve()),
  )

  function forward(): void {
    if (next.value === null) return
    const { cursors } = positions.of(list.value)
    positions.keep(list.value, { cursors: [...cursors.slice(0, page.value - 1), next.value] })
    address.change({ page: String(page.value + 1) })
  }
  const back = (): void => address.change({ page: page.value > 2 ? String(page.value - 1) : '' })

  return {
    ...{
      address,
      columns,
      records,
      next,
      page,
      failure,
      warnings,
      filterFault,
      reading,
      listView,
      filter,
      search,
    },
    ...{ matchFields, orderBy, query, shownList, reads, readPage, read, showWaiting, forward, back },
  }
}
