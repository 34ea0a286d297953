// Form of a layout.
import type { FormDescriptor } from '../form.ts'
import { sectionColumns } from '../placement-rules.ts'

export const layoutForm: FormDescriptor = {
  sections: [
    {
      title: 'Record page',
      fields: [
        {
          path: 'object',
          label: 'Object',
          help: 'The object whose records the page shows.',
          widget: 'reference',
          required: true,
          refTypes: ['object'],
        },
        {
          path: 'sections',
          label: 'Sections',
          help: 'The sections of the page, from top to bottom.',
          widget: 'grid',
          fields: sectionColumns,
        },
      ],
    },
  ],
}
