// Form of an external service.
import type { FormDescriptor } from '../form.ts'

export const externalServiceForm: FormDescriptor = {
  sections: [
    {
      title: 'Service',
      fields: [
        {
          path: 'namedCredential',
          label: 'Endpoint',
          help: 'Where its operations are called.',
          widget: 'reference',
          required: true,
          refTypes: ['named_credential'],
        },
        {
          path: 'spec',
          label: 'Description',
          help: 'The OpenAPI description that operations are generated from.',
          widget: 'group',
          required: true,
          fields: [
            {
              path: 'format',
              label: 'Format',
              help: 'OpenAPI 3.1.',
              widget: 'select',
              required: true,
              options: [{ value: 'openapi_3_1', label: 'OpenAPI 3.1' }],
            },
            {
              path: 'source',
              label: 'Source',
              help: 'Where the description came from, or the description itself.',
              widget: 'json',
              required: true,
            },
            {
              path: 'hash',
              label: 'Hash',
              help: 'Fixed at import; a later import with another one is checked.',
              widget: 'text',
            },
          ],
        },
        {
          path: 'operations',
          label: 'Operations',
          help: 'Which operations to generate; all of them unless some are named.',
          widget: 'list',
        },
        {
          path: 'onSpecDrift',
          label: 'When signatures change',
          help: 'What a new import does that changes a generated signature.',
          widget: 'select',
          options: [
            { value: 'fail', label: 'Refuse the deploy' },
            { value: 'warn', label: 'Regenerate and record it' },
          ],
        },
      ],
    },
  ],
}
