// Custody of the secrets of remote orgs: in the keychain, or, if the user chose so, in a file that only they can read.
import { existsSync } from 'node:fs'
import { z } from 'zod'
import type { KeychainStatus } from './ipc-map.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'
import type { Keychain } from './keychain.ts'
import type { CustodyAnswer, CustodyRequest, CustodyReply } from './server-messages.ts'

/** `clear` if the user chose a file because no keychain is available. */
const secretRecord = z.discriminatedUnion('held', [
  z.object({ org: z.string(), name: z.string(), held: z.literal('sealed'), sealed: z.string() }),
  z.object({ org: z.string(), name: z.string(), held: z.literal('clear'), secret: z.string() }),
])
type SecretRecord = z.output<typeof secretRecord>
const content = z.object({ fileChosen: z.boolean(), secrets: z.array(secretRecord) })
type Content = z.output<typeof content>

export interface RemoteSecrets {
  status(): Promise<KeychainStatus>
  /** The user chose the file, knowing that it holds secrets unencrypted. If it is not needed, nothing changes. */
  chooseFile(): Promise<KeychainStatus>
  /** Replies to the server; a refusal is a message for the user. */
  reply(ask: CustodyRequest): Promise<CustodyReply>
}

/**
 * @param path file of sealed secrets, readable by its owner alone
 * @param org folder of the requesting org: each has its own remotes, which can have the same names
 */
export function remoteSecrets(keychain: Keychain, path: string, org: () => string): RemoteSecrets {
  // One at a time, since each change writes the whole file.
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const mine = last.then(run)
    last = mine.catch(() => undefined)
    return mine
  }

  async function status(): Promise<KeychainStatus> {
    const refusal = await keychain.refusal()
    if (refusal === null) return { kept: 'keychain' }
    return read(path).fileChosen ? { kept: 'file', path } : { kept: 'nowhere', reason: refusal, path }
  }

  const isOf =
    (name: string) =>
    (each: SecretRecord): boolean =>
      each.org === org() && each.name === name

  async function put(name: string, secret: string): Promise<void> {
    const now = await status()
    if (now.kept === 'nowhere') throw new Error(now.reason)
    replace(
      name,
      now.kept === 'keychain'
        ? { org: org(), name, held: 'sealed', sealed: await keychain.seal(secret) }
        : { org: org(), name, held: 'clear', secret },
    )
  }

  async function get(name: string): Promise<string | null> {
    const secret = read(path).secrets.find(isOf(name))
    if (secret === undefined) return null
    const refusal = await keychain.refusal()
    if (secret.held === 'sealed') {
      if (refusal !== null) throw new Error(refusal)
      const { text, needsReseal } = await keychain.open(secret.sealed)
      if (needsReseal) await put(name, text)
      return text
    }
    // A keychain that has become available takes over the content of the file.
    if (refusal === null) await put(name, secret.secret)
    return secret.secret
  }

  function replace(name: string, by: SecretRecord | null): void {
    write(path, ({ fileChosen, secrets }) => ({
      fileChosen,
      secrets: [...secrets.filter((each) => !isOf(name)(each)), ...(by === null ? [] : [by])],
    }))
  }

  async function answer(ask: CustodyRequest): Promise<CustodyAnswer> {
    switch (ask.kind) {
      case 'custody/status': {
        const now = await status()
        return now.kept === 'nowhere' ? { kept: false, reason: now.reason } : { kept: true }
      }
      case 'custody/put':
        await put(ask.name, ask.secret)
        return null
      case 'custody/get':
        return get(ask.name)
      case 'custody/delete':
        replace(ask.name, null)
        return null
    }
  }

  return {
    status,
    chooseFile: () =>
      inTurn(async () => {
        if ((await status()).kept === 'nowhere') write(path, (before) => ({ ...before, fileChosen: true }))
        return status()
      }),
    reply: (ask) =>
      inTurn(async () => {
        try {
          return { kind: 'custody/answer', id: ask.id, answer: await answer(ask) }
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error)
          return { kind: 'custody/refused', id: ask.id, reason }
        }
      }),
  }
}

function read(path: string): Content {
  if (!existsSync(path)) return { fileChosen: false, secrets: [] }
  const storedContent = content.safeParse(readJsonFile(path)).data
  if (storedContent === undefined)
    throw new Error(
      `The file of secrets ${path} is damaged. Restore it from a backup, or remove it and enter the secrets of your remotes again.`,
    )
  return storedContent
}

function write(path: string, change: (before: Content) => Content): void {
  writeJsonFile(path, change(read(path)))
}
