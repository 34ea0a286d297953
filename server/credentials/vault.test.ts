// The vault over its file: what opens, what does not, and what several processes do at once.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { KeyService } from '../ports/key-service.ts'
import type { SecretOwner, VaultStore } from '../ports/vault.ts'
import { vaultStoreIn } from '../storage/sqlite/index.ts'
import { fileKeyService, keychainKeyService, systemClock, systemIds, systemRandom } from '../system/index.ts'
import { openSecret, sealSecret, type SealedSlot } from './seal.ts'
import { createVault, type Vault } from './vault.ts'

const owner: SecretOwner = { kind: 'secret', credential: 'c1', principal: 'service', user: '' }
const lineage = '0191d1a5-0000-7000-8000-000000000001'

let dir: string
const opened: VaultStore[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vault-'))
})
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
  rmSync(dir, { recursive: true, force: true })
})

const file = (): string => join(dir, 'vault.sqlite')
const keyFile = (): string => join(dir, 'vault.key')
const fileKeys = (): KeyService => fileKeyService(keyFile(), systemRandom)
const newStore = (of = lineage): VaultStore => {
  const store = vaultStoreIn({ path: file(), lineage: of })
  opened.push(store)
  return store
}
function vaultOver(store: VaultStore, keys = fileKeys()): Vault {
  return createVault({ store, keys, lineage, clock: systemClock, ids: systemIds, random: systemRandom })
}
const parse = (content: string | null): SealedSlot[] =>
  content === null ? [] : (JSON.parse(content) as SealedSlot[])
const write = (vault: Vault, slot: string, secret: string, of = owner): Promise<void> =>
  vault.update(of, (before, seal) => ({
    after: { content: JSON.stringify([...parse(before), seal(slot, 1, secret)]), dueAt: null },
    result: undefined,
  }))
const read = async (store: VaultStore, vault: Vault, of = owner): Promise<string[]> =>
  Promise.all(parse((await store.get(of))!.content).map((slot) => vault.open(of, slot)))
const replaceSlots = (row: { content: string }, replace: (slot: SealedSlot) => SealedSlot): string =>
  JSON.stringify(parse(row.content).map(replace))

describe('a sealed secret', () => {
  const key = { id: 'k1', bytes: Buffer.alloc(32, 7) }
  const place = { ...owner, lineage, slot: 'key', version: 3 }

  it('opens at its place alone, and only as it was sealed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (secret, at, flip) => {
          const sealed = sealSecret(key, place, secret, systemRandom)
          expect(openSecret(key, place, sealed)).toBe(Buffer.from(secret).toString())
          const altered = Buffer.from(sealed.sealed, 'base64')
          altered[at % altered.length]! ^= flip
          expect(openSecret(key, place, { sealed: altered.toString('base64') })).toBeNull()
        },
      ),
    )
  })

  it.each([
    ['another org', { lineage: 'other' }],
    ['another kind', { kind: 'token' as const }],
    ['another credential', { credential: 'c2' }],
    ['another principal', { principal: 'other' }],
    ['a user', { user: 'mara' }],
    ['another slot', { slot: 'secret' }],
    ['another version', { version: 2 }],
  ])('does not open for %s', (_name, moved) => {
    const sealed = sealSecret(key, place, 'hunter2', systemRandom)
    expect(openSecret(key, { ...place, ...moved }, sealed)).toBeNull()
    expect(openSecret({ ...key, id: 'k2' }, place, sealed)).toBeNull()
  })
})

describe('the vault', () => {
  it('has no file before the first secret, and a private one without the secret after it', async () => {
    const store = newStore()
    const vault = vaultOver(store)
    expect(await vault.status()).toEqual({ state: 'empty', keys: [] })
    expect(() => statSync(file())).toThrow()
    await write(vault, 'key', 'a-marked-secret')
    expect(await read(store, vault)).toEqual(['a-marked-secret'])
    expect(await vault.status()).toMatchObject({ state: 'open', keys: [{ service: 'file' }] })
    for (const path of [file(), keyFile()]) {
      expect(statSync(path).mode & 0o777).toBe(0o600)
      const bytes = readFileSync(path)
      for (const form of ['utf8', 'base64', 'hex'] as const)
        expect(bytes.includes(Buffer.from('a-marked-secret').toString(form))).toBe(false)
    }
  })

  it('shows at once what another process writes, even if nothing was written for a while', async () => {
    const [store, other] = [newStore(), newStore()]
    const vault = vaultOver(store)
    await write(vault, 'key', 'one')
    for (const next of ['two', 'three']) {
      // A time long ago, as if the file had rested since.
      utimesSync(file(), 1_700_000_000, 1_700_000_000)
      const before = await read(store, vault)
      expect(await read(store, vault)).toEqual(before)
      await write(vaultOver(other), next, next)
      expect(await read(store, vault)).toEqual([...before, next])
      // The same size and time as before.
      utimesSync(file(), 1_700_000_000, 1_700_000_000)
      expect(await read(store, vault)).toEqual([...before, next])
    }
  })

  it('knows a row for a moment, unless this process has written since', async () => {
    const store = newStore()
    const vault = vaultOver(store)
    expect(store.known(owner)).toBeUndefined()
    await write(vault, 'key', 'one')
    utimesSync(file(), 1_700_000_000, 1_700_000_000)
    // The state of the file is known from the second read.
    const known = async () => {
      const row = await store.get(owner)
      return { row, known: store.known(owner) }
    }
    await known()
    const found = await Promise.all([known(), known()])
    expect(found.some((each) => each.known === each.row && each.row !== null)).toBe(true)
    await store.get(owner)
    await write(vault, 'next', 'two')
    expect(store.known(owner)).toBeUndefined()
    await store.get(owner)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(store.known(owner)).toBeUndefined()
  })

  it('is opened by another process with the same key', async () => {
    await write(vaultOver(newStore()), 'key', 'one')
    const store = newStore()
    expect(await read(store, vaultOver(store))).toEqual(['one'])
  })

  it.each([
    ['is lost', () => rmSync(keyFile()), /vault\.key does not exist/],
    ['is a different one', () => writeFileSync(keyFile(), 'ab'.repeat(32)), /It is a different key/],
    ['is damaged', () => writeFileSync(keyFile(), 'nothing'), /64 hexadecimal digits/],
  ])('is locked if its key %s: it is named, and nothing is overwritten', async (_name, damage, reason) => {
    await write(vaultOver(newStore()), 'key', 'one')
    const key = readFileSync(keyFile())
    const before = readFileSync(file())
    damage()
    const store = newStore()
    const vault = vaultOver(store)
    const { id } = (await store.keys())[0]!
    expect(await vault.status()).toMatchObject({
      state: 'locked',
      reason: expect.stringMatching(reason),
    })
    expect((await vault.status()) as { reason: string }).toMatchObject({
      reason: expect.stringContaining(id),
    })
    await expect(write(vault, 'key', 'two')).rejects.toMatchObject({ code: 'vault.key' })
    await expect(read(store, vault)).rejects.toMatchObject({ code: 'vault.key', retryAfter: 30 })
    await expect(vault.renewKey(replaceSlots)).rejects.toMatchObject({ code: 'vault.key' })
    expect(existsSync(`${keyFile()}.next`)).toBe(false)
    expect(readFileSync(file())).toEqual(before)
    writeFileSync(keyFile(), key, { mode: 0o600 })
    expect(await read(store, vault)).toEqual(['one'])
  })

  it('names the key service that wrapped its key', async () => {
    await write(
      vaultOver(newStore(), keychainKeyService(Buffer.alloc(32, 1).toString('base64'), systemRandom)),
      'key',
      'one',
    )
    const status = await vaultOver(newStore()).status()
    expect(status).toMatchObject({
      reason: expect.stringMatching(/wrapped by the keychain.*this process has the file/),
    })
  })

  it('refuses the file of another org', async () => {
    await write(vaultOver(newStore()), 'key', 'one')
    await expect(newStore('other').get(owner)).rejects.toMatchObject({ code: 'vault.damaged' })
  })

  it('reports a secret that was moved within the file', async () => {
    const store = newStore()
    const vault = vaultOver(store)
    const other = { ...owner, principal: 'other' }
    await write(vault, 'key', 'one')
    await write(vault, 'key', 'two', other)
    const moved = parse((await store.get(other))!.content)[0]!
    await expect(vault.open(owner, moved)).rejects.toMatchObject({
      code: 'vault.damaged',
      message: expect.stringContaining('"key" was altered'),
    })
  })

  it('makes one key if several processes write their first secret at once', async () => {
    const stores = [newStore(), newStore(), newStore()]
    const vaults = stores.map((store) => vaultOver(store))
    await Promise.all(vaults.map((vault, at) => write(vault, `s${at}`, `secret ${at}`)))
    expect(await stores[0]!.keys()).toHaveLength(1)
    expect((await read(stores[0]!, vaults[0]!)).toSorted()).toEqual(['secret 0', 'secret 1', 'secret 2'])
  })

  it('loses no change of a row that is changed at once', async () => {
    const vaults = [newStore(), newStore()].map((store) => vaultOver(store))
    await Promise.all(Array.from({ length: 20 }, (_, at) => write(vaults[at % 2]!, `s${at}`, `secret ${at}`)))
    expect(await read(opened[0]!, vaults[1]!)).toHaveLength(20)
  })
})

describe('keys', () => {
  it('are wrapped by another service without touching the secrets', async () => {
    const store = newStore()
    const vault = vaultOver(store)
    await write(vault, 'key', 'one')
    const before = await store.get(owner)
    const keychain = keychainKeyService(Buffer.alloc(32, 9).toString('base64'), systemRandom)
    await vault.rewrap(keychain)
    expect(await store.get(owner)).toMatchObject({ content: before!.content })
    rmSync(keyFile())
    const again = newStore()
    expect(await read(again, vaultOver(again, keychain))).toEqual(['one'])
    await write(vault, 'other', 'two')
    expect(await read(again, vaultOver(again, keychain))).toEqual(['one', 'two'])
  })

  it('are renewed: every secret is encrypted again, and the old key opens nothing', async () => {
    const store = newStore()
    const vault = vaultOver(store)
    await write(vault, 'key', 'one')
    await write(vault, 'key', 'two', { ...owner, user: 'mara' })
    const [old] = await store.keys()
    const before = await store.get(owner)
    await vault.renewKey(replaceSlots)
    expect(await store.keys()).toMatchObject([{ id: expect.not.stringContaining(old!.id) }])
    expect(await read(store, vault)).toEqual(['one'])
    expect((await store.get(owner))!.content).not.toBe(before!.content)
    const other = newStore()
    expect(await read(other, vaultOver(other), { ...owner, user: 'mara' })).toEqual(['two'])
  })

  it('are wrapped by a new key in the file, even if the process ends before it is in its place', async () => {
    const store = newStore()
    const keys = fileKeys()
    const vault = vaultOver(store, {
      ...keys,
      replaceKey: (rewrap) =>
        keys.replaceKey!(async () => {
          await rewrap()
          throw new Error('killed')
        }),
    })
    await write(vault, 'key', 'one')
    const before = readFileSync(keyFile(), 'utf8')
    await expect(vault.renewKey(replaceSlots)).rejects.toThrow('killed')
    expect(readFileSync(keyFile(), 'utf8')).toBe(before)
    const later = newStore()
    const other = vaultOver(later)
    expect(await read(later, other)).toEqual(['one'])
    await write(other, 'key', 'two', { ...owner, user: 'mara' })
    await other.renewKey(replaceSlots)
    expect(existsSync(`${keyFile()}.next`)).toBe(false)
    expect(readFileSync(keyFile(), 'utf8')).not.toBe(before)
    const last = newStore()
    expect(await read(last, vaultOver(last))).toEqual(['one'])
  })

  it('are renewed by several processes at once without a loss', async () => {
    const store = newStore()
    await write(vaultOver(store), 'key', 'one')
    const stores = Array.from({ length: 6 }, () => newStore())
    for (let round = 0; round < 3; round += 1)
      await Promise.all(stores.map((each) => vaultOver(each).renewKey(replaceSlots)))
    const last = newStore()
    expect(await read(last, vaultOver(last))).toEqual(['one'])
    expect(await last.keys()).toHaveLength(1)
  })

  it('that were renewed by another process are not used to seal any more', async () => {
    const [mine, theirs] = [newStore(), newStore()]
    const [vault, other] = [vaultOver(mine), vaultOver(theirs)]
    await write(vault, 'key', 'one')
    let isFirst = true
    await vault.update({ ...owner, principal: 'new' }, (before, seal) => {
      const content = JSON.stringify([...parse(before), seal('key', 1, 'three')])
      return { after: { content, dueAt: null }, result: undefined }
    })
    // The key is renewed between the sealing and the writing.
    const put: VaultStore['put'] = async (...row) => {
      if (isFirst) {
        isFirst = false
        await other.renewKey(replaceSlots)
      }
      return mine.put(...row)
    }
    const slow = new Proxy(mine, {
      get: (target, name: keyof VaultStore) => (name === 'put' ? put : target[name].bind(target)),
    })
    await write(vaultOver(slow), 'key', 'two', { ...owner, principal: 'late' })
    expect(await read(theirs, other, { ...owner, principal: 'late' })).toEqual(['two'])
    expect(await read(theirs, other)).toEqual(['one'])
  })

  it('keep everything if the key service fails in the middle', async () => {
    const store = newStore()
    const vault = vaultOver(store)
    await write(vault, 'key', 'one')
    const broken: KeyService = {
      ...fileKeys(),
      wrap: async () => {
        throw new AlmanacError('vault.key', 'The service is not available.')
      },
    }
    await expect(vault.rewrap(broken)).rejects.toMatchObject({ code: 'vault.key' })
    expect(await read(store, vault)).toEqual(['one'])
  })
})
