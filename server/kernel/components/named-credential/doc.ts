// Help on named credentials.
import type { ComponentDoc } from '../define.ts'

export const namedCredentialDoc: ComponentDoc = {
  summary: 'A named credential is an endpoint that the platform can call, with its identity and its limits.',
  text: `Calls use its key, never a URL. It defines the URL, the principal of an external credential, the timeout of an attempt, the retries, and when the circuit breaker stops calling.

By default, there are four attempts of at most 5 seconds each, with doubling pauses and jitter.

Calls that automations enqueue are sent to it after their save.`,
  example: {
    url: 'https://ledger.example.com/api',
    externalCredential: 'ledger_login',
    principal: 'service',
    timeoutMs: 8000,
    retry: { attempts: 3 },
  },
}
