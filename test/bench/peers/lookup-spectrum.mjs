// Spectrum Web Components' combobox, with the theme that it needs.
import '@spectrum-web-components/theme/sp-theme.js'
import '@spectrum-web-components/theme/scale-medium.js'
import '@spectrum-web-components/theme/theme-light.js'
import '@spectrum-web-components/combobox/sp-combobox.js'
import { side } from '../lookup/side.mjs'

let field

side({
  mount(host, rows) {
    const theme = document.createElement('sp-theme')
    for (const [name, value] of [['system', 'spectrum'], ['color', 'light'], ['scale', 'medium']]) theme.setAttribute(name, value)
    field = document.createElement('sp-combobox')
    field.setAttribute('label', 'Customer')
    field.autocomplete = 'list'
    field.options = rows.map(({ value, label }) => ({ value, itemText: label }))
    theme.append(field)
    host.append(theme)
  },
  input: () => field.shadowRoot.querySelector('input'),
  options: () => [...field.shadowRoot.querySelectorAll('sp-menu-item')],
  count: () => field.availableOptions.length,
})
