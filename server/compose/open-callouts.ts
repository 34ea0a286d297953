// Wires what leaves the process: the executor of callouts over the vault, and the worker of the outbox.
import { splitId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { createCallouts, type CalloutObserver, type Callouts } from '../callouts/index.ts'
import {
  createCallAuthentication,
  createCallGrants,
  createConsents,
  createTokens,
  tlsIdentity,
  type Consents,
  type CredentialDeps,
  type SecretSource,
  type SendTokenCall,
  type TokenObserver,
  type TokenStore,
} from '../credentials/index.ts'
import { createOutboxWorker, type CallTargets, type OutboxWorker } from '../outbox/index.ts'
import type { CalloutLimits } from '../ports/callout-limits.ts'
import type { CalloutTransport } from '../ports/callout-transport.ts'
import { mintOutsideTransaction } from '../ports/outside-transaction.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { OpenOperations, Payloads } from '../service-calls/index.ts'
import { addressRule, systemRandom, systemTimer, undiciCallouts } from '../system/index.ts'
import type { OpenedOrg } from './open-org.ts'

export interface CalloutParts {
  secrets: SecretSource
  tokenStore: TokenStore
  credentialDeps: CredentialDeps
  /** For the execution trace and metrics. */
  observers: { callouts: CalloutObserver; tokens: TokenObserver }
  /** See `EngineOptions`. */
  reach: { isOwnMachine: boolean; allowed: readonly string[] }
}

export interface OpenedCallouts {
  callouts: Callouts
  consents: Consents
  close(): Promise<void>
}

export function openCallouts(
  org: OpenedOrg,
  { secrets, tokenStore, observers, reach, credentialDeps }: CalloutParts,
): OpenedCallouts {
  const { store, clock, ids } = org
  const transport = undiciCallouts(addressRule(reach))
  const wait = (ms: number): Promise<void> => systemTimer.wait(ms)
  const send = tokenSender(transport)
  const tokens = createTokens({
    ...{ store: tokenStore, send, clock, randomness: systemRandom, wait },
    observer: observers.tokens,
  })
  const callouts = createCallouts({
    ...{ transport, clock, ids, timer: systemTimer, random: systemRandom, limits: limitsOf(org) },
    grants: createCallGrants({ store }),
    authentication: createCallAuthentication({ store, clock, secrets, tokens }),
    observer: observers.callouts,
  })
  return {
    callouts,
    consents: createConsents({ ...credentialDeps, secrets, tokens, send, randomness: systemRandom }),
    close: async () => {
      await callouts.close()
      await transport.close()
    },
  }
}

/** In the file of the records: all processes of the org share it. */
export function limitsOf({ records, clock }: Pick<OpenedOrg, 'records' | 'clock'>): CalloutLimits {
  return {
    read: async (cell) => ({ ...(await records.outbox.limit(cell)), now: Date.parse(clock.now()) }),
    swap: (cell, version, text) => records.outbox.swapLimit({ cell, version, text }),
  }
}

const tokenTimeoutMs = 30_000
const tokenBytes = 1024 * 1024

/** @throws CalloutFault */
function tokenSender(transport: CalloutTransport): SendTokenCall {
  return async ({ method, url, headers, body, tls }) => {
    const response = await transport.send({
      ...{ method, url, headers, body: Buffer.from(body), timeoutMs: tokenTimeoutMs, maxBytes: tokenBytes },
      tls: tls && tlsIdentity(tls),
    })
    return {
      ...{ status: response.status, headers: response.headers },
      text: Buffer.from(response.body).toString('utf8'),
    }
  }
}

export interface OutboxParts {
  callouts: Callouts
  operations: OpenOperations
  payloads: Payloads
  /** Called once a job can go on that has waited for a call. */
  onJob(): void
  onError(error: unknown): void
}

export function openOutbox(
  org: OpenedOrg,
  { callouts, operations, payloads, onJob, onError }: OutboxParts,
): OutboxWorker {
  const { records, clock, ids } = org
  return createOutboxWorker({
    ...{
      writes: records.outbox,
      callouts,
      capability: mintOutsideTransaction(),
      clock,
      timer: systemTimer,
      ids,
    },
    targets: callTargets(org, { operations, payloads }),
    limits: () =>
      new Map(
        [...org.pin().view.list('named_credential')].map(({ key, body }) => [key, body.budget.concurrency]),
      ),
    nextAt: async () =>
      // Without effects, the records are not opened.
      org.store.read((reader) => reader.recordFacts.anyCall())
        ? records.store().read((reader) => reader.nextOutboxAt())
        : null,
    onJob,
    onError,
  })
}

export const callTargets = (
  org: Pick<OpenedOrg, 'store' | 'pin'>,
  { operations, payloads }: Pick<OutboxParts, 'operations' | 'payloads'>,
): CallTargets => ({
  payloads,
  // A credential that was renamed or changed since is used as it is now; one that was removed, not at all.
  credentialOf: (then, generation) => {
    const key = org.store.read(({ identities }) => {
      const identity = identities.at(generation, `named_credential/${then}`)
      const last = identity === undefined ? undefined : identities.keyPeriods(identity).at(-1)
      return last === undefined || last.to !== null ? undefined : splitId(last.id).key
    })
    const body = key === undefined ? undefined : org.pin().view.get('named_credential', key)?.body
    return key === undefined || body === undefined ? undefined : { key, body }
  },
  operationAt: (generation, key) => {
    const view = viewAt(org, generation)
    return view === null ? null : operations.at(view, key)
  },
})

/** Null if the content of the generation was purged. */
function viewAt(org: Pick<OpenedOrg, 'pin'>, generation: number): ComponentView | null {
  try {
    return org.pin(generation).view
  } catch (error) {
    if (error instanceof AlmanacError && error.code === 'generation.not_found') return null
    throw error
  }
}
