// Form of a registered integration client.
import type { FormDescriptor } from '../form.ts'

export const integrationClientForm: FormDescriptor = {
  sections: [
    {
      title: 'Identity',
      fields: [
        {
          path: 'authScheme',
          label: 'Proves itself by',
          help: 'How the client shows who it is.',
          widget: 'select',
          required: true,
          options: [
            { value: 'oauth2_client_credentials', label: 'OAuth 2: client credentials' },
            { value: 'oauth2_jwt_bearer', label: 'OAuth 2: signed assertion' },
            { value: 'api_key', label: 'API key' },
          ],
        },
        {
          path: 'runAs',
          label: 'Runs as',
          help: 'The user whose permission sets decide what it may do.',
          widget: 'text',
          required: true,
        },
        {
          path: 'jwks',
          label: 'Public keys',
          help: 'The keys that its assertions are signed with, public parts only.',
          widget: 'json',
          fields: [{ path: 'keys', label: 'Keys', help: 'A list of JSON Web Keys.', widget: 'json' }],
          when: { path: 'authScheme', in: ['oauth2_jwt_bearer'] },
        },
      ],
    },
    {
      title: 'Limits',
      fields: [
        {
          path: 'rateLimit',
          label: 'Rate limit',
          help: 'Numbers, or shares of the org’s ceiling such as 10%. The limits are stored and not enforced yet.',
          widget: 'group',
          fields: [
            { path: 'sustained', label: 'Each second', help: 'Requests in the long run.', widget: 'text' },
            {
              path: 'burst',
              label: 'Burst',
              help: 'Requests that may come at once after a pause.',
              widget: 'text',
            },
            {
              path: 'concurrency',
              label: 'At once',
              help: 'Requests under way at the same time.',
              widget: 'text',
            },
          ],
        },
        {
          path: 'deprecationWindowDays',
          label: 'Deprecation window (days)',
          help: 'A field that the client used within so many days cannot be removed unasked.',
          widget: 'number',
        },
      ],
    },
  ],
}
