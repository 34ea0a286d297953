// Which columns of a wide grid are drawn: those in view and a few beside them. A grid with few columns draws all.
import { computed, onMounted, onScopeDispose, ref, watch, type ComputedRef, type Ref } from 'vue'
import type { FieldDescription } from '../../../api/records.ts'
import type { GridColumn } from '../grid-columns.ts'

/** From this many columns on, drawing all of them would take longer than a user waits. */
const leastColumns = 40
/** Drawn on each side of those in view, in pixels. */
const beside = 400

/** Columns are drawn in blocks, so that most steps draw nothing. */
const block = 8
const blockOf = (column: number): number => column - (column % block)

/** Pixels by type, because columns that are not drawn cannot be measured. */
const widthOf: Readonly<Record<FieldDescription['type'], number>> = {
  text: 190,
  number: 110,
  boolean: 80,
  date: 120,
  datetime: 190,
  enum: 140,
  reference: 190,
}

export interface ColumnWindow {
  /** Null for a grid that draws all columns. */
  widths: ComputedRef<number[] | null>
  /** Positions of the drawn columns, ascending. */
  drawn: ComputedRef<number[]>
  /** How many columns are left out before and after those. */
  gaps: ComputedRef<{ before: number; after: number }>
  /** Scrolls until a column is in view, and therefore drawn. */
  reveal(column: number): void
}

interface WindowDeps {
  table: Readonly<Ref<HTMLElement | undefined>>
  columns: Readonly<Ref<readonly GridColumn[]>>
  /** A column that stays drawn while its cell is edited; null if none. */
  edited: () => number | null
}

export function useColumnWindow({ table, columns, edited }: WindowDeps): ColumnWindow {
  const left = ref(0)
  const width = ref(0)
  const scroller = (): HTMLElement | null => table.value?.parentElement ?? null
  const widths = computed(() =>
    columns.value.length < leastColumns
      ? null
      : columns.value.map(({ field, label }) =>
          Math.max(widthOf[field.type], Math.min(label.length * 8, 260)),
        ),
  )
  /** Where each column begins, and where the last one ends. */
  const edges = computed(() => {
    const found = [0]
    for (const each of widths.value ?? []) found.push(found.at(-1)! + each)
    return found
  })
  // Numbers, so that a scroll within the same columns draws nothing again.
  const first = computed(() => {
    const near = edges.value.findIndex((_, at) => edges.value[at + 1]! > left.value - beside)
    return Math.min(blockOf(Math.max(near, 0)), edited() ?? Infinity)
  })
  const last = computed(() => {
    const near = edges.value.findLastIndex((edge) => edge < left.value + width.value + beside)
    const end = Math.min(blockOf(near) + block, columns.value.length) - 1
    return Math.max(end, edited() ?? 0)
  })
  const drawn = computed(() => {
    const all = columns.value.map((_, at) => at)
    return widths.value === null ? all : all.slice(first.value, last.value + 1)
  })
  const gaps = computed(() => ({
    before: drawn.value[0] ?? 0,
    after: columns.value.length - 1 - (drawn.value.at(-1) ?? columns.value.length - 1),
  }))

  function measure(): void {
    const element = scroller()
    if (element === null || widths.value === null) return
    left.value = element.scrollLeft
    width.value = element.clientWidth
  }
  const observer = new ResizeObserver(measure)
  const events = new AbortController()
  onMounted(() => {
    const element = scroller()
    if (element === null) return
    element.addEventListener('scroll', measure, { passive: true, signal: events.signal })
    observer.observe(element)
  })
  watch(widths, measure, { flush: 'post' })
  onScopeDispose(() => {
    events.abort()
    observer.disconnect()
  })

  function reveal(column: number): void {
    const element = scroller()
    if (element === null || widths.value === null) return
    const [start, end] = [edges.value[column]!, edges.value[column + 1]!]
    if (start < element.scrollLeft) element.scrollLeft = start
    else if (end > element.scrollLeft + element.clientWidth) element.scrollLeft = end - element.clientWidth
    measure()
  }

  return { widths, drawn, gaps, reveal }
}
