// Vaadin's combo box: it filters its items itself, and renders the visible ones.
import '@vaadin/combo-box'
import { side } from '../lookup/side.mjs'

let field

side({
  mount(host, rows) {
    field = document.createElement('vaadin-combo-box')
    Object.assign(field, { label: 'Customer', items: rows, itemLabelPath: 'label', itemValuePath: 'value' })
    host.append(field)
  },
  input: () => field.inputElement,
  options: () => [...document.querySelectorAll('vaadin-combo-box-item')].filter((each) => !each.hidden),
  count: () => field.filteredItems.length,
})
