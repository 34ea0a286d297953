// Form of a named credential.
import type { FormDescriptor } from '../form.ts'

export const namedCredentialForm: FormDescriptor = {
  sections: [
    {
      title: 'Endpoint',
      fields: [
        {
          path: 'url',
          label: 'Address',
          help: 'Where calls go. It deploys; the token behind it does not.',
          widget: 'text',
          required: true,
          placeholder: 'https://api.example.com/v1',
        },
        {
          path: 'externalCredential',
          label: 'Credential',
          help: 'How a call proves who it comes from.',
          widget: 'reference',
          required: true,
          refTypes: ['external_credential'],
        },
        {
          path: 'principal',
          label: 'Principal',
          help: 'As whom it calls: one of the credential’s principals.',
          widget: 'text',
          required: true,
        },
      ],
    },
    {
      title: 'Patience',
      fields: [
        {
          path: 'timeoutMs',
          label: 'Timeout (ms)',
          help: 'How long one attempt may take: 60 000 for a synchronous call, 300 000 after a commit.',
          widget: 'number',
        },
        {
          path: 'retry',
          label: 'Retry',
          help: 'What happens when an attempt fails. POST is repeated only with an idempotency key.',
          widget: 'group',
          fields: [
            { path: 'attempts', label: 'Attempts', help: 'In all, the first included.', widget: 'number' },
            {
              path: 'backoff',
              label: 'Pause',
              help: 'Doubled each time, or always the same.',
              widget: 'select',
              options: [
                { value: 'exponential', label: 'Doubling' },
                { value: 'fixed', label: 'The same' },
              ],
            },
            {
              path: 'baseMs',
              label: 'First pause (ms)',
              help: 'Before the second attempt.',
              widget: 'number',
            },
            {
              path: 'jitter',
              label: 'Jitter',
              help: 'Pauses vary at random, so that callers do not return all at once.',
              widget: 'switch',
            },
            {
              path: 'retryOn',
              label: 'Repeat after',
              help: 'Which failures are tried again.',
              widget: 'multiselect',
              options: [
                { value: 'timeout', label: 'No answer in time' },
                { value: 'connection', label: 'No connection' },
                { value: 'http_429', label: 'Too many requests (429)' },
                { value: 'http_5xx', label: 'Failure of the server (5xx)' },
              ],
            },
          ],
        },
      ],
    },
    {
      title: 'Protection',
      fields: [
        {
          path: 'circuitBreaker',
          label: 'Circuit breaker',
          help: 'Stops calling an endpoint that keeps failing.',
          widget: 'group',
          fields: [
            {
              path: 'failureThreshold',
              label: 'Failures',
              help: 'So many open the breaker.',
              widget: 'number',
            },
            {
              path: 'windowSec',
              label: 'Within (s)',
              help: 'The time in which they are counted.',
              widget: 'number',
            },
            {
              path: 'openSec',
              label: 'Open for (s)',
              help: 'How long no call is made before one is tried.',
              widget: 'number',
            },
          ],
        },
        {
          path: 'budget',
          label: 'Budget',
          help: 'How much the endpoint is asked to bear.',
          widget: 'group',
          fields: [
            {
              path: 'concurrency',
              label: 'At once',
              help: 'Calls under way at the same time.',
              widget: 'number',
            },
            {
              path: 'requestsPerMinute',
              label: 'Each minute',
              help: 'Calls begun in one minute.',
              widget: 'number',
            },
          ],
        },
      ],
    },
  ],
}
