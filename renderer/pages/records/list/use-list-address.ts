// What the URL of a list of records contains: its list view, filter, search, order and page.
import { computed } from 'vue'
import { useRoute, useRouter } from 'vue-router'

const names = { view: 'view', filter: 'filter', search: 'q', order: 'order', page: 'page' } as const
export type ListParameter = keyof typeof names

export function useListAddress() {
  const route = useRoute()
  const router = useRouter()
  const textOf = (parameter: ListParameter): string => {
    const text = route.query[names[parameter]]
    return typeof text === 'string' ? text : ''
  }
  const view = computed(() => textOf('view'))
  const filter = computed(() => textOf('filter'))
  const search = computed(() => textOf('search').trim())
  const order = computed(() => {
    const [field = '', dir = 'asc'] = textOf('order').split(':')
    return field === '' ? null : { field, dir: dir === 'desc' ? ('desc' as const) : ('asc' as const) }
  })
  const page = computed(() => {
    const number = Number(textOf('page') || '1')
    return Number.isSafeInteger(number) && number > 0 ? number : 1
  })

  /** Any other list begins with its first page. An empty text removes its parameter. */
  function change(parts: Partial<Record<ListParameter, string>>): void {
    const query = { ...route.query }
    for (const [parameter, text] of Object.entries({ page: '', ...parts })) {
      const name = names[parameter as ListParameter]
      if (text === '') delete query[name]
      else query[name] = text
    }
    void router.replace({ query })
  }

  return { view, filter, search, order, page, change }
}
