import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CustodyRequest, CustodyReply, SecretCustody } from '../ports/secret-custody.ts'
import { fileCustody } from './file-custody.ts'
import { parentCustody } from './parent-custody.ts'

const refused = (words: RegExp) => ({ code: 'secret.custody', message: expect.stringMatching(words) })

/** A fake of the desktop process with a keychain, which keeps its secrets. */
function desktop(answers: (ask: CustodyRequest, kept: Map<string, string>) => CustodyReply | null) {
  const secrets = new Map<string, string>()
  const requests: CustodyRequest[] = []
  let heard: (message: unknown) => void = () => {}
  const custody = parentCustody(
    {
      send: (ask) => {
        requests.push(ask)
        queueMicrotask(() => {
          heard({ kind: 'ready', id: ask.id })
          const reply = answers(ask, secrets)
          if (reply !== null) heard(reply)
        })
      },
      listen: (listener) => (heard = listener),
    },
    20,
  )
  return { custody, kept: secrets, requests }
}

const keeps = (ask: CustodyRequest, secrets: Map<string, string>): CustodyReply => {
  const answered = (answer: unknown) => ({ kind: 'custody/answer', id: ask.id, answer }) as CustodyReply
  switch (ask.kind) {
    case 'custody/status':
      return answered({ kept: true })
    case 'custody/put':
      secrets.set(ask.name, ask.secret)
      return answered(null)
    case 'custody/get':
      return answered(secrets.get(ask.name) ?? null)
    case 'custody/delete':
      secrets.delete(ask.name)
      return answered(null)
  }
}

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'almanac-custody-')), 'secrets')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const kinds: [string, () => SecretCustody][] = [
  ['files', () => fileCustody(folder)],
  ['the desktop process', () => desktop(keeps).custody],
]

describe.each(kinds)('custody by %s', (_, make) => {
  it('keeps a secret, replaces it, and deletes it', async () => {
    const custody = make()
    expect(await custody.status()).toMatchObject({ kept: true })
    expect(await custody.get('remote/prod')).toBeNull()
    await custody.put('remote/prod', 'first')
    await custody.put('remote/prod', 'second ☂')
    await custody.put('remote/test', 'other')
    expect(await custody.get('remote/prod')).toBe('second ☂')
    await custody.delete('remote/prod')
    await custody.delete('remote/prod')
    expect(await custody.get('remote/prod')).toBeNull()
    expect(await custody.get('remote/test')).toBe('other')
  })
})

describe('files', () => {
  const path = (): string => join(folder, readdirSync(folder)[0]!)
  const mode = (of: string): string => (statSync(of).mode & 0o777).toString(8)

  it('are readable only by their owner, and no other file is left there', async () => {
    await fileCustody(folder).put('remote/prod', 'hush')
    expect([mode(path()), mode(folder)]).toEqual(['600', '700'])
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it.each(['640', '604', '666', '620'])('are refused with mode %s', async (bits) => {
    const custody = fileCustody(folder)
    await custody.put('remote/prod', 'hush')
    chmodSync(path(), parseInt(bits, 8))
    await expect(custody.get('remote/prod')).rejects.toMatchObject(refused(/mode .*chmod 600/))
    // Entered again, it is private to its owner again.
    await custody.put('remote/prod', 'entered again')
    expect([await custody.get('remote/prod'), mode(path())]).toEqual(['entered again', '600'])
  })

  it('are refused in a folder that is open to others, before a write', async () => {
    mkdirSync(folder, { mode: 0o755 })
    chmodSync(folder, 0o755)
    const custody = fileCustody(folder)
    expect(await custody.status()).toMatchObject({ kept: false, reason: expect.stringMatching(/chmod 700/) })
    await expect(custody.put('remote/prod', 'hush')).rejects.toMatchObject(refused(/mode 755/))
    expect(readdirSync(folder)).toEqual([])
  })

  it('do not follow links to other places', async () => {
    const custody = fileCustody(folder)
    await custody.put('remote/prod', 'hush')
    const name = path()
    rmSync(name)
    const elsewhere = join(folder, '..', 'elsewhere')
    writeFileSync(elsewhere, 'theirs', { mode: 0o600 })
    symlinkSync(elsewhere, name)
    await expect(custody.get('remote/prod')).rejects.toMatchObject(refused(/not a regular file/))
  })

  it('of two names are two files', async () => {
    const custody = fileCustody(folder)
    await custody.put('remote/a.b', 'one')
    await custody.put('remote/a/b', 'two')
    await custody.put('../escape', 'three')
    expect(await custody.get('remote/a.b')).toBe('one')
    expect(readdirSync(folder)).toHaveLength(3)
  })
})

describe('the desktop process', () => {
  it('reports its refusal to the user', async () => {
    const reason = 'This desktop session has no keychain. Start one.'
    const { custody } = desktop((ask) => ({ kind: 'custody/refused', id: ask.id, reason }))
    await expect(custody.put('remote/prod', 'hush')).rejects.toMatchObject(refused(/no keychain/))
  })

  it('does not block forever if it does not respond', async () => {
    const { custody } = desktop(() => null)
    await expect(custody.get('remote/prod')).rejects.toMatchObject(refused(/did not respond/))
  })
})
