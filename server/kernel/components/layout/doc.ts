// Help on layouts.
import type { ComponentDoc } from '../define.ts'

export const layoutDoc: ComponentDoc = {
  summary: 'A layout arranges the record page of an object in sections.',
  text: `Each section contains fields of the object, and elements such as **lookup_field**, which shows a reference and changes it through a search.

The inputs of an element are the values of its attributes; the page provides functions. **field** of a lookup field is the reference that it changes; without it, the reference whose key is the id of the item. **via** of a list view is the reference of the listed records that names the record of the page.

If an object has several layouts, the first by key is shown, and the user can choose another one, or all fields.`,
  example: {
    object: 'invoice',
    sections: [
      {
        id: 'main',
        section: 'Invoice',
        columns: 2,
        items: [
          { id: 'number', type: 'field', key: 'number' },
          {
            id: 'customer',
            type: 'component',
            key: 'lookup_field',
            inputs: { mode: 'edit', label: 'Customer', minChars: 2, matchFields: 'name,city' },
          },
        ],
      },
    ],
  },
}
