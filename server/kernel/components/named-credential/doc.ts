// Help on named credentials.
import type { ComponentDoc } from '../define.ts'

export const namedCredentialDoc: ComponentDoc = {
  summary: 'A named credential is an endpoint that the platform may call, with its identity and its limits.',
  text: `Calls name its key, never an address. It says where calls go, as which principal of which external credential, how long an attempt may take, how failures are repeated, and when the circuit breaker stops calling.

By default an attempt takes at most 5 seconds and there are four of them, with doubling pauses and jitter.`,
  example: {
    url: 'https://ledger.example.com/api',
    externalCredential: 'ledger_login',
    principal: 'service',
    timeoutMs: 8000,
    retry: { attempts: 3 },
  },
}
