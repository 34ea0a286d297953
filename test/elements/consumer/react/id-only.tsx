// A page that keeps only the id: its source knows the names.
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { LookupField } from '@almanac/lookup-field/react'
import { arraySource, type LookupSearch } from '@almanac/lookup-field/sources'

const people = [
  { id: '1', name: 'Ada' },
  { id: '2', name: 'Grace' },
]
const inner = arraySource(people, { value: 'id', label: 'name', href: ({ id }) => `/people/${id}` })
const asked: string[] = []
const search: LookupSearch = Object.assign((...given: Parameters<LookupSearch>) => inner(...given), {
  resolve: (...given: Parameters<NonNullable<LookupSearch['resolve']>>) => {
    asked.push(given[0])
    return inner.resolve?.(...given)
  },
})

function App() {
  const [value, setValue] = useState<string | null>('1')
  const [renders, setRenders] = useState(0)
  return (
    <>
      <LookupField
        mode="edit"
        label="Author"
        searchDelay={0}
        search={search}
        value={value}
        display={null}
        onChange={(chosen) => setValue(chosen.value)}
        onClear={() => setValue(null)}
      />
      <button onClick={() => setRenders((count) => count + 1)}>Render again</button>
      <output>{`${renders} renders, value ${value}, asked for ${asked.join()}`}</output>
    </>
  )
}

createRoot(document.querySelector('#app')!).render(<App />)
