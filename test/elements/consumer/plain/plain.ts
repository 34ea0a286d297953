// The element in a plain page: its types allow what a page does with it, and nothing else.
import {
  arraySource,
  setLookupWords,
  SvcLookupField,
  type LookupChange,
  type LookupOption,
  type LookupSearch,
} from '@almanac/lookup-field'

const output = document.querySelector('output')!
const field = document.querySelector('svc-lookup-field')!
const people = [
  { id: '1', name: 'Ada' },
  { id: '2', name: 'Grace' },
]
const search: LookupSearch = arraySource(people, { value: 'id', label: 'name' })
field.search = search
setLookupWords({ placeholder: 'Find…' })
field.addEventListener('svc-lookup-change', ({ detail }) => {
  const { value, label }: LookupChange = detail
  output.textContent = `${value} ${label}`
})
field.addEventListener('svc-lookup-clear', ({ detail }) => {
  const nothing: null = detail
  output.textContent = `cleared ${nothing}`
})
document.querySelector('form')!.addEventListener('submit', (event) => {
  event.preventDefault()
  output.textContent = `sent ${String(new FormData(event.target as HTMLFormElement).get('author'))}`
})
// Listens on an ancestor, because the events bubble.
document.addEventListener('svc-lookup-change', ({ detail }) => void (detail.value satisfies string))
document.addEventListener('svc-lookup-error', ({ detail }) => void (detail.error satisfies unknown))
window.addEventListener('svc-lookup-clear', ({ detail }) => void (detail satisfies null))
// Optional properties of a record can be undefined.
export const rows = (second: string | undefined): LookupOption[] => [
  { value: '1', label: 'Ada', sublabel: second },
]
export const known: [boolean, boolean, string | null, string | null] = [
  field instanceof SvcLookupField,
  field.open,
  field.value,
  field.display,
]
field.setCustomValidity('')
// A source can know a name by its id.
export const resolving: LookupSearch = Object.assign(() => [], {
  resolve: async (value: string) => ({ value, label: `Name of ${value}` }),
})
field.focus({ preventScroll: true })

// @ts-expect-error -- open is read-only
field.open = true
// @ts-expect-error -- a row has no such field
arraySource(people, { value: 'id', label: 'nam' })
// @ts-expect-error -- a source returns options
field.search = () => 'Ada'
