import { useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { arraySource, type SvcLookupField } from '@almanac/lookup-field'
import type {} from '@almanac/lookup-field/react'

const people = [
  { id: '1', name: 'Ada' },
  { id: '2', name: 'Grace' },
]
const search = arraySource(people, { value: 'id', label: 'name' })

function App() {
  const [pointed, setPointed] = useState<{ value: string; label: string } | null>({
    value: '1',
    label: 'Ada',
  })
  const [told, setTold] = useState('')
  const field = useRef<SvcLookupField>(null)
  return (
    <>
      <form id="f" action={(data) => setTold(`sent ${String(data.get('author'))}`)}>
        <button>Send</button>
      </form>
      <svc-lookup-field
        ref={field}
        mode="edit"
        label="Author"
        form="f"
        name="author"
        search-delay={0}
        search={search}
        value={pointed?.value ?? null}
        display={pointed?.label ?? null}
        required
        disabled={false}
        onsvc-lookup-change={({ detail }) => {
          setPointed(detail)
          setTold(`${detail.value} ${detail.label}`)
        }}
        onsvc-lookup-clear={() => {
          setPointed(null)
          setTold(`cleared ${field.current?.value}`)
        }}
      />
      <output>{told}</output>
    </>
  )
}

// @ts-expect-error -- a mode that does not exist
export const wrong = <svc-lookup-field mode="write" />
// @ts-expect-error -- the event carries { value, label }
export const mistaken = <svc-lookup-field onsvc-lookup-change={({ detail }) => detail.id} />

createRoot(document.querySelector('#app')!).render(<App />)
