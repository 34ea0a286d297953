// Our field, with the source over rows that the page holds.
import { arraySource } from '@almanac/lookup-field'
import { side } from './side.mjs'

let field

side({
  mount(host, rows) {
    field = document.createElement('svc-lookup-field')
    for (const [name, value] of [
      ['mode', 'edit'],
      ['label', 'Customer'],
      ['search-delay', '0'],
    ])
      field.setAttribute(name, value)
    field.search = arraySource(rows, { value: 'value', label: 'label', page: rows.length })
    host.append(field)
  },
  input: () => field.shadowRoot.querySelector('input'),
  options: () => [...field.shadowRoot.querySelectorAll('[part=option]')],
  text: (option) => option.querySelector('.name').textContent,
  count: () => Number(field.shadowRoot.querySelector('[part=option]').getAttribute('aria-setsize')),
})
