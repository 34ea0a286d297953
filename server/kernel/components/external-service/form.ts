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
          help: 'The endpoint of the operations.',
          widget: 'reference',
          required: true,
          refTypes: ['named_credential'],
        },
        {
          path: 'spec',
          label: 'Description',
          help: 'The OpenAPI description that the operations are generated from.',
          widget: 'group',
          required: true,
          fields: [
            {
              path: 'format',
              label: 'Format',
              help: 'The format of the description.',
              widget: 'select',
              required: true,
              options: [{ value: 'openapi_3_1', label: 'OpenAPI 3.1' }],
            },
            {
              path: 'source',
              label: 'Source',
              help: 'The URL of the description, or the description itself as JSON or YAML.',
              widget: 'document',
              required: true,
            },
            {
              path: 'hash',
              label: 'Hash',
              help: 'Set at import. A later import with a different hash is checked.',
              widget: 'text',
            },
          ],
        },
        {
          path: 'operations',
          label: 'Operations',
          help: 'The operations to generate: the operationId, or method and path. If omitted, all operations.',
          widget: 'list',
        },
        {
          path: 'grantedTo',
          label: 'Granted to',
          help: 'Permission sets whose holders can call its operations. If empty, nobody can.',
          widget: 'references',
          refTypes: ['permission_set'],
        },
        {
          path: 'onSpecDrift',
          label: 'When signatures change',
          help: 'What happens if a new import changes a generated signature.',
          widget: 'select',
          options: [
            { value: 'fail', label: 'Reject the deploy' },
            { value: 'warn', label: 'Regenerate and record it' },
          ],
        },
      ],
    },
  ],
}
