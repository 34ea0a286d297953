import { describe, expect, it } from 'vitest'
import { arraySource, fetchSource } from '../../../elements/index.ts'
import { scriptOf } from './markup.ts'
import { noSource, sourcesOver } from './sources.ts'

const { org, samples } = sourcesOver([{ key: 'vat_rate', label: 'VAT', keyedBy: 'territory' }])

describe('the script to copy', () => {
  it.each([...org, ...samples, noSource('keys:none')].map(({ id, script }) => [id, script]))(
    'of %s runs unchanged, including the listeners',
    (_id, script) => {
      const heard: string[] = []
      const field = { addEventListener: (name: string) => heard.push(name), search: undefined }
      const lines = scriptOf(script).replace(/^import .*$/m, '')
      const run = new Function('document', 'arraySource', 'fetchSource', lines) as (
        ...given: unknown[]
      ) => void
      run({ querySelector: () => field }, arraySource, fetchSource)
      expect(heard).toEqual(['svc-lookup-change', 'svc-lookup-clear'])
      expect(field.search).not.toBeUndefined()
    },
  )
})
