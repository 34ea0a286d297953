// Wires webhooks: the receiver over the vault, and the worker that dispatches what was received.
import { splitId } from '#kernel/components/component.ts'
import { secretEncodingDefault, type SecretEncoding } from '#kernel/components/webhook-endpoint/body.ts'
import { secretBytes, type VerifyingSecret } from '#kernel/webhooks/index.ts'
import { effectiveAccess, scopePathOf } from '../access/index.ts'
import type { VerifyingSecrets, VerifyingValue } from '../credentials/index.ts'
import type { ClaimWorker } from '../outbox/index.ts'
import type { ComponentIdentity } from '../ports/identities.ts'
import type { Records } from '../records/index.ts'
import { systemRandom, systemTimer } from '../system/index.ts'
import {
  createDeliveryWorker,
  createReceiver,
  createTestSender,
  type DispatchTarget,
  type Receiver,
  type Refusals,
  type TestSender,
  type WebhookEndpoint,
} from '../webhooks/index.ts'
import type { OpenedOrg } from './open-org.ts'

export interface OpenedReceiver {
  receiver: Receiver
  testSender: TestSender
  /** Calls the listener after a delivery was stored. */
  followStored(listener: () => void): void
}

/** The slot of the credential that is the secret. */
const secretSlot = 'key'

export function openReceiver(
  org: OpenedOrg,
  { secrets, refusals }: { secrets: VerifyingSecrets; refusals: Refusals },
): OpenedReceiver {
  const { store, clock, machineClock, ids, records } = org
  let onStored = (): void => undefined
  const decoded = secretDecoder()
  const secretsOf = async ({ body }: WebhookEndpoint): Promise<VerifyingSecret[]> => {
    const { externalCredential, secretEncoding = secretEncodingDefault } = body.verification
    const values = await secrets.of(externalCredential, secretSlot, org.pin().view)
    return values.flatMap((value) => decoded(value, secretEncoding) ?? [])
  }
  const identities = new WeakMap<WebhookEndpoint, string>()
  const receiver = createReceiver({
    ...{ writes: records.deliveries, secretsOf, refusals },
    ...{ clock, machineClock, ids, timer: systemTimer },
    identityOf: (endpoint) => {
      const known = identities.get(endpoint)
      if (known !== undefined) return known
      const identity = store.read((reader) =>
        reader.identities.at(reader.generations.active(), `webhook_endpoint/${endpoint.key}`),
      )!
      identities.set(endpoint, identity)
      return identity
    },
    onStored: () => onStored(),
  })
  return {
    receiver,
    testSender: createTestSender({ receiver, secretsOf, machineClock, ids }),
    followStored: (listener) => void (onStored = listener),
  }
}

/** Returns the same bytes for the same value, whose key is then made once; null if it is not written in the encoding. */
function secretDecoder(): (value: VerifyingValue, encoding: SecretEncoding) => VerifyingSecret | null {
  const known = new WeakMap<VerifyingValue, Map<SecretEncoding, VerifyingSecret | null>>()
  return (value, encoding) => {
    const encodings = known.get(value) ?? new Map<SecretEncoding, VerifyingSecret | null>()
    known.set(value, encodings)
    let secret = encodings.get(encoding)
    if (secret === undefined) {
      const bytes = secretBytes(value.value, encoding)
      secret = bytes === null ? null : { kind: value.kind, bytes }
      encodings.set(encoding, secret)
    }
    return secret
  }
}

export function openDeliveries(
  org: OpenedOrg,
  { dispatch, onError }: { dispatch: Records['dispatch']; onError(error: unknown): void },
): ClaimWorker {
  const { records, store, clock, ids } = org
  // Without deliveries, the records are not opened.
  const isUsed = (): boolean => store.read((reader) => reader.recordFacts.anyDelivery())
  return createDeliveryWorker({
    ...{ writes: records.deliveries, dispatch, clock, ids, timer: systemTimer, onError },
    targetOf: (identity) => targetOf(org, identity),
    nextAt: async () => (isUsed() ? records.store().read((reader) => reader.nextDeliveryAt()) : null),
    heldEndpoints: async () => (isUsed() ? records.store().read((reader) => reader.heldEndpoints()) : []),
    random: () => Buffer.from(systemRandom.bytes(4)).readUInt32BE() / 2 ** 32,
  })
}

function targetOf(org: OpenedOrg, identity: string): DispatchTarget | undefined {
  const { view, generation } = org.pin()
  return org.store.read((reader) => {
    const last = reader.identities.keyPeriods(identity as ComponentIdentity).at(-1)
    if (last === undefined || last.to !== null) return undefined
    const endpoint = view.get('webhook_endpoint', splitId(last.id).key)
    if (endpoint === undefined) return undefined
    const { runAs } = endpoint.body
    const user = reader.people.user(runAs)
    const access = effectiveAccess(reader, runAs, view)
    return {
      ...{ endpoint, generation, scopePath: scopePathOf(reader, access) },
      heldBy: user?.active === true ? null : heldBy(runAs, user !== undefined),
    }
  })
}

const heldBy = (user: string, exists: boolean): string =>
  `The user "${user}", as whom deliveries run, ${exists ? 'is not active' : 'does not exist'}. The delivery waits until they are active again.`
