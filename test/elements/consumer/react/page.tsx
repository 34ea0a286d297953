// The component, as the README shows it; rendered by the server or in the page.
import { useState } from 'react'
import { LookupField } from '@almanac/lookup-field/react'
import { arraySource } from '@almanac/lookup-field/sources'

const people = [
  { id: '1', name: 'Ada' },
  { id: '2', name: 'Grace' },
]
const search = arraySource(people, { value: 'id', label: 'name' })

export function Page() {
  const [author, setAuthor] = useState<{ value: string; label: string } | null>({ value: '1', label: 'Ada' })
  const [told, setTold] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setTold(`sent ${String(new FormData(event.currentTarget).get('author'))}`)
      }}
    >
      <LookupField
        mode="edit"
        label="Author"
        name="author"
        className="wide"
        searchDelay={0}
        displayFields={['id', 'name']}
        search={search}
        value={author?.value ?? null}
        display={author?.label ?? null}
        required
        disabled={false}
        onChange={(chosen) => {
          setAuthor(chosen)
          setTold(`${chosen.value} ${chosen.label}`)
        }}
        onClear={() => {
          setAuthor(null)
          setTold('cleared')
        }}
      />
      <button>Send</button>
      <output>{told}</output>
    </form>
  )
}

// @ts-expect-error -- a mode that does not exist
export const wrong = <LookupField mode="write" />
// @ts-expect-error -- the chosen record is { value, label }
export const mistaken = <LookupField onChange={(chosen) => chosen.id} />
// @ts-expect-error -- the element draws its own content
export const filled = <LookupField>Ada</LookupField>
// @ts-expect-error -- omit value to let the field keep its own
export const begun = <LookupField defaultValue="1" />
