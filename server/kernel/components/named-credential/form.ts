// Form of a named credential.
import type { FormDescriptor } from '../form.ts'

export const namedCredentialForm: FormDescriptor = {
  sections: [
    {
      title: 'Endpoint',
      fields: [
        {
          path: 'url',
          label: 'URL',
          help: 'Where calls go. The URL is deployed with the component; secrets are not.',
          widget: 'text',
          required: true,
          placeholder: 'https://api.example.com/v1',
        },
        {
          path: 'externalCredential',
          label: 'Credential',
          help: 'How calls authenticate.',
          widget: 'reference',
          required: true,
          refTypes: ['external_credential'],
        },
        {
          path: 'principal',
          label: 'Principal',
          help: 'The identity of the calls: one of the principals of the credential.',
          widget: 'text',
          required: true,
        },
      ],
    },
    {
      title: 'Timeout and retries',
      fields: [
        {
          path: 'timeoutMs',
          label: 'Timeout (ms)',
          help: 'The maximum duration of one attempt: at most 60,000 for a synchronous call, 300,000 after a commit.',
          widget: 'number',
        },
        {
          path: 'retry',
          label: 'Retry',
          help: 'What happens when an attempt fails. POST is retried only with an idempotency key.',
          widget: 'group',
          fields: [
            {
              path: 'attempts',
              label: 'Attempts',
              help: 'The total number, including the first.',
              widget: 'number',
            },
            {
              path: 'backoff',
              label: 'Pause',
              help: 'Doubled after each attempt, or always the same.',
              widget: 'select',
              options: [
                { value: 'exponential', label: 'Doubling' },
                { value: 'fixed', label: 'The same' },
              ],
            },
            {
              path: 'baseMs',
              label: 'First pause (ms)',
              help: 'The wait before the second attempt.',
              widget: 'number',
            },
            {
              path: 'jitter',
              label: 'Jitter',
              help: 'Pauses vary at random, so that callers do not all retry at the same time.',
              widget: 'switch',
            },
            {
              path: 'retryOn',
              label: 'Retry after',
              help: 'The failures that are retried.',
              widget: 'multiselect',
              options: [
                { value: 'timeout', label: 'Timeout' },
                { value: 'connection', label: 'No connection' },
                { value: 'http_429', label: 'Too many requests (429)' },
                { value: 'http_5xx', label: 'Server error (5xx)' },
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
              help: 'The number of failures that opens the breaker.',
              widget: 'number',
            },
            {
              path: 'windowSec',
              label: 'Within (s)',
              help: 'The time window in which failures are counted.',
              widget: 'number',
            },
            {
              path: 'openSec',
              label: 'Open for (s)',
              help: 'How long calls are blocked before one is tried again.',
              widget: 'number',
            },
          ],
        },
        {
          path: 'budget',
          label: 'Budget',
          help: 'Limits on the load of the endpoint.',
          widget: 'group',
          fields: [
            {
              path: 'concurrency',
              label: 'Concurrent calls',
              help: 'The maximum number of calls at the same time.',
              widget: 'number',
            },
            {
              path: 'requestsPerMinute',
              label: 'Calls per minute',
              help: 'The maximum number of calls in one minute.',
              widget: 'number',
            },
          ],
        },
      ],
    },
  ],
}
