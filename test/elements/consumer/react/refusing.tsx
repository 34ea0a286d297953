// A page that ignores both a selection and a clear.
import { createRoot } from 'react-dom/client'
import { LookupField } from '@almanac/lookup-field/react'
import { arraySource } from '@almanac/lookup-field/sources'

const search = arraySource([{ id: '2', name: 'Grace' }], { value: 'id', label: 'name', href: () => '/2' })

createRoot(document.querySelector('#app')!).render(
  <LookupField
    mode="edit"
    label="Author"
    searchDelay={0}
    search={search}
    value="1"
    display="Ada"
    href="/people/1"
  />,
)
