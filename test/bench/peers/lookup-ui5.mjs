// UI5's combo box: one item element per row, filtered by the component.
import '@ui5/webcomponents/dist/ComboBox.js'
import '@ui5/webcomponents/dist/ComboBoxItem.js'
import { side } from '../lookup/side.mjs'

let field

side({
  mount(host, rows) {
    field = document.createElement('ui5-combobox')
    field.setAttribute('filter', 'Contains')
    for (const { value, label } of rows) {
      const item = document.createElement('ui5-cb-item')
      item.setAttribute('text', label)
      item.setAttribute('value', value)
      field.append(item)
    }
    host.append(field)
  },
  input: () => field.shadowRoot.querySelector('input'),
  options: () => [...field.querySelectorAll('ui5-cb-item')].filter((each) => each.checkVisibility()),
  text: (item) => item.getAttribute('text'),
  count: () => field._filteredItems.filter((each) => each._isVisible).length,
})
