// The filter of a list, which is in the address of its page: what the list, its actions and a link share.
import { computed, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue'
import { useRoute, useRouter, type LocationQuery } from 'vue-router'

interface AddressFields<F> {
  /** Kept while a different page is shown in this pane. */
  fields: ShallowRef<F>
  search(more: Partial<F>): void
  isFiltered: ComputedRef<boolean>
}

interface FieldsOfPage<F> {
  /** Of the list; a page below it can show an item beside it. */
  path: string
  fieldsOf(query: LocationQuery): F
  addressOf(fields: F): LocationQuery
  /** Whether the list is shown at a path below its own, too. */
  hasItems?: boolean
}

export function useAddressFields<F extends object>({
  path,
  fieldsOf,
  addressOf,
  hasItems = false,
}: FieldsOfPage<F>): AddressFields<F> {
  const route = useRoute()
  const router = useRouter()
  const isHere = (): boolean => route.path === path || (hasItems && route.path.startsWith(`${path}/`))
  const fields: ShallowRef<F> = shallowRef(fieldsOf(route.query))
  watch(
    () => (isHere() ? JSON.stringify(fieldsOf(route.query)) : null),
    (now) => {
      if (now !== null && now !== JSON.stringify(fields.value)) fields.value = fieldsOf(route.query)
    },
  )
  return {
    fields,
    search: (more) => void router.replace({ path, query: addressOf({ ...fields.value, ...more }) }),
    isFiltered: computed(() => Object.keys(addressOf(fields.value)).length > 0),
  }
}
