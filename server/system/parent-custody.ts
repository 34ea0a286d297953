// Custody in the parent process, which has access to the keychain: requests and replies are messages. This process
// stores none of the secrets.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type {
  CustodyRequest,
  CustodyCall,
  CustodyCalls,
  CustodyChannel,
  CustodyReply,
  SecretCustody,
} from '../ports/secret-custody.ts'

interface PendingCall {
  answer: (value: never) => void
  refuse: (error: Error) => void
}

/** Long enough for a user to unlock a keychain. */
const defaultTimeoutMs = 120_000

export function parentCustody(channel: CustodyChannel, waitMs = defaultTimeoutMs): SecretCustody {
  const waiting = new Map<number, PendingCall>()
  let last = 0
  channel.listen((message) => {
    const reply = replyOf(message)
    const waiter = reply === null ? undefined : waiting.get(reply.id)
    if (reply === null || waiter === undefined) return
    waiting.delete(reply.id)
    if (reply.kind === 'custody/answer') waiter.answer(reply.answer as never)
    else waiter.refuse(new AlmanacError('secret.custody', reply.reason))
  })
  const ask = <K extends CustodyCall>(
    kind: K,
    parts: CustodyCalls[K]['ask'],
  ): Promise<CustodyCalls[K]['answer']> =>
    new Promise((answer, refuse) => {
      const id = (last += 1)
      const impatient = setTimeout(() => {
        waiting.delete(id)
        refuse(
          new AlmanacError(
            'secret.custody',
            'The keychain did not respond. Unlock it if it asks you to, and try again.',
          ),
        )
      }, waitMs)
      const done = <A extends unknown[]>(act: (...given: A) => void) => {
        return (...given: A): void => {
          clearTimeout(impatient)
          act(...given)
        }
      }
      waiting.set(id, { answer: done(answer as (value: never) => void), refuse: done(refuse) })
      channel.send({ kind, id, ...parts } as unknown as CustodyRequest)
    })
  return {
    kind: 'keychain',
    status: async () => ({ kind: 'keychain', ...(await ask('custody/status', {})) }),
    put: async (name, secret) => void (await ask('custody/put', { name, secret })),
    get: (name) => ask('custody/get', { name }),
    delete: async (name) => void (await ask('custody/delete', { name })),
  }
}

/** Null for a message of a different kind. */
function replyOf(message: unknown): CustodyReply | null {
  if (typeof message !== 'object' || message === null) return null
  const { kind, id } = message as { kind?: unknown; id?: unknown }
  const isReply = kind === 'custody/answer' || kind === 'custody/refused'
  return isReply && typeof id === 'number' ? (message as CustodyReply) : null
}
