// The sources without the element.
import { arraySource, type LookupSearch } from '@almanac/lookup-field/sources'

const search: LookupSearch = arraySource([{ id: '1', name: 'Ada' }], { value: 'id', label: 'name' })
document.querySelector('output')!.textContent = typeof search
