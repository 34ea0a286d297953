import { expect, it } from 'vitest'
import { markupOf, scriptOf, textOf } from './markup.ts'

it('is one line while that is short, and one attribute a line then', () => {
  expect(textOf(markupOf({ mode: 'edit', required: '' }))).toBe(
    '<svc-lookup-field mode="edit" required></svc-lookup-field>',
  )
  const long = { mode: 'edit', label: 'Customer of the invoice', 'display-fields': 'country,vat_id,city' }
  expect(textOf(markupOf(long)).split('\n')).toEqual([
    '<svc-lookup-field',
    '  mode="edit"',
    '  label="Customer of the invoice"',
    '  display-fields="country,vat_id,city"',
    '></svc-lookup-field>',
  ])
})

it('writes no value that would end its attribute or begin an element', () => {
  expect(textOf(markupOf({ label: '"><b> & co' }))).toContain('label="&quot;>&lt;b> &amp; co"')
})

it('imports what the source uses, and no more', () => {
  expect(scriptOf("field.search = fetchSource('/x')")).toMatch(
    /^import \{ fetchSource \} from '\.\/index\.js'/,
  )
  expect(scriptOf('field.search = () => []')).toMatch(/^import '\.\/index\.js'/)
})
