// The element from a plain page: its types hold what a page does with it, and what it may not.
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
// Heard around it, as they bubble.
document.addEventListener('svc-lookup-change', ({ detail }) => void (detail.value satisfies string))
window.addEventListener('svc-lookup-clear', ({ detail }) => void (detail satisfies null))
// What a record may leave out may be undefined.
export const rows = (second: string | undefined): LookupOption[] => [
  { value: '1', label: 'Ada', sublabel: second },
]
export const known: [boolean, boolean, string | null, string | null] = [
  field instanceof SvcLookupField,
  field.open,
  field.value,
  field.display,
]
field.focus({ preventScroll: true })

// @ts-expect-error -- open is read-only
field.open = true
// @ts-expect-error -- a row has no such field
arraySource(people, { value: 'id', label: 'nam' })
// @ts-expect-error -- a source answers options
field.search = () => 'Ada'
