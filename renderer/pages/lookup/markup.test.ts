import { expect, it } from 'vitest'
import { markupOf, scriptOf, textOf } from './markup.ts'

it('a short element is one line, and a long one has one attribute per line', () => {
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

it('no value ends its attribute or starts an element', () => {
  expect(textOf(markupOf({ label: '"><b> & co' }))).toContain('label="&quot;>&lt;b> &amp; co"')
})

it('the imports are those that the source needs, and no others', () => {
  expect(scriptOf("field.search = fetchSource('/x')")).toMatch(
    /^import \{ fetchSource \} from '\.\/index\.js'/,
  )
  expect(scriptOf('field.search = () => []')).toMatch(/^import '\.\/index\.js'/)
})
