// Calls to a target on this machine, next to the same calls with undici alone.
import { join } from 'node:path'
import { Pool } from 'undici'
import { createCallouts, type Callout, type Callouts } from '../../../server/callouts/index.ts'
import { limitsOf } from '../../../server/compose/open-callouts.ts'
import { createCallGrants } from '../../../server/credentials/index.ts'
import type { CalloutTransport } from '../../../server/ports/callout-transport.ts'
import { mintOutsideTransaction } from '../../../server/ports/outside-transaction.ts'
import { systemRandom, systemTimer, undiciCallouts } from '../../../server/system/index.ts'
import { roundsOf, timingOf } from '../support/compare.ts'
import { credential, outgoingOrg, user, type OutgoingOrg } from '../support/outgoing-org.ts'
import type { Part } from '../support/part.ts'
import { serve } from '../support/served.ts'
import { rated } from '../support/turns.ts'
import { unobserved } from '../../support/unobserved.ts'

const inFlight = 20
/** All turns are within one minute: their calls must not use up its budget, on a fast machine either. */
const turnMs = 1000
const rounds = 9
const least = 0.8
const answer = '{"state":"done"}'

export const calloutsPart: Part = {
  name: 'callouts',
  title: 'Calls to a target',
  async run({ folder, say }) {
    const target = await serve('target-server', '0')
    const pool = new Pool(target.url)
    const transport = undiciCallouts(() => null)
    const outgoing = await outgoingOrg(join(folder, 'org'), target.url, 3 * inFlight)
    try {
      const whole = outgoing.engines.outside().callouts
      const alone = executorAlone(outgoing, transport)
      const sides = [callsOf(outgoing, whole), callsOf(outgoing, alone), bare(pool)]
      const rates = sides.map((): number[] => [])
      for (let round = 0; round <= roundsOf(rounds); round += 1) {
        say(`calls, ${round} of ${roundsOf(rounds)}`)
        // What a turn leaves behind, such as events to write, affects all of them equally.
        for (let turn = 0; turn < sides.length; turn += 1) {
          const at = (round + turn) % sides.length
          const rate = await rateOf(sides[at]!)
          // The first turn warms up.
          if (round > 0) rates[at]!.push(rate)
        }
      }
      await alone.close()
      const [ours, withoutSecret, theirs] = rates.map((each) => timingOf('', each).ms)
      const work = `calls a second, ${inFlight} in flight`
      return {
        lines: [
          {
            ...{ what: 'call with budget and circuit breaker', work },
            ...rated(withoutSecret!, 'bare undici', theirs!, least),
          },
          {
            what: 'the same with a secret of the vault',
            work,
            ...rated(ours!, 'bare undici', theirs!, least),
          },
        ],
        notes,
      }
    } finally {
      await pool.close()
      await transport.close()
      await outgoing.close()
      await target.stop()
    }
  },
}

const notes = [
  `Both sides are in one process and take turns of ${turnMs / 1000} s, and each begins as often as the others; the target is a process of its own. Each call is a PUT with a JSON body, whose response is read whole and compared.`,
  'Ours checks the grant of the user, asks the circuit breaker, takes from the budget of 1,000,000 requests a minute, reads the secret from the vault and decrypts it, all for each call, and searches the response for the secret. Bare undici sends the same headers with `Pool.request`. The first row is the same executor with an authentication that adds a fixed header.',
]

type Call = (n: number) => Promise<string>

/** Grant, circuit breaker, budget and retries, as in the whole. */
function executorAlone({ org }: OutgoingOrg, transport: CalloutTransport): Callouts {
  const { store, clock, ids } = org
  return createCallouts({
    ...{ transport, clock, ids, timer: systemTimer, random: systemRandom, limits: limitsOf(org) },
    grants: createCallGrants({ store }),
    authentication: {
      authenticate: async ({ url, headers }) => ({
        ...{ url, headers: { ...headers, 'x-key': 'a-secret' }, redact: (text) => text },
      }),
    },
    observer: unobserved,
  })
}

function callsOf({ org }: OutgoingOrg, executor: Callouts): Call {
  const capability = mintOutsideTransaction()
  return async (n) => {
    const { body } = org.pin().view.get('named_credential', credential)!
    const call: Callout = {
      ...{ credential: { key: credential, body }, actor: user, correlationId: 'c', method: 'PUT' },
      ...{ path: '/orders/{number}', pathParams: { number: String(n % 1000) } },
      body: { bytes: Buffer.from(`{"number":"${n}"}`), mediaType: 'application/json' },
      idempotencyKey: { value: `key-${n}`, isDeclared: true },
    }
    const response = await executor.execute(capability, call)
    return Buffer.from(response.body).toString()
  }
}

function bare(pool: Pool): Call {
  return async (n) => {
    const headers = {
      ...{ 'content-type': 'application/json', 'x-key': 'a-secret', 'x-correlation-id': 'c' },
      ...{ 'idempotency-key': `key-${n}`, 'accept-encoding': 'gzip' },
    }
    const body = Buffer.from(`{"number":"${n}"}`)
    const response = await pool.request({ path: `/orders/${n % 1000}`, method: 'PUT', headers, body })
    return response.body.text()
  }
}

/** Calls a second. */
async function rateOf(call: Call): Promise<number> {
  const started = performance.now()
  let made = 0
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() - started < turnMs) {
        made += 1
        const text = await call(made)
        if (text !== answer) throw new Error(`The target returned ${text}.`)
      }
    }),
  )
  return (made / (performance.now() - started)) * 1000
}
