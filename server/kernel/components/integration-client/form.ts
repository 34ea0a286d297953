// Form of a registered integration client.
import type { FormDescriptor } from '../form.ts'

export const integrationClientForm: FormDescriptor = {
  sections: [
    {
      title: 'Identity',
      fields: [
        {
          path: 'authScheme',
          label: 'Authentication',
          help: 'How the client authenticates.',
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
          help: 'The user whose permission sets decide what the client can do.',
          widget: 'text',
          required: true,
        },
        {
          path: 'jwks',
          label: 'Public keys',
          help: 'The keys that verify its assertions. Public parts only.',
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
          help: 'Numbers, or percentages of the org’s limit (500 a second, bursts of 1,000, 50 at once), such as 10%. Requests above the limit are refused.',
          widget: 'group',
          fields: [
            {
              path: 'sustained',
              label: 'Per second',
              help: 'The sustained number of requests per second.',
              widget: 'text',
            },
            {
              path: 'burst',
              label: 'Burst',
              help: 'The number of requests that are allowed at once after a pause.',
              widget: 'text',
            },
            {
              path: 'concurrency',
              label: 'Concurrent',
              help: 'The maximum number of requests at the same time.',
              widget: 'text',
            },
          ],
        },
        {
          path: 'deprecationWindowDays',
          label: 'Deprecation window (days)',
          help: 'A field that the client used within this many days cannot be removed without confirmation.',
          widget: 'number',
        },
      ],
    },
  ],
}
