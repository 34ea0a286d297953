// Widths of the columns of a grid: measured when a page of records is first shown, and kept while its cells are edited.
import { nextTick, ref, watch, type Ref } from 'vue'

/**
 * @param page changes if the columns or the records of the page do
 * @returns null while the table measures itself
 */
export function useFixedWidths(
  table: Readonly<Ref<HTMLTableElement | undefined>>,
  page: () => string,
): Readonly<Ref<number[] | null>> {
  const widths = ref<number[] | null>(null)
  watch(
    page,
    async (now) => {
      widths.value = null
      await nextTick()
      if (page() !== now || table.value === undefined) return
      const heads = [...table.value.querySelectorAll('th')]
      widths.value = heads.map((head) => head.getBoundingClientRect().width)
    },
    { immediate: true, flush: 'post' },
  )
  return widths
}
