// The rows of a long change list that are drawn: the visible ones, and the one that has the focus.
import { useVirtualizer, defaultRangeExtractor } from '@tanstack/vue-virtual'
import { computed, onMounted, ref, watch, type ComputedRef, type Ref } from 'vue'
import type { ComponentId } from '../../api/wire.ts'
import type { ListRow } from './list-rows.ts'

export interface VirtualRowDeps {
  rows: ComputedRef<readonly ListRow[]>
  /** The position of the row that has the focus: it stays drawn, so that the focus is not lost while scrolling. */
  pinned: ComputedRef<number>
  scroller: Ref<HTMLElement | null>
  /** The number of lines below a change that show its findings and writers. */
  noteCount(id: ComponentId): number
  /** The positions of the change list that are visible. */
  onVisibleRange(from: number, to: number): void
}

const headHeight = 26
const groupHeight = 31
const noteHeight = 29

export function useVirtualRows({ rows, pinned, scroller, noteCount, onVisibleRange }: VirtualRowDeps) {
  /** The heights that the style sets: a correct estimate need not be measured again. */
  const rowHeight = ref(28)

  const virtualizer = useVirtualizer(
    computed(() => {
      const [focused, count] = [pinned.value, rows.value.length]
      return {
        count,
        getScrollElement: () => scroller.value,
        estimateSize: (at: number) => heightOf(at),
        getItemKey: (at: number) => rows.value[at]?.id ?? at,
        overscan: 6,
        scrollMargin: headHeight,
        scrollPaddingStart: headHeight,
        rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
          const visible = defaultRangeExtractor(range)
          return visible.includes(focused) || focused >= count
            ? visible
            : [...visible, focused].sort((a, b) => a - b)
        },
      }
    }),
  )

  function heightOf(at: number): number {
    const row = rows.value[at]
    return row?.kind === 'change' ? rowHeight.value + noteHeight * noteCount(row.id) : groupHeight
  }

  onMounted(() => {
    const height = getComputedStyle(document.documentElement).getPropertyValue('--svc-row')
    rowHeight.value = Number.parseFloat(height) || rowHeight.value
  })
  const items = computed(() => virtualizer.value.getVirtualItems())
  const measure = (element: unknown): void => {
    if (element instanceof HTMLElement) virtualizer.value.measureElement(element)
  }

  watch(
    [items, rows],
    () => {
      // The row that is drawn because it has the focus can be far outside the visible part.
      const { startIndex, endIndex } = virtualizer.value.range ?? { startIndex: 0, endIndex: -1 }
      const visible = items.value.flatMap(({ index }) => {
        const row = rows.value[index]
        return row?.kind === 'change' && index >= startIndex && index <= endIndex ? [row.change.at] : []
      })
      if (visible.length > 0) onVisibleRange(Math.min(...visible), Math.max(...visible) + 1)
    },
    { immediate: true },
  )

  return { headHeight, rowHeight, virtualizer, items, measure }
}
